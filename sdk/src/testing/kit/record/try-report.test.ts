import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tryDocument } from './try-document.ts';

const TOKEN = 'cana/ry+"7f3"9c=e1&b2d4 a6';
const FOLDER = join(import.meta.dirname, '../../../declarative/__fixtures__/harbour-scan');
const { report, id, version, title, category, description, documentation } = JSON.parse(
  await readFile(join(FOLDER, 'connector.json'), 'utf8'),
);
/** A card for uploads alone: it talks to nobody. */
const document = { ...{ id, version, title, category, description, documentation }, report };

const attempt = (text: string | undefined, of: unknown = document) =>
  tryDocument({ document: of, values: {}, allowPrivateHosts: false, report: text });
const issue = (rule: string, level: string, more = {}) => ({
  rule,
  message: `Found ${rule}`,
  level,
  file: 'src/a.ts',
  line: 3,
  ...more,
});
const written = (...issues: unknown[]) => JSON.stringify({ generator: 'harbour', issues });

test('a report is shown and recorded as it was read, without what looks like a secret', async () => {
  const text = written(
    issue('sqli', 'MAJOR', { api_token: TOKEN, author: 'ada.lovelace@dock.example' }),
    issue('odd', 'PURPLE'),
  );
  const tried = await attempt(text);
  expect(tried.report).toMatchObject({ isOk: true, message: '', count: 1 });
  expect(tried.report?.findings).toMatchObject([
    { ruleId: 'sqli', severity: 'high', type: 'SAST', place: 'src/a.ts:3' },
  ]);
  expect(tried.report?.unreadable).toEqual(['record 2: severity: "severities" says nothing of its word']);
  const { connectors, reports } = tried.fixtures ?? {};
  expect(connectors).toEqual({});
  expect(reports?.[id]).toMatchObject([{ expect: [{ kind: 'finding', ruleId: 'sqli' }, { kind: 'unreadable' }] }]);
  expect(JSON.stringify(tried)).not.toMatch(/cana\/ry|ada\.lovelace/);
  expect(tried.scrubbed.length).toBeGreaterThan(0);
});

test('all findings of a long report are counted, and the first are shown', async () => {
  const tried = await attempt(written(...Array.from({ length: 50 }, (_, at) => issue(`r${at}`, 'MINOR'))));
  expect([tried.report?.count, tried.report?.findings.length]).toEqual([50, 20]);
});

test.each<[string, string, string]>([
  ['one of another tool', '{"generator":"other","issues":[]}', '"recognise" does not know this report'],
  ['no report', 'hello', '"recognise" does not know this report'],
  ['one whose list is elsewhere', '{"generator":"harbour","findings":[]}', '"issues" is missing'],
  ['one that is cut off', written(issue('sqli', 'MAJOR')).slice(0, -5), ''],
])('%s is refused with its reason, and nothing is recorded', async (_name, text, words) => {
  const tried = await attempt(text);
  expect(tried.report).toMatchObject({ isOk: false, count: 0 });
  expect(tried.report?.message).toContain(words);
  expect(tried.report?.message).not.toBe('');
  expect(tried.fixtures).toBeNull();
});

test('without a report none is recorded', async () => {
  expect(await attempt(undefined)).toMatchObject({ report: null, fixtures: { connectors: {} } });
});
