import { run } from '../suites/run.ts';

/** The hostile plugins of `npm test`, with nothing beside them: each has to be contained within 10 seconds. */
const file = 'host-server/src/plugins/hostile.test.ts';
const { code } = await run('bin:vitest', ['run', '--project', 'node', '--maxWorkers=1', file], {
  environment: { ...process.env, BREAKWATER_ALONE: '1' },
});
process.exitCode = code;
