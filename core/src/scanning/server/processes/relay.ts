import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';

/**
 * Runs as a process of its own, inside a network namespace: brings its loopback device up, passes connections to a port there on to a Unix
 * socket of the host, and runs a program as if it were not there: same input and output, same end. Needs nothing but Node.
 *
 * Arguments: port, path of the socket, the command that brings the device up (a JSON array), and the program with its arguments.
 */
const [port = '', socketPath = '', loopback = '', file = '', ...args] = process.argv.slice(2);

/** Of shells: the program could not be started. */
const CANNOT = 126;

const giveUp = (why: string): never => {
  process.stderr.write(`${why}\n`);
  process.exit(CANNOT);
};

/** The path of a socket has 107 bytes at most (unix(7)); that of its open folder is short. */
const shortPath = (long: string): string => `/proc/self/fd/${openSync(path.dirname(long), 'r')}/${path.basename(long)}`;

const [ip = '', ...up] = JSON.parse(loopback);
const raised = spawnSync(ip, up, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
if (raised.status !== 0) giveUp(`The loopback device does not come up: ${raised.stderr ?? raised.error?.message}`);

const way = shortPath(socketPath);
const server = createServer({ allowHalfOpen: true }, (inward) => {
  const outward = connect({ path: way, allowHalfOpen: true });
  const end = (): void => {
    inward.destroy();
    outward.destroy();
  };
  for (const socket of [inward, outward]) socket.on('error', end).on('close', end);
  inward.pipe(outward);
  outward.pipe(inward);
});
server.on('error', (error) => giveUp(`The way out cannot be opened: ${error.message}`));
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(file, args, { stdio: 'inherit' });
  child.on('error', (error) => giveUp(error.message));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? CANNOT);
    process.kill(process.pid, signal);
  });
});
