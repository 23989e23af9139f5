import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../suites/run.ts';
import { isAccepted, licenseTexts, readThirdParties, thirdPartyPage } from './third-party.ts';

test('THIRD-PARTY.md names every package of the lock that is installed with the product: npm run docs', async () => {
  const parties = await readThirdParties(ROOT);
  expect(await readFile(path.join(ROOT, 'THIRD-PARTY.md'), 'utf8')).toBe(thirdPartyPage(parties));
  const names = new Set(parties.map(({ name }) => name));
  for (const name of ['express', 'react', 'pg-boss', '@blueprintjs/core']) expect(names).toContain(name);
  // tools of development are not passed on
  for (const name of ['vitest', 'typescript', '@biomejs/biome']) expect(names).not.toContain(name);
});

test('every licence may be passed on as it is', async () => {
  const refused = (await readThirdParties(ROOT)).filter(({ license }) => !isAccepted(license));
  expect(refused).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['Apache-2.0 AND MIT', true],
  ['Apache-2.0 AND GPL-3.0', false],
  ['GPL-3.0-only', false],
  ['AGPL-3.0', false],
  ['UNLICENSED', false],
])('%s is accepted: %s', (license, accepted) => {
  expect(isAccepted(license)).toBe(accepted);
});

test('the texts of installed packages are printed, each once', async () => {
  const parties = (await readThirdParties(ROOT)).filter(({ name }) => ['express', 'react', 'react-dom'].includes(name));
  const texts = await licenseTexts(ROOT, parties);
  expect(texts).toMatch(/express \d/);
  expect(texts).toMatch(/react \S+, react-dom \S+\n|react-dom \S+, react \S+\n/);
  expect(texts.match(/Permission is hereby granted/g)).toHaveLength(2);
});
