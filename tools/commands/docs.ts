import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generatePages, loadRoutes } from '../docs/generate.ts';
import { licenseTexts, readThirdParties, thirdPartyPage } from '../docs/third-party.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DOCS = path.join(ROOT, 'docs');

const parties = await readThirdParties(ROOT);
if (process.argv.includes('--license-texts')) process.stdout.write(await licenseTexts(ROOT, parties));
else {
  await rm(path.join(DOCS, 'api'), { recursive: true, force: true });
  await mkdir(path.join(DOCS, 'api'), { recursive: true });
  for (const [file, text] of generatePages(await loadRoutes(ROOT))) await writeFile(path.join(DOCS, file), text);
  await writeFile(path.join(ROOT, 'THIRD-PARTY.md'), thirdPartyPage(parties));
}
