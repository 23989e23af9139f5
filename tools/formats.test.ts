import path from 'node:path';
import { expect, test } from 'vitest';
import { isNode, type Node, readSource, readSources, type Source } from './languages/source.ts';

const ROOT = path.join(import.meta.dirname, '..');

/** The one place that writes figures and dates, and the form that shows what each choice looks like. */
const FORMATTING = new Set([
  'core/src/platform/ui/display/formats.ts',
  'core/src/session/ui/profile/locale-form.tsx',
  'core/src/platform/ui/language/translate.ts',
]);

/** What the language, the zone or the figures of the browser would decide, whatever the reader chose. */
const BY_HAND = new Set([
  'toLocaleString',
  'toLocaleDateString',
  'toLocaleTimeString',
  'toDateString',
  'toTimeString',
  'toUTCString',
  'toGMTString',
  'getHours',
  'getMinutes',
  'getDate',
  'getDay',
  'getMonth',
  'getFullYear',
  'getTimezoneOffset',
]);
const INTL = /^(?:DateTimeFormat|NumberFormat|RelativeTimeFormat|ListFormat|DurationFormat|DisplayNames)$/;

const nameOf = (node: unknown): string => (isNode(node) && typeof node['name'] === 'string' ? node['name'] : '');

const isByHand = (node: Node): boolean => {
  if (node.type !== 'MemberExpression') return false;
  const property = nameOf(node['property']);
  return BY_HAND.has(property) || (nameOf(node['object']) === 'Intl' && INTL.test(property));
};

const isShown = (file: string): boolean => file.endsWith('.tsx') || /\/ui\//.test(file) || file.startsWith('app/');

const formattedByHand = ({ file, places, lineOf }: Source): string[] =>
  isShown(file) && !FORMATTING.has(file)
    ? places.filter(({ node }) => isByHand(node)).map(({ node }) => `${file}:${lineOf(node)}`)
    : [];

test.each([
  ['new Date(at).toLocaleDateString()', 1],
  ['count.toLocaleString("de")', 1],
  ['new Intl.NumberFormat("en").format(count)', 1],
  ['Intl.DateTimeFormat().format(date)', 1],
  ['new Date(at).getHours()', 1],
  ['formatDate(at)', 0],
  ['new Date(at).getTime()', 0],
  ['new Intl.PluralRules("de")', 0],
])('a planted %s is found', (code, count) => {
  const found = formattedByHand(readSource('core/src/planted/ui/planted.tsx', `export const a = () => ${code};`));
  expect(found).toHaveLength(count);
});

test('figures and dates of screens are written by one module, in the time zone and number format of the reader', async () => {
  const sources = await readSources(ROOT);
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(formattedByHand)).toEqual([]);
});
