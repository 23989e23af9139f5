import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';

export interface NpmResult {
  code: number;
  output: string;
}

/** What an outer npm leaves in the environment would misdirect an inner one. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(.*prefix|workspaces?.*|argv)|package_.*|lifecycle_.*)$/i.test(name),
    ),
  );

/** Runs npm in a folder: the one that runs us, else the first on PATH. */
export const npm = (folder: string, args: readonly string[]): Promise<NpmResult> => {
  const outer = process.env['npm_execpath'];
  const isScript = outer !== undefined && /\.c?js$/.test(outer);
  const [file, before] = isScript ? [process.execPath, [outer]] : ['npm', []];
  return new Promise((resolve) => {
    const child = spawn(file, [...before, ...args], {
      cwd: folder,
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: !isScript && process.platform === 'win32',
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(output).toString('utf8') }));
  });
};

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a key; empty where there is none. */
export const fieldsAt = (fields: Fields, key: string): Fields => {
  const value = fields[key];
  return isFields(value) ? value : {};
};

export const readJson = async (file: string): Promise<Fields> => {
  const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isFields(parsed)) throw new Error(`${file} holds no JSON object`);
  return parsed;
};

export const writeJson = (file: string, content: unknown): Promise<void> =>
  writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
