import path from 'node:path';
import { packSdk } from '../packages/pack-sdk.ts';
import { ROOT } from '../suites/run.ts';

/** Builds the SDK and the scaffolder as they would be published: `npm run pack:sdk`. */
const packed = await packSdk();
for (const file of Object.values(packed)) process.stdout.write(`${path.relative(ROOT, file)}\n`);
