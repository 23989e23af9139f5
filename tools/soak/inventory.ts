import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run } from '../suites/run.ts';

/**
 * The scan of a real clone with the real `cyclonedx-npm`, which npm fetches for it alone: no dependency of ours, since its optional ones build native
 * code when they are installed. See docs/decisions/2026-11-23-inventories-by-cyclonedx-npm.md.
 */
const TOOL = '@cyclonedx/cyclonedx-npm@6.0.1';
const TEST = 'core/src/scanning/server/real-clone.db.test.ts';

const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-inventory-'));
const quiet = ['--no-audit', '--no-fund', '--no-package-lock'];
const fetched = await run('npm', [
  'install',
  '--prefix',
  folder,
  '--omit=optional',
  '--ignore-scripts',
  ...quiet,
  TOOL,
]);
const program = path.join(folder, 'node_modules/.bin/cyclonedx-npm');
const { code } =
  fetched.code === 0
    ? await run('bin:vitest', ['run', '--project', 'database', TEST], {
        environment: { ...process.env, BREAKWATER_CYCLONEDX_NPM: program },
      })
    : fetched;
await rm(folder, { recursive: true, force: true });
process.exitCode = code;
