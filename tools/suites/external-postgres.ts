import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { installPackages } from './debian.ts';
import { run } from './run.ts';

const UNPRIVILEGED = 65534;
const INSTALLED = '/usr/lib/postgresql';

export interface ExternalPostgres {
  version: string;
  /** Connection string of its superuser, for TEST_DATABASE_URL. */
  url: string;
  stop(): Promise<void>;
}

/** Debian's newest installed PostgreSQL, or undefined where there is none. */
const newestVersion = async (): Promise<string | undefined> => {
  const versions = await readdir(INSTALLED).catch(() => []);
  return versions.sort((a, b) => Number(b) - Number(a))[0];
};

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve));

/** Starts a fresh server of the machine's own PostgreSQL: another build and another version than the embedded one. */
export const startExternalPostgres = async (): Promise<ExternalPostgres> => {
  const fault = (await newestVersion()) === undefined ? await installPackages(['postgresql']) : undefined;
  const version = await newestVersion();
  if (version === undefined)
    throw new Error(`No PostgreSQL server below ${INSTALLED}: ${fault ?? 'none was installed'}`);
  const bin = path.join(INSTALLED, version, 'bin');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-external-'));
  await chmod(folder, 0o700);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, UNPRIVILEGED, UNPRIVILEGED);
  const identity = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const data = path.join(folder, 'data');
  const init = spawn(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'breakwater', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
    {
      ...identity,
      cwd: '/',
      stdio: 'ignore',
    },
  );
  if ((await ended(init)) !== 0) throw new Error('initdb of the external PostgreSQL failed');
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'max_connections=100'];
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...identity,
    cwd: '/',
    stdio: 'ignore',
  });
  for (
    let attempt = 0;
    (await run(path.join(bin, 'pg_isready'), ['-h', folder], { isQuiet: true })).code !== 0;
    attempt += 1
  ) {
    if (attempt > 100 || server.exitCode !== null) throw new Error('the external PostgreSQL does not answer');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    version,
    url: `postgresql://breakwater@/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      const isGone = ended(server);
      if (server.exitCode === null && server.kill('SIGINT')) await isGone;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
