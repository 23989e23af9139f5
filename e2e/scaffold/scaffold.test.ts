import { expect, test } from 'vitest';
import { proveScaffold } from './prove.ts';
import { proveNoCode } from './prove-no-code.ts';

const steps = (seconds: Readonly<Record<string, number>>): string =>
  Object.entries(seconds)
    .map(([step, value]) => `${step} ${value.toFixed(1)} s`)
    .join(', ');

test('a scaffolded connector of at most 40 lines is tested, built, installed, enabled and brings a finding to another organisation', async () => {
  const { seconds, lines, files, verdict, card, findings } = await proveScaffold();
  process.stdout.write(`with code: ${steps(seconds)} of machine time\n`);
  expect(lines).toBeLessThanOrEqual(40);
  expect(files.toSorted()).toEqual(['AGENTS.md', 'conformance.json', 'connector.ts', 'package.json']);
  expect(verdict).toContain('1 connectors: 1 silver');
  expect(card).toContain('Connected');
  expect(findings).toEqual(['SQL is built from input']);
});

test('a connector without code of at most 70 lines is recorded, tested, built, published and brings a finding to another organisation', async () => {
  const { seconds, lines, files, verdict, findings } = await proveNoCode();
  process.stdout.write(`without code: ${steps(seconds)} of machine time\n`);
  expect(lines).toBeLessThanOrEqual(70);
  expect(files.toSorted()).toEqual(['conformance.json', 'connector.json']);
  expect(verdict).toContain('1 connectors: 1 silver');
  expect(findings).toEqual(['SQL is built from input']);
});
