import { expect, test } from 'vitest';
import { reachOf } from './changes.ts';

test.each([
  [['core/src/findings/server/list/list-findings.ts'], { product: true, plugins: false }],
  [['core/src/findings/server/list/list-findings.db.test.ts'], { product: false, plugins: false }],
  [['plugins/scanners/src/plugin.ts'], { product: true, plugins: true }],
  [['e2e/journeys/main.test.ts', 'docs/errors.md', 'core/README.md'], { product: false, plugins: false }],
  [['package-lock.json'], { product: true, plugins: true }],
])('the reach of %j', (files, reach) => {
  expect(reachOf(files)).toEqual(reach);
});
