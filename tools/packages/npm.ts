import { spawn } from 'node:child_process';

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
