import { expect, test } from 'vitest';
import { cleanRun, killedRun } from '../harness/interrupted-import.ts';

/** From before the job began to after it may be over. `npm run soak -- kill` takes fifty moments. */
const MOMENTS_MS = [0, 700];

test('kill -9 during an import, then a start: the result equals one clean run', { timeout: 900_000 }, async () => {
  // Most of the time goes by until the next process may take up the dead one's work, so the rounds wait together.
  const [expected, ...results] = await Promise.all([cleanRun(), ...MOMENTS_MS.map(killedRun)]);
  for (const [round, result] of results.entries())
    expect(result, `killed after ${MOMENTS_MS[round]} ms`).toEqual(expected);
});
