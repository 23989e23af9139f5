import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { KitCheck, KitIssue } from '../check.ts';

const STRICT = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
  '--erasableSyntaxOnly',
  '--verbatimModuleSyntax',
  '--allowImportingTsExtensions',
  '--skipLibCheck',
  '--resolveJsonModule',
  ...['--module', 'nodenext', '--target', 'es2024', '--pretty', 'false'],
];
/** What Node and the browser have in common, `URL` or `TextDecoder`, for a plugin without the types of Node. */
const WITHOUT_NODE = ['--lib', 'es2024,dom,dom.iterable'];
const WITH_NODE = ['--lib', 'es2024', '--types', 'node'];
const SHOWN = 20;

/** Type-checks the entry points of a plugin and all they import, with the plugin's own TypeScript. */
export async function checkTypes(folder: string, entries: readonly string[]): Promise<KitCheck> {
  const files = entries.filter((file) => /\.m?ts$/.test(file));
  const require = createRequire(join(folder, 'package.json'));
  const compiler = resolved(require, 'typescript/package.json');
  const row = { tier: 'bronze', name: 'types' } as const;
  if (files.length === 0) return { ...row, tried: 0, issues: [], notes: ['types were not checked: no TypeScript'] };
  if (compiler === undefined) {
    const note = 'types were not checked: add typescript to devDependencies, and install';
    return { ...row, tried: 0, issues: [], notes: [note] };
  }
  const types = resolved(require, '@types/node/package.json') === undefined ? WITHOUT_NODE : WITH_NODE;
  const script = join(dirname(compiler), 'bin/tsc');
  const { code, output } = await run(folder, [script, ...STRICT, ...types, ...files]);
  const lines = output.split('\n').filter((line) => /error TS\d+/.test(line));
  const messages = lines.length > 0 || code === 0 ? lines : [output.trim()];
  return { ...row, tried: files.length, issues: messages.slice(0, SHOWN).map(issueOf) };
}

function resolved(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

/** `src/a.ts(3,5): error TS2322: Type …` */
function issueOf(line: string): KitIssue {
  const [, where = 'tsc', what = line] = /^(.*?): error (TS.*)$/.exec(line) ?? [];
  return { what, where, fix: 'Correct the type; do not cast.' };
}

function run(folder: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }));
  });
}
