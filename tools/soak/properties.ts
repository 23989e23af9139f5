import { run } from '../suites/run.ts';

/** Every property test with many times the runs of `npm test`. Argument: how many times. */
const factor = process.argv[2] ?? '20';

const { output } = await run('git', ['grep', '-l', "from 'fast-check'", '--', '*.test.ts'], { isQuiet: true });
const files = output.split('\n').filter((file) => file !== '');
const { code } = await run(
  'bin:vitest',
  ['run', '--project', 'node', '--project', 'database', '--testTimeout=3600000', ...files],
  { environment: { ...process.env, BREAKWATER_PROPERTY_FACTOR: factor } },
);
process.exitCode = code;
