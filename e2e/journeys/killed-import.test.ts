import { expect, test } from 'vitest';
import { cleanRun, killedRun } from '../harness/killed-import.ts';

/** From before the job began to after it may be over. `npm run soak -- kill` takes fifty moments. */
const MOMENTS_MS = [0, 200, 500, 1000];

test('kill -9 during an import, then a start: the result equals one clean run', { timeout: 300_000 }, async () => {
  const expected = await cleanRun();
  for (const momentMs of MOMENTS_MS) expect(await killedRun(momentMs), `killed after ${momentMs} ms`).toEqual(expected);
});
