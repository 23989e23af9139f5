import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generatePages, loadRoutes } from '../docs/generate.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const DOCS = path.join(ROOT, 'docs');

await rm(path.join(DOCS, 'api'), { recursive: true, force: true });
await mkdir(path.join(DOCS, 'api'), { recursive: true });
for (const [file, text] of generatePages(await loadRoutes(ROOT))) await writeFile(path.join(DOCS, file), text);
