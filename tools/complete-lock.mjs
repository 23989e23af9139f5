// `npm install` leaves optional packages of other platforms out of the lock where the registry in use lacks them, and then
// every `npm ci` fails ("Missing … from lock file"). This puts them back as optional entries. Run it after each change of
// dependencies (`npm run lock`). An added entry has no integrity hash: it is never fetched on the platform it is not for.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LOCK = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];
const ALIASES = { windows: 'win32' };

const wordsOf = (name) => name.split(/[/_.-]/).map((word) => ALIASES[word] ?? word);

/** Where npm would look for `name` from the package at `from`: the nearest node_modules folder that has it. */
const isLocked = (packages, from, name) => {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (!folder.includes('node_modules/')) return packages[`node_modules/${name}`] !== undefined;
  }
};

/** Optional dependencies that the lock's packages name and the lock does not have: `[{ name, version, parent }]`. */
export const missingOptional = (lock) =>
  Object.entries(lock.packages).flatMap(([from, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(lock.packages, from, name))
      .map(([name, version]) => ({ name, version, parent })),
  );

const entryFor = ({ name, version, parent }) => {
  const words = wordsOf(name);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  return {
    version: version.replace(/^[^0-9]*/, ''),
    ...(parent.dev ? { dev: true } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
  const missing = missingOptional(lock);
  for (const one of missing) lock.packages[`node_modules/${one.name}`] = entryFor(one);
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${missing.length} optional entries put back into the lock\n`);
}
