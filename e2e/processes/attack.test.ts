import { expect, test } from 'vitest';
import { runAttacks } from '../harness/attack.ts';
import { ATTACKS } from '../harness/attack-inputs.ts';
import { removeFolder, startServer } from '../harness/server.ts';

/** A part of `npm run soak -- attack`. How long /healthz takes beside other tests is the soak's to judge. */
test('inputs of attackers are refused or answered, and the server goes on', { timeout: 900_000 }, async () => {
  const server = await startServer();
  try {
    const attacks = ATTACKS.filter(({ isSmall }) => isSmall === true);
    expect(attacks.length).toBeGreaterThan(8);
    const results = await runAttacks(server, attacks);
    const faults = results.filter(({ fault }) => fault !== undefined && !fault.startsWith('/healthz'));
    expect(faults).toEqual([]);
    expect(server.errors()).toEqual([]);
  } finally {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
});
