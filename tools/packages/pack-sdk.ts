import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run } from '../suites/run.ts';
import { fieldsAt, npm, readJson, writeJson } from './npm.ts';

const SDK = path.join(ROOT, 'sdk');
/** Ignored by Git. */
const TARGET = path.join(SDK, 'dist');
const BINARIES = { 'breakwater-connector': 'bin/breakwater-connector.ts' };
const CREATOR = 'create';

export interface Packed {
  /** Tarball of @breakwater/sdk. */
  readonly sdk: string;
  /** Tarball of create-breakwater-connector, for `npm create`. */
  readonly creator: string;
}

const asJavaScript = (file: string): string => `./${path.posix.join('lib', file.replace(/\.ts$/, '.js'))}`;

/** Compiles everything that is shipped: no tests, no templates. */
const compile = async (folder: string): Promise<void> => {
  const configuration = path.join(folder, 'tsconfig.json');
  await writeJson(configuration, {
    extends: path.join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: SDK,
      outDir: path.join(folder, 'lib'),
      types: ['node'],
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    },
    include: [path.join(SDK, 'src/**/*.ts'), path.join(SDK, 'bin/**/*.ts')],
    exclude: ['test.ts', 'test-d.ts'].map((ending) => path.join(SDK, `**/*.${ending}`)),
  });
  const { code, output } = await run('bin:tsc', ['-p', configuration, '--pretty', 'false'], { isQuiet: true });
  await rm(configuration);
  if (code !== 0) throw new Error(`the SDK does not compile:\n${output}`);
};

/** package.json as it is published: JavaScript and types instead of sources. */
const publishedManifest = async (): Promise<Record<string, unknown>> => {
  const { private: _, devDependencies: __, exports, ...rest } = await readJson(path.join(SDK, 'package.json'));
  const entries = Object.entries(fieldsAt({ exports }, 'exports')).map(([entry, source]) => {
    const script = asJavaScript(String(source));
    return [entry, { types: script.replace(/\.js$/, '.d.ts'), default: script }];
  });
  return {
    ...rest,
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    bin: Object.fromEntries(Object.entries(BINARIES).map(([name, file]) => [name, asJavaScript(file)])),
    engines: { node: '>=22.19.0' },
    files: ['lib', 'README.md'],
  };
};

const pack = async (folder: string, target: string): Promise<string> => {
  const { code, output } = await npm(folder, ['pack', '--silent', '--pack-destination', target]);
  const file = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !file.endsWith('.tgz')) throw new Error(`npm pack failed in ${folder}:\n${output}`);
  return file;
};

const packSdkPackage = async (folder: string, target: string): Promise<string> => {
  await mkdir(folder);
  await compile(folder);
  await writeJson(path.join(folder, 'package.json'), await publishedManifest());
  await cp(path.join(SDK, 'README.md'), path.join(folder, 'README.md'));
  return pack(folder, target);
};

const packCreator = async (folder: string, target: string): Promise<string> => {
  await cp(path.join(SDK, CREATOR), folder, { recursive: true });
  for (const name of await readdir(folder)) if (name.endsWith('.test.ts')) await rm(path.join(folder, name));
  return pack(folder, target);
};

/** Builds both packages as they would be published, into a folder (default `sdk/dist`). Two runs at once do not disturb each other. */
export const packSdk = async (target = TARGET): Promise<Packed> => {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'breakwater-pack-'));
  try {
    await writeFile(path.join(scratch, 'package.json'), '{}');
    const [sdk, creator] = await Promise.all([
      packSdkPackage(path.join(scratch, 'sdk'), scratch),
      packCreator(path.join(scratch, 'creator'), scratch),
    ]);
    await mkdir(target, { recursive: true });
    const place = async (file: string): Promise<string> => {
      const unfinished = path.join(target, `${process.pid}-${file}`);
      await cp(path.join(scratch, file), unfinished);
      await rename(unfinished, path.join(target, file));
      return path.join(target, file);
    };
    return { sdk: await place(sdk), creator: await place(creator) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};
