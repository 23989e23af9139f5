import { describe, expect, it } from 'vitest';
import type { AnyConnectorSpec } from '../connector.ts';
import { monogram } from '../connector.ts';
import type { ReportParser } from '../findings/report-parser.ts';
import { checkPlugin } from './index.ts';

const parser: ReportParser = {
  tool: 'demo',
  formats: ['json'],
  reads: {
    part: { project: 'scan.project' },
    files: 'scan.files',
    failure: ['scan.status'],
    identity: 'rule and path',
  },
  recognise: (head) => (new TextDecoder().decode(head).includes('"demo"') ? 1 : 0),
  async *parse() {},
};
const connector: AnyConnectorSpec = {
  id: 'demo',
  title: 'Demo',
  category: 'sast',
  image: monogram('De'),
  description: 'Finds insecure code.',
  documentation: 'https://demo.example/docs',
  parser: { tool: 'demo', family: 'SAST' },
};
const manifestOf = (change: Record<string, unknown> = {}) => ({
  id: 'demo',
  version: '1.0.0',
  connectors: [{ ...connector, ...change }],
  importers: [{ tool: 'demo', title: 'Demo' }],
});
const faultsWith = (change: Record<string, unknown>) => checkPlugin(manifestOf(change), { parsers: [parser] });
const form = (field: Record<string, unknown>) => ({ credentials: { type: 'object', properties: { f: field } } });
const svg = (body: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`)}`;

describe('checkPlugin', () => {
  it('passes a sound plugin', () => {
    expect(checkPlugin(manifestOf(), { parsers: [parser] })).toEqual([]);
  });

  it('reports the issues of a broken manifest', () => {
    expect(checkPlugin({ ...manifestOf(), version: 'one' })).toEqual([
      expect.stringContaining('plugin "demo", field "version": must match pattern'),
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['half a sentence', { description: 'finds insecure code' }, 'demo: description is no sentence'],
    ['a paragraph', { description: 'Finds code. Then it tells you.' }, 'demo: description is more than one sentence'],
    ['a long description', { description: `Finds ${'very '.repeat(40)}much.` }, 'demo: description has 211 characters'],
    ['no documentation', { documentation: undefined }, 'demo: has no link to documentation'],
    ['a reason that is none', { disabled: { reason: 'later' } }, 'demo: disabled.reason is no sentence'],
    ['a field without label', form({ type: 'string' }), 'demo: credential field f: has no title'],
    ['impossible lengths', form({ type: 'string', title: 'F', minLength: 9, maxLength: 3 }), 'minLength is above'],
    ['impossible numbers', form({ type: 'integer', title: 'F', minimum: 9, maximum: 3 }), 'minimum is above'],
    ['an impossible default', form({ type: 'integer', title: 'F', default: 9, maximum: 3 }), 'the default is outside'],
    ['a picture that is none', { image: 'data:image/svg+xml,hello' }, 'demo: image is no SVG'],
    ['a picture that cannot be read', { image: 'data:image/svg+xml,%E0%A4%A' }, 'not a readable data address'],
    ['a picture with code', { image: svg('<script>alert(1)</script>') }, 'demo: image holds code'],
    ['a picture with a handler', { image: svg('<rect onload="x()"/>') }, 'demo: image holds code'],
    [
      'a picture that calls home',
      { image: svg('<image href="https://a.example/x.png"/>') },
      'demo: image loads something',
    ],
    ['a picture of another kind', { image: `data:image/png;base64,${btoa('GIF89a..')}` }, 'demo: image is no PNG'],
    ['a photograph', { image: svg('a'.repeat(40_000)) }, 'demo: image has 40'],
  ])('refuses %s', (_, change, issue) => {
    expect(faultsWith(change)).toEqual([expect.stringContaining(issue)]);
  });

  it('accepts pictures of the application, PNG, and inner references', () => {
    const png = `data:image/png;base64,${btoa(String.fromCharCode(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))}`;
    for (const image of ['/images/demo.svg', png, svg('<use href="#a"/><rect fill="url(#b)"/>')]) {
      expect(faultsWith({ image })).toEqual([]);
    }
  });

  it('holds code and manifest together', () => {
    expect(checkPlugin(manifestOf())).toEqual(['importer demo: has no parser']);
    const other = { ...parser, tool: 'other' };
    expect(checkPlugin(manifestOf(), { parsers: [parser, other, parser] })).toEqual([
      'importer other: is not announced in the manifest',
      'importer demo: has two parsers',
    ]);
  });

  it('asks for the check of a connector that signs its requests', () => {
    const signed = {
      parser: undefined,
      credentials: { type: 'object', properties: { token: { type: 'string', title: 'Token', writeOnly: true } } },
      auth: { type: 'bearer', value: '{{token}}' },
      baseUrl: 'https://api.demo.example',
      permissions: { egress: ['api.demo.example'] },
    };
    const { parser: _, ...rest } = { ...manifestOf().connectors[0], ...signed };
    const manifest = { ...manifestOf(), connectors: [rest] };
    expect(checkPlugin(manifest, { parsers: [parser] })).toEqual(['demo: signs its requests but has no check']);
    const server = { pluginId: 'demo', connectors: { demo: { check: async () => ({ identity: 'me' }) } } };
    expect(checkPlugin(manifest, { parsers: [parser], server })).toEqual([]);
  });

  it('asks every parser how part, failure and identity are read', () => {
    const { reads: _, ...silent } = parser;
    expect(checkPlugin(manifestOf(), { parsers: [silent] })).toEqual([
      'importer demo: does not say in "reads" how part, failure and identity are read',
    ]);
  });

  it.each<[string, Partial<ReportParser>, string]>([
    [
      'goes by the file name',
      { recognise: (_, name) => (name?.startsWith('demo') ? 0.9 : 0) },
      'named demo-report.json',
    ],
    ['takes anything', { recognise: () => 1 }, 'recognise takes prose for a report'],
    ['answers percent', { recognise: () => 40 }, 'recognise answers 40 to'],
    ['answers NaN', { recognise: () => Number.NaN }, 'recognise answers NaN to'],
    [
      'trips over half JSON',
      { recognise: (head) => (JSON.parse(new TextDecoder().decode(head)) ? 0 : 0) },
      'recognise throws on a half object',
    ],
    ['has a name in capitals', { aliases: ['Demo'] }, '"Demo" is no tool name'],
    ['reads nothing', { formats: [] }, 'reads no format'],
    [
      'names a part in a way of its own',
      { reads: { part: { 'scan.id': 'scan.id' }, failure: [], identity: 'rule' } },
      '"scan.id" is no name of a part',
    ],
    ['leaves a text out', { reads: { part: {}, failure: [''], identity: 'rule' } }, '"reads" holds an empty text'],
  ])('refuses a parser that %s', (_, change, issue) => {
    const issues = checkPlugin(manifestOf(), { parsers: [{ ...parser, ...change }] });
    expect(issues).toContainEqual(expect.stringContaining(issue));
  });
});
