import { expect, test } from 'vitest';
import { proveScaffold } from './prove.ts';
import { proveNoCode } from './prove-no-code.ts';

test('a scaffolded connector of at most 40 lines is tested and shown as a working card', async () => {
  const { seconds, lines, files, verdict, card } = await proveScaffold();
  process.stdout.write(`scaffolded, tested and shown in ${seconds['all']?.toFixed(1)} s of machine time\n`);
  expect(lines).toBeLessThanOrEqual(40);
  expect(files.toSorted()).toEqual(['AGENTS.md', 'conformance.json', 'connector.ts', 'package.json']);
  expect(verdict).toContain('1 connectors: 1 silver');
  expect(card).toContain('Connected');
});

test('a connector without code of at most 70 lines is recorded, tested, built, published and brings a finding to another organisation', async () => {
  const { seconds, lines, files, verdict, findings } = await proveNoCode();
  const steps = Object.entries(seconds).map(([step, value]) => `${step} ${value.toFixed(1)} s`);
  process.stdout.write(`without code: ${steps.join(', ')} of machine time\n`);
  expect(lines).toBeLessThanOrEqual(70);
  expect(files.toSorted()).toEqual(['conformance.json', 'connector.json']);
  expect(verdict).toContain('1 connectors: 1 silver');
  expect(findings).toEqual(['SQL is built from input']);
});
