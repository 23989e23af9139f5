import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { CommandError } from '../commands/command-error.ts';

/** What a module of a connector may import when it runs: the SDK, and of Node what computes alone. */
const ALLOWED = new Set([
  '@breakwater/sdk',
  ...[
    'assert',
    'buffer',
    'crypto',
    'events',
    'path',
    'path/posix',
    'stream',
    'string_decoder',
    'timers',
    'timers/promises',
  ].map((name) => `node:${name}`),
  ...['url', 'util', 'zlib'].map((name) => `node:${name}`),
]);
const ENTRY = 'breakwater-entry';
/** Of the plugin's own packages: the SDK does not depend on it. */
const BUNDLER = 'rolldown';

/** Files behind the entry points, by what they export. */
export type BundleEntries = Readonly<Record<'plugin' | 'parsers' | 'server', string | undefined>>;

const Chunk = Type.Object({
  type: Type.Literal('chunk'),
  code: Type.String(),
  imports: Type.Array(Type.String()),
  dynamicImports: Type.Array(Type.String()),
});
const Output = Type.Object({ output: Type.Array(Type.Unknown(), { minItems: 1 }) });

/**
 * One ES module with everything that a plugin exports, made by the plugin's own Rolldown. The same sources give the same text wherever they
 * lie. @throws CommandError where there is no Rolldown, the sources cannot be bundled, or something is imported that does not come along
 */
export async function bundle(folder: string, entries: BundleEntries): Promise<string> {
  const rolldown = await ownRolldown(folder);
  const source = Object.entries(entries)
    .flatMap(([name, file]) =>
      file === undefined ? [] : [`export { ${name} } from ${JSON.stringify(resolve(folder, file))};\n`],
    )
    .join('');
  const virtual = {
    name: 'breakwater-entry',
    resolveId: (id: string) => (id === ENTRY ? `\0${ENTRY}` : undefined),
    load: (id: string) => (id === `\0${ENTRY}` ? source : undefined),
  };
  const output = await generated(rolldown, {
    input: ENTRY,
    cwd: folder,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['node', 'import'] },
    external: (id: string) => id === '@breakwater/sdk' || id.startsWith('node:'),
    plugins: [virtual],
    logLevel: 'silent',
  });
  const [chunk] = output;
  if (output.length !== 1 || !Check(Chunk, chunk)) {
    throw new CommandError('The code is more than one module: it must not import files that are no code.');
  }
  const strangers = [...chunk.imports, ...chunk.dynamicImports].filter((name) => !ALLOWED.has(name));
  if (strangers.length > 0) {
    throw new CommandError(
      `The code imports ${[...new Set(strangers)].toSorted().join(', ')}, which a connector cannot have: install packages so that they are bundled, and reach services by ctx.http.`,
    );
  }
  return chunk.code;
}

async function ownRolldown(folder: string): Promise<(options: object) => unknown> {
  const require = createRequire(join(folder, 'package.json'));
  try {
    const module: unknown = await import(pathToFileURL(require.resolve(BUNDLER)).href);
    const found: unknown = Reflect.get(Object(module), BUNDLER);
    if (typeof found === 'function') return (options) => Reflect.apply(found, undefined, [options]);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
  }
  throw new CommandError('A connector with code is bundled by Rolldown: npm install --save-dev rolldown');
}

async function generated(rolldown: (options: object) => unknown, options: object): Promise<readonly unknown[]> {
  try {
    const build: unknown = await rolldown(options);
    const made: unknown = await call(build, 'generate', { format: 'es', codeSplitting: false, comments: false });
    await call(build, 'close');
    return Check(Output, made) ? made.output : [];
  } catch (error) {
    throw new CommandError(`The code cannot be bundled: ${error instanceof Error ? error.message : error}`);
  }
}

function call(target: unknown, name: string, ...args: readonly object[]): unknown {
  const method: unknown = Reflect.get(Object(target), name);
  if (typeof method !== 'function') throw new Error(`this version of Rolldown has no "${name}"`);
  return Reflect.apply(method, target, args);
}
