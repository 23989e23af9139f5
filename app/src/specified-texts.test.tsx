import { cleanup, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openBrokenPage, SITUATIONS } from './testing/specified-situations.tsx';

/**
 * Texts of the error catalogue that no page of the application can show, with the test that meets them: an application that is not mounted
 * has no page, and a refresh of a token happens between two servers.
 */
const ELSEWHERE: Record<string, { texts: readonly string[]; file: string }> = {
  'Mount failure': { texts: ['Error while mounting app'], file: 'e2e/journeys/guards.test.ts' },
  'Token exchange failure': {
    texts: ['Failed to refresh token due to processing data. Please try again later!'],
    file: 'core/src/connectors/server/consent/consent.db.test.ts',
  },
};

const FILES = import.meta.glob<string>(
  [
    '../../tools/__fixtures__/specification/error-catalogue.md',
    '../../e2e/journeys/guards.test.ts',
    '../../core/src/connectors/server/consent/consent.db.test.ts',
  ],
  { query: '?raw', import: 'default' },
);
const readText = async (file: string): Promise<string> => (await FILES[`../../${file}`]?.()) ?? '';

/** Quoted texts of a result, as they begin: what stands in braces or after a colon differs from case to case. */
const quotedIn = (result: string): string[] =>
  [...result.matchAll(/"([^"]+)"|(?<=^|[\s(])'([^']+)'/g)].map(([, double, single]) =>
    (double ?? single ?? '').replace(/\{.*$/, '').trimEnd(),
  );

let catalogue: { situation: string; texts: string[] }[];
beforeAll(async () => {
  const text = await readText('tools/__fixtures__/specification/error-catalogue.md');
  catalogue = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, situation = '']) => situation !== '' && situation !== 'Situation' && !/^-+$/.test(situation))
    .map(([, situation = '', result = '']) => ({ situation, texts: quotedIn(result) }));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('every situation of the error catalogue has its way, and each quoted text is looked for', () => {
  expect(catalogue).toHaveLength(23);
  expect(catalogue.flatMap(({ texts }) => texts)).toHaveLength(30);
  const shown = (situation: string): string[] => [
    ...(SITUATIONS[situation] ?? []).flatMap(({ shows }) => shows),
    ...(ELSEWHERE[situation]?.texts ?? []),
  ];
  const unmet = catalogue.flatMap(({ situation, texts }) => {
    const own = shown(situation);
    if (own.length === 0) return [situation];
    return texts.filter((text) => !own.some((one) => one.startsWith(text)));
  });
  expect(unmet).toEqual([]);
});

const WAYS = Object.entries(SITUATIONS).flatMap(([situation, ways]) =>
  ways.map(({ shows, reach }) => ({ name: `${situation}: ${shows[0]}`, shows, reach })),
);

test.each(WAYS)('$name', async ({ shows, reach }) => {
  // what a page throws is logged; that is not the subject here
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const app = await reach();
  await waitFor(() => {
    const shown = `${document.body.textContent} ${app.address()}`;
    expect(shows.filter((text) => !shown.includes(text))).toEqual([]);
  });
});

test('search and preview bots are shown no error page; it is logged', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (compatible; Googlebot/2.1)');
  openBrokenPage();
  await waitFor(() => expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'a fault of ours' })));
  expect(document.body.textContent).not.toContain('Error Status');
});

test.each(Object.entries(ELSEWHERE))('%s: met by another test', async (_, { texts, file }) => {
  const text = await readText(file);
  expect(texts.filter((one) => !text.includes(one))).toEqual([]);
});
