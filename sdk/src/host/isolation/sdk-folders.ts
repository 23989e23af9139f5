import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages that the main entry of the SDK imports. */
const NEEDED = ['typebox', 'xstate'];

/** The nearest folder above a file that holds package.json. */
const packageOf = (file: string, name: string): string => {
  const end = file.lastIndexOf(join('node_modules', name) + sep);
  return end === -1 ? dirname(file) : file.slice(0, end + join('node_modules', name).length);
};

/** What a process has to read to import `@breakwater/sdk` of the host: this package, and what its main entry needs. */
export function sdkFolders(): string[] {
  const own = fileURLToPath(new URL('../../..', import.meta.url));
  const needed = NEEDED.map((name) => packageOf(realpathSync(fileURLToPath(import.meta.resolve(name))), name));
  return [own, ...needed].map((one) => (one.endsWith(sep) ? one : one + sep));
}
