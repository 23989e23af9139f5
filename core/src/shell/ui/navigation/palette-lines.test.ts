import { expect, test } from 'vitest';
import { fitOf, fitting, type PaletteGroup, rankGroups } from './palette-lines.ts';

const lines = (...labels: string[]) => labels.map((label) => ({ id: label, label, run: () => undefined }));
const titles = (groups: readonly PaletteGroup[], text: string) => rankGroups(groups, text).map(({ title }) => title);

test('a label fits the better, the more of its beginning was typed', () => {
  expect(fitOf('Accept the risk', 'accept the risk')).toBe(3);
  expect(fitOf('Accept the risk', 'acc')).toBe(2);
  expect(fitOf('Accept the risk', 'risk acc')).toBe(1);
  expect(fitOf('Accept the risk', 'cept')).toBe(0);
  expect(fitOf('Accept the risk', 'risk deny')).toBe(-1);
});

test('the lines that fit, the best first', () => {
  expect(
    fitting(lines('Go to Findings', 'Findings', 'Assign', 'Find fixes'), 'find').map(({ label }) => label),
  ).toEqual(['Findings', 'Find fixes', 'Go to Findings']);
});

test('what is known here and begins a word stays above what the server found; else the best line decides', () => {
  const acts = { title: 'Acts', lines: lines('Accept the risk'), isLocal: true };
  const found = { title: 'Findings', lines: lines('Access control is missing') };
  const components = { title: 'Components', lines: lines('accepts 1.3.8') };
  expect(titles([acts, found, components], 'acc')).toEqual(['Acts', 'Findings', 'Components']);
  expect(titles([found, components], 'accepts')).toEqual(['Components', 'Findings']);
  // in the middle of a word
  expect(titles([acts, found], 'cess')).toEqual(['Findings', 'Acts']);
});

test('groups without lines do not show, and without a text all keep their order', () => {
  expect(
    titles(
      [
        { title: 'Pages', lines: lines('Zebra') },
        { title: 'Empty', lines: [] },
      ],
      '',
    ),
  ).toEqual(['Pages']);
});
