import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { buildAppWhenStale } from '../app-build.ts';
import { type Outcome, run, summary, totals } from '../suites/run.ts';

/** Long runs, each a script of its own in tools/soak: `npm run soak` runs all, `npm run soak -- kill` one. */
const FOLDER = path.join(import.meta.dirname, '../soak');

const scripts = (await readdir(FOLDER))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .sort();
const [wanted, ...rest] = process.argv.slice(2);
const chosen = wanted === undefined ? scripts : scripts.filter((name) => name === wanted);
if (chosen.length === 0) {
  process.stderr.write(`There is no soak run "${wanted}". There are: ${scripts.join(', ')}.\n`);
  process.exit(2);
}

// runs in a browser look at what is built, and that shall be this code
await buildAppWhenStale((text) => process.stdout.write(`${text}\n`));
const outcomes: Outcome[] = [];
for (const name of chosen) {
  process.stdout.write(`\n── ${name}\n`);
  const start = Date.now();
  const { code } = await run(process.execPath, [path.join(FOLDER, `${name}.ts`), ...rest]);
  outcomes.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds: (Date.now() - start) / 1000 });
}
process.stdout.write(`\n${summary(outcomes)}\n`);
process.exitCode = totals(outcomes).failed > 0 ? 1 : 0;
