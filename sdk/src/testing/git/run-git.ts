import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** One time for all commits, so that the same history has the same hashes whenever it is made. */
export const MADE_AT = '2026-01-09T02:02:12Z';

/**
 * Starts git with nothing of the machine's own configuration. By `env`, which adds to the environment that it is started in: git must be
 * found where the machine keeps it.
 */
export function spawnGit(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const dates = { GIT_AUTHOR_DATE: MADE_AT, GIT_COMMITTER_DATE: MADE_AT };
  const settings = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...dates,
    ...variables,
  };
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const child = spawn('env', [...pairs, 'git', ...args]);
  // A program that ends before it has read everything is no fault of ours; its exit code says what it thought of it.
  child.stdin.on('error', () => undefined);
  return child;
}

interface GitRun {
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Output of git and how it ended; `said` is what it wrote beside it. */
export interface GitOutput {
  readonly code: number | null;
  readonly output: Buffer;
  readonly said: string;
}

/** Runs git to its end, whatever that is. */
export async function tryGit({ args, input, variables }: GitRun): Promise<GitOutput> {
  const child = spawnGit(args, variables);
  const [output, said]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (piece: Buffer) => output.push(piece));
  child.stderr.on('data', (piece: Buffer) => said.push(piece));
  const ended = Promise.withResolvers<number | null>();
  child.on('error', ended.reject);
  child.on('close', ended.resolve);
  child.stdin.end(input);
  const code = await ended.promise;
  return { code, output: Buffer.concat(output), said: Buffer.concat(said).toString('utf8') };
}

/** Output of git. @throws with git's own words, where it fails */
export async function git(run: GitRun): Promise<Buffer> {
  const { code, output, said } = await tryGit(run);
  if (code === 0) return output;
  throw new Error(`git ${run.args.join(' ')} ended with ${code}: ${said.trim()}`);
}
