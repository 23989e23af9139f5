import type { AnyConnector } from '../connector.ts';
import type { CredentialField } from '../credentials.ts';
import type { ReportConventions, ReportParser } from '../findings/report-parser.ts';
import { type Plugin, PluginError, readManifest } from '../plugin.ts';
import type { PluginServer } from '../server.ts';

/** Code of a plugin, as its entry points export it. */
export interface CheckedCode {
  readonly parsers?: readonly ReportParser[];
  readonly server?: PluginServer;
}

/**
 * The part of the conformance kit that needs no service: manifest, pictures, descriptions, documentation, forms, and whether the
 * code fits the manifest. Answers with every issue in words; an empty list means that the plugin passes.
 *
 * `expect(checkPlugin(plugin, { parsers })).toEqual([])`
 */
export function checkPlugin(manifest: unknown, code: CheckedCode = {}): string[] {
  try {
    const plugin = readManifest(manifest);
    return [
      ...plugin.connectors.flatMap((connector) => checkCard(connector).map((issue) => `${connector.id}: ${issue}`)),
      ...checkImporters(plugin, code.parsers ?? []),
      ...checkServer(plugin, code.server),
    ];
  } catch (error) {
    if (error instanceof PluginError) return [...error.issues];
    throw error;
  }
}

function checkCard(connector: AnyConnector): string[] {
  const fields = Object.entries(connector.credentials.properties);
  return [
    ...checkPicture(connector.image),
    ...checkSentence('description', connector.description),
    ...(connector.documentation === undefined ? ['has no link to documentation'] : []),
    ...(connector.disabled ? checkSentence('disabled.reason', connector.disabled.reason) : []),
    ...fields.flatMap(([name, field]) => checkField(field).map((issue) => `credential field ${name}: ${issue}`)),
  ];
}

/** A card shows one line; half sentences and paragraphs look broken beside the others. */
function checkSentence(name: string, text: string): string[] {
  if (!/^[\p{Lu}\p{N}].*[.]$/u.test(text))
    return [`${name} is no sentence: start with a capital and end with a full stop`];
  if (text.length > 160) return [`${name} has ${text.length} characters, a card shows 160`];
  return /[.!?]\s+\p{Lu}/u.test(text) ? [`${name} is more than one sentence`] : [];
}

/** What the generic form needs to draw a field. */
function checkField(field: CredentialField): string[] {
  const issues = field.title === undefined ? ['has no title, so the form has no label'] : [];
  if (field.type === 'string' && (field.minLength ?? 0) > (field.maxLength ?? Number.POSITIVE_INFINITY)) {
    issues.push('minLength is above maxLength');
  }
  if (field.type === 'number' || field.type === 'integer') {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field;
    if (minimum > maximum) issues.push('minimum is above maximum');
    if (field.default !== undefined && (field.default < minimum || field.default > maximum)) {
      issues.push('the default is outside minimum and maximum');
    }
  }
  return issues;
}

function checkImporters(plugin: Plugin, parsers: readonly ReportParser[]): string[] {
  const tools = parsers.map((parser) => parser.tool);
  return [
    ...plugin.importers
      .filter(({ tool }) => !tools.includes(tool))
      .map(({ tool }) => `importer ${tool}: has no parser`),
    ...parsers.flatMap((parser, index) => {
      const announced = plugin.importers.some(({ tool }) => tool === parser.tool);
      return [
        ...(announced ? [] : ['is not announced in the manifest']),
        ...(tools.indexOf(parser.tool) < index ? ['has two parsers'] : []),
        ...checkParser(parser),
      ].map((issue) => `importer ${parser.tool}: ${issue}`);
    }),
  ];
}

function checkServer(plugin: Plugin, server: PluginServer | undefined): string[] {
  return plugin.connectors
    .filter(({ id, auth }) => auth.type !== 'none' && server?.connectors[id]?.check === undefined)
    .map(({ id }) => `${id}: signs its requests but has no check`);
}

const text = (content: string) => new TextEncoder().encode(content);

