import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '../..');

export interface RunOptions {
  environment?: NodeJS.ProcessEnv;
  /** Keep what it prints for the caller instead of showing it. */
  isQuiet?: boolean;
}

export interface RunResult {
  /** Exit code; 1 when it could not be started or a signal ended it. */
  code: number;
  /** What it printed, when quiet. */
  output: string;
}

/** Runs a program in the repository's root. Programs of installed packages are named `bin:<name>`. */
export const run = (program: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> => {
  const file = program.startsWith('bin:') ? path.join(ROOT, 'node_modules/.bin', program.slice(4)) : program;
  const environment = {
    ...(options.environment ?? process.env),
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`,
  };
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', options.isQuiet ? 'pipe' : 'inherit', options.isQuiet ? 'pipe' : 'inherit'],
      shell: process.platform === 'win32',
    });
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(output).toString('utf8') }));
  });
};
