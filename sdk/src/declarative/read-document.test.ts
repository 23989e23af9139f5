import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMapper } from '../host/index.ts';
import { PluginError } from '../plugin.ts';
import { runKit } from '../testing/index.ts';
import { readDocument } from './index.ts';

const FOLDER = path.join(import.meta.dirname, '__fixtures__/harbour-scan');
const sound = JSON.parse(await readFile(path.join(FOLDER, 'connector.json'), 'utf8'));
const mapper = createMapper();

const issuesOf = (change: (document: typeof sound) => void): readonly string[] => {
  const document = structuredClone(sound);
  change(document);
  try {
    readDocument(document, mapper);
    return [];
  } catch (error) {
    if (error instanceof PluginError) return error.issues;
    throw error;
  }
};

test('a document of at most 70 lines is a connector that reaches silver', async () => {
  const report = await runKit(FOLDER);
  expect(report.issues).toEqual([]);
  expect(report.connectors).toMatchObject([{ id: 'harbour-scan', tier: 'silver' }]);
  expect(
    (await readFile(path.join(FOLDER, 'connector.json'), 'utf8')).trimEnd().split('\n').length,
  ).toBeLessThanOrEqual(70);
});

test('GraphQL with a cursor in the body, regions and errors of status 200', async () => {
  const report = await runKit(path.join(import.meta.dirname, '__fixtures__/quay-graph'));
  expect(report.issues).toEqual([]);
  expect(report.connectors).toMatchObject([{ id: 'quay-graph', tier: 'silver' }]);
});

test('the page "Without code" shows it word for word', async () => {
  const guide = await readFile(path.join(import.meta.dirname, '../../../docs/connectors/no-code.md'), 'utf8');
  const shown = /# Without code[\s\S]*?```json connector.json\n([\s\S]*?)```/.exec(guide)?.[1];
  expect(JSON.parse(shown ?? '')).toEqual(sound);
});

test('what is wrong with a document is said at once, with its place', () => {
  const issues = issuesOf((document) => {
    document.findings.map.title = 'message[';
    document.findings.map.ruleId = '$match(rule, /(a+)+$/)';
    document.check.identity = "$eval('email')";
    document.findings.request.path = '/projects/{{target.id}}/{{api_key}}/{{nothing}}';
    delete document.findings.type;
  });
  expect(issues).toHaveLength(6);
  expect(issues.join('\n')).toContain('field "check.identity": calls $eval');
  expect(issues.join('\n')).toContain('field "findings.map.title": is no JSONata');
  expect(issues.join('\n')).toContain('field "findings.map.ruleId": holds a regular expression');
  expect(issues.join('\n')).toContain('{{api_key}} is a secret, which may stand in auth only');
  expect(issues.join('\n')).toContain('{{nothing}} is not a field of the form, target.id or target.name');
  expect(issues.join('\n')).toContain('field "findings.type": is missing here and in "map"');
});

test.each<[string, (document: typeof sound) => void, string]>([
  ['an unknown field', (d) => (d.egress = ['*']), 'field "egress": is not a known field'],
  ['code in a field', (d) => (d.check.request.path = 'https://evil.example/'), 'check.request.path'],
  ['a method that writes', (d) => (d.check.request.method = 'DELETE'), 'must be one of GET, POST'],
  ['a host that is not permitted', (d) => (d.baseUrl = 'https://evil.example/v1'), 'not among permissions.egress'],
  ['every host', (d) => (d.permissions.egress = ['*.example']), 'is not a host'],
  ['a secret in an address', (d) => (d.baseUrl = 'https://{{api_key}}.harbour.example'), 'may stand in auth only'],
  ['secrets that code would read', (d) => (d.permissions.reveal = ['api_key']), 'not a known field'],
  ['no check where it signs', (d) => delete d.check, 'field "check": is missing'],
  ['a picture from elsewhere', (d) => (d.image = 'https://evil.example/x.png'), 'field "image"'],
  [
    'nothing to do',
    (d) => {
      delete d.check;
      delete d.findings;
      delete d.report;
      delete d.auth;
    },
    'there is nothing that it could do',
  ],
])('%s is refused', (_name, change, words) => {
  expect(issuesOf(change).join('\n')).toContain(words);
});

test('records of an uploaded report become findings; one that does not fit is named and the rest is read', async () => {
  const [parser] = readDocument(sound, mapper).parsers;
  const text = JSON.stringify({
    generator: 'harbour',
    issues: [
      { rule: 'sqli', message: 'SQL is built from input', level: 'MAJOR', file: 'src/a.ts', line: 3 },
      { rule: 'odd', message: 'What is this', level: 'PURPLE', file: 'src/b.ts' },
    ],
  });
  const bytes = new TextEncoder().encode(text);
  expect(parser?.recognise(bytes)).toBeGreaterThan(0.5);
  expect(parser?.recognise(new TextEncoder().encode('{"generator":"other"}'))).toBe(0);
  const records = [];
  const report = (async function* () {
    yield bytes.subarray(0, 20);
    yield bytes.subarray(20);
  })();
  for await (const record of parser?.parse(report, { signal: AbortSignal.timeout(60_000) }) ?? []) records.push(record);
  expect(records).toEqual([
    {
      kind: 'finding',
      type: 'SAST',
      ruleId: 'sqli',
      title: 'SQL is built from input',
      severity: 'high',
      nativeSeverity: 'MAJOR',
      locations: [{ path: 'src/a.ts', startLine: 3 }],
    },
    { kind: 'unreadable', where: 'record 2', why: 'severity: "severities" says nothing of its word' },
  ]);
});
