import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../suites/run.ts';

/** Measurements, each a script in benchmarks/ with a readable table and one JSON object as its last line: `npm run bench -- import`. */
const FOLDER = path.join(import.meta.dirname, '../../benchmarks');
const MEASUREMENTS = ['bulk', 'export', 'import', 'list', 'parse', 'sbom', 'verdicts', 'workers'];
/** Those that drive the whole product stand with its journeys. */
const ELSEWHERE: Record<string, string> = {
  scaffold: path.join(FOLDER, '../e2e/scaffold/prove.ts'),
  'no-code': path.join(FOLDER, '../e2e/scaffold/prove-no-code.ts'),
};

const [name, ...rest] = process.argv.slice(2);
const files = new Set(await readdir(FOLDER));
const known = [...MEASUREMENTS.filter((measurement) => files.has(`${measurement}.ts`)), ...Object.keys(ELSEWHERE)];
if (name === undefined || !known.includes(name)) {
  process.stderr.write(`Say which measurement: npm run bench -- <${known.join(' | ')}>\n`);
  process.exit(2);
}
const { code } = await run(process.execPath, [ELSEWHERE[name] ?? path.join(FOLDER, `${name}.ts`), ...rest]);
process.exitCode = code ?? 1;
