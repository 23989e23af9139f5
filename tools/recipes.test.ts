import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
/** What the recipes were asked for. */
const WANTED = [
  'column of the findings list',
  'database column',
  'filter',
  'report format',
  'connector',
  'screen',
  'chart',
  'role',
  'permission',
  'notification',
  'export format',
  'job',
  'validation text',
];
const PATH = /`((?:core|plugins|host-server|app|cli|tools|sdk|docs|e2e|benchmarks)\/[\w./-]+)`/g;

const text = await readFile(path.join(ROOT, 'docs/recipes.md'), 'utf8');

test('every file and folder that a recipe names exists', () => {
  const named = [...text.matchAll(PATH)].map(([, file]) => file ?? '');
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

test.each(WANTED)('there is a recipe for a %s', (subject) => {
  const titles = text.split('\n').filter((line) => line.startsWith('## '));
  expect(titles.some((title) => title.toLowerCase().includes(subject))).toBe(true);
});
