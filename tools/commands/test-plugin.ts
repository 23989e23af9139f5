import path from 'node:path';
import { packSdk } from '../packages/pack-sdk.ts';
import { pluginIds, testAlone } from '../packages/sandbox.ts';
import { ROOT } from '../suites/run.ts';

/** One plugin alone, with the packed SDK: `npm test -w plugins/<id>`. */
const [id, ...options] = process.argv.slice(2);
const known = await pluginIds();
if (id === undefined || !known.includes(id)) {
  process.stderr.write(`Say which plugin: ${known.join(', ')}\n`);
  process.exit(2);
}
const { sdk } = await packSdk();
const { code, output } = await testAlone(path.join(ROOT, 'plugins', id), sdk, ['--tier', 'gold', ...options]);
process.stdout.write(output);
process.exitCode = code;
