import { expect, test } from 'vitest';
import { codeLines } from './code-viewer.tsx';
import { aroundMarked } from './fold-code.ts';

const code = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
const shown = (count: number, markFrom: number | null, markTo: number | null = markFrom) => {
  const lines = aroundMarked(codeLines(code(count), { firstLine: 1, markFrom, markTo }));
  return [lines[0]?.number, lines.at(-1)?.number];
};

test('ten lines before and after what is marked are shown', () => {
  expect(shown(80, 40)).toEqual([30, 50]);
  expect(shown(80, 40, 45)).toEqual([30, 55]);
  expect(shown(80, 3)).toEqual([1, 13]);
});

test('all is shown where nothing is marked, and where hardly anything would be folded', () => {
  expect(shown(80, null)).toEqual([1, 80]);
  expect(shown(23, 11)).toEqual([1, 23]);
});
