import { run } from '../suites/run.ts';

/** Every sample report of the importers is imported twice; `npm test` takes two for each tool and outcome. */
const file = 'core/src/ingest/server/upload/samples.db.test.ts';
const { code } = await run('bin:vitest', ['run', '--project', 'database', file], {
  environment: { ...process.env, BREAKWATER_ALL_SAMPLES: '1' },
});
process.exitCode = code;
