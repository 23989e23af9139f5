import { expect, test } from 'vitest';
import { proveScaffold } from './prove.ts';

test('a scaffolded connector of at most 40 lines is tested and shown as a working card', async () => {
  const { seconds, lines, files, verdict, card } = await proveScaffold();
  process.stdout.write(`scaffolded, tested and shown in ${seconds['all']?.toFixed(1)} s of machine time\n`);
  expect(lines).toBeLessThanOrEqual(40);
  expect(files.toSorted()).toEqual(['AGENTS.md', 'conformance.json', 'connector.ts', 'package.json']);
  expect(verdict).toContain('1 connectors: 1 silver');
  expect(card).toContain('Connected');
});
