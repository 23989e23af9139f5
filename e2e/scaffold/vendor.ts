import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';

export const KEY = 'acme-key-1';

/** The vendor's service, as far as scaffolded connectors ask it. */
export const startVendor = async (): Promise<{ url: string; server: Server }> => {
  const answers: Record<string, unknown> = {
    '/v1/user': { login: 'ada' },
    '/v1/issues': [{ rule: 'sqli', title: 'SQL is built from input', severity: 'high', file: 'src/a.ts', line: 3 }],
  };
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${KEY}`;
    const answer = answers[request.url ?? ''];
    response.writeHead(isKnown ? (answer === undefined ? 404 : 200) : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? (answer ?? {}) : { message: 'Bad key.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
};

const run = promisify(execFile);

/** Runs a script as its author would. The vendor's service goes on meanwhile. @throws with what it said where it fails */
export const node = async (
  cwd: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<string> => {
  const { stdout } = await run(process.execPath, args, { cwd, env: { ...process.env, ...environment } });
  return stdout;
};

/** What `npm pack` makes of a folder. */
export const npmPack = async (folder: string, target: string): Promise<Buffer> => {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder });
  return readFile(path.join(target, stdout.trim().split('\n').at(-1) ?? ''));
};

/** A stop-watch of named steps. Seconds. */
export const createTimer = () => {
  const seconds: Record<string, number> = {};
  const timed = async <T>(step: string, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    seconds[step] = (performance.now() - start) / 1000;
    return result;
  };
  return { seconds, timed };
};
