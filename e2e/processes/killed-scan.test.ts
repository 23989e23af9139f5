import { expect, test } from 'vitest';
import { ASSERTIONS, killedScan, type Moment } from '../harness/interrupted-scan.ts';

/** `npm run soak -- killscan` takes many more. */
const MOMENTS: readonly Moment[] = ['clone', 'scanner', 'import'];

test('kill -9 during a scan, then a start: it is done, no program runs on, and no clone is left', {
  timeout: 900_000,
}, async () => {
  // most of the time goes by until the lease of the dead process has ended, so the rounds wait together
  const results = await Promise.all(MOMENTS.map(killedScan));
  for (const [round, result] of results.entries())
    expect(result, `killed during ${MOMENTS[round]}`).toEqual({
      ...{ status: 'done', detail: null, findings: ASSERTIONS },
      ...{ orphans: [], leftover: [] },
    });
});