/** Beginnings of files that are no report of any tool. */
const STRANGE_HEADS: readonly [string, Uint8Array][] = [
  ['an empty file', new Uint8Array()],
  ['one space', text(' ')],
  ['an empty object', text('{}')],
  ['a half object', text('{"a": ')],
  ['a web page', text('<!doctype html><html><head><title>502 Bad Gateway</title></head></html>')],
  ['prose', text('Nothing to see here.\n')],
  ['bytes that are no text', Uint8Array.from({ length: 512 }, (_, index) => (index * 89) % 256)],
  ['a byte-order mark and no more', Uint8Array.of(0xef, 0xbb, 0xbf)],
];

/** What is wrong with a parser before it has parsed anything: its names, and what it takes for a report of its own. */
function checkParser(parser: ReportParser): string[] {
  const names = [parser.tool, ...(parser.aliases ?? [])];
  return [
    ...names.filter((name) => !/^[a-z0-9]+([_-][a-z0-9]+)*$/.test(name)).map((name) => `"${name}" is no tool name`),
    ...(parser.formats.length === 0 ? ['reads no format'] : []),
    ...checkConventions(parser.reads),
    ...STRANGE_HEADS.flatMap(([what, head]) => checkRecognise(parser, what, head)),
  ];
}

/** What a report may close depends on it, so that every parser has to say it, in words for its reader. */
function checkConventions(reads: ReportConventions | undefined): string[] {
  if (reads === undefined) return ['does not say in "reads" how part, failure and identity are read'];
  const texts = [
    ...Object.values(reads.part),
    ...reads.failure,
    reads.identity,
    ...(reads.files === undefined ? [] : [reads.files]),
  ];
  return [
    ...Object.keys(reads.part)
      .filter((name) => !/^[a-z][a-z ]{0,29}$/.test(name))
      .map((name) => `"${name}" is no name of a part`),
    ...(texts.some((text) => text.trim() === '') ? ['"reads" holds an empty text'] : []),
  ];
}

/** Neither strange content nor a fitting file name makes a report; and asking must never throw. */
function checkRecognise(parser: ReportParser, what: string, head: Uint8Array): string[] {
  return [undefined, `${parser.tool}-report.${parser.formats[0] ?? 'json'}`].flatMap((name) => {
    const situation = name === undefined ? what : `${what} named ${name}`;
    try {
      const sureness = name === undefined ? parser.recognise(head) : parser.recognise(head, name);
      if (!(sureness >= 0 && sureness <= 1)) return [`recognise answers ${sureness} to ${situation}, not 0 to 1`];
      return sureness >= 0.5 ? [`recognise takes ${situation} for a report`] : [];
    } catch (error) {
      return [`recognise throws on ${situation}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

/** Pictures are drawn 32 pixels wide; more than this is a photograph. */
const MAX_PICTURE_BYTES = 32 * 1024;

/** What is wrong with the picture of a card. Only data addresses can be looked into; a path is the application's own. */
function checkPicture(image: string): string[] {
  if (image.startsWith('/')) return [];
  const bytes = decode(image);
  if (bytes === null) return ['image is not a readable data address'];
  if (bytes.byteLength > MAX_PICTURE_BYTES)
    return [`image has ${bytes.byteLength} bytes, allowed are ${MAX_PICTURE_BYTES}`];
  return image.startsWith('data:image/png') ? checkPng(bytes) : checkSvg(new TextDecoder().decode(bytes));
}

function decode(address: string): Uint8Array | null {
  const match = /^data:image\/(?:svg\+xml|png)((?:;[^,;]+)*),(.*)$/s.exec(address);
  if (!match) return null;
  const [, parameters = '', body = ''] = match;
  try {
    if (!parameters.endsWith(';base64')) return new TextEncoder().encode(decodeURIComponent(body));
    return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function checkPng(bytes: Uint8Array): string[] {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return signature.every((byte, index) => bytes[index] === byte) ? [] : ['image is no PNG'];
}

/** An SVG can run code and call home. Shown by `<img>` it does neither, but nothing says that it is never opened otherwise. */
function checkSvg(svg: string): string[] {
  const issues: string[] = [];
  if (!/^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(svg) || !/<\/svg>\s*$|\/>\s*$/.test(svg)) issues.push('image is no SVG');
  if (/<script|<foreignObject|\son\w+\s*=|javascript:|<!ENTITY/i.test(svg)) issues.push('image holds code');
  if (/(?:href|src)\s*=\s*["'](?!#|data:image\/(?:png|jpeg))|url\(\s*["']?(?!#)/i.test(svg))
    issues.push('image loads something');
  return issues;
}
