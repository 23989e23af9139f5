import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { ConfigError, readConfig } from './config.ts';
import { SERVICE } from './container.ts';
import { startDemo } from './demo.ts';
import { createLogger } from './logger.ts';
import { type RunningServer, type ServerRole, startServer } from './server.ts';

/** Whoever stops this server waits 30 s at most. */
const STOP_DEADLINE_MS = 29_000;

/**
 * By itself V8 collects all garbage of a server that is little used whenever 10 MB were added, and each time it answers nobody for 10 to 30 ms. So all that is in
 * use may double first. Source: decision 2026-11-29-when-garbage-is-collected.
 */
const HEAP_GROWTH_PERCENT = 100;
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const fail = (text: string, code: number): never => {
  process.stderr.write(`${text}\n`);
  process.exit(code);
};

const readRole = (text: string | undefined): ServerRole => {
  if (text === undefined) return 'all';
  if (text === 'web' || text === 'worker') return text;
  return fail(`--role is web or worker, not "${text}".`, 2);
};

const readOptions = () => {
  try {
    const { values } = parseArgs({ options: { role: { type: 'string' }, demo: { type: 'boolean', default: false } } });
    return { role: readRole(values.role), isDemo: values.demo };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), 2);
  }
};

const readEnvironment = () => {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message, 2);
    throw error;
  }
};

const { role, isDemo } = readOptions();
const config = readEnvironment();
if (role !== 'all' && config.databaseUrl === undefined) {
  fail('--role needs DATABASE_URL: the embedded database serves one process only.', 2);
}
// a person at a terminal reads what is wrong; a collector reads everything
const log = createLogger(config.logLevel ?? (process.stderr.isTTY ? 'warn' : 'info'));

let server: RunningServer | undefined;
let stopReason: string | undefined;

/** Asked to stop while still starting, the server comes up first: what is half started cannot be taken back cleanly. */
const stop = async (reason: string, code: number): Promise<void> => {
  const isRepeated = stopReason !== undefined;
  stopReason ??= reason;
  if (server === undefined || isRepeated) return;
  log.info({ reason }, 'stopping');
  setTimeout(() => fail('Stopping took too long.', 1), STOP_DEADLINE_MS).unref();
  await server.stop();
  process.exit(code);
};

process.on('SIGTERM', () => void stop('SIGTERM', 0));
process.on('SIGINT', () => void stop('SIGINT', 0));
// what nobody caught leaves the process in an unknown state: it ends in order, and whoever runs it starts it again
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error: unknown) => {
    log.fatal({ err: error }, event);
    void stop(event, 1);
  });
}

try {
  const running = await startServer({ config, role, log });
  server = running;
  if (stopReason !== undefined) {
    stopReason = undefined;
    await stop('asked while starting', 0);
  }
  void running.lost.then(() => stop('the embedded database ended', 1));
  if (isDemo) {
    const { signIn } = await startDemo(running.container.get(SERVICE.ingest), role === 'all');
    if (signIn !== undefined) say(`Sample organisation: sign in as ${signIn.username} with ${signIn.password}`);
  }
  say(
    role === 'worker' ? `Breakwater works on jobs: ${running.url}/readyz` : `Breakwater is running at ${running.url}`,
  );
  const setupCode = role === 'worker' ? undefined : await running.readSetupCode();
  const passwordLink = role === 'worker' ? undefined : await running.readFirstPasswordLink();
  if (passwordLink !== undefined) say(`The superadmin sets a password here, once, within 72 hours: ${passwordLink}`);
  if (setupCode !== undefined) say(`To set it up from another machine enter this code: ${setupCode}`);
} catch (error) {
  log.debug({ err: error }, 'start failed');
  fail(error instanceof Error ? error.message : String(error), 1);
}
