import { type ChildProcess, spawn } from 'node:child_process';
import { access, chmod, chown, constants, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ROOT, run } from './run.ts';

/** Where Debian's packages go on a machine where we may not install any. */
const PRIVATE = path.join(ROOT, '.runtime/debian');
const PRIVATE_BROWSER = path.join(PRIVATE, 'chromium');
/** Chromium without windows needs a fifth less processor time than Chromium that hides its own; not every system has its package. */
const SHELL = 'chromium-headless-shell';
const BROWSERS = [SHELL, 'chromium', 'chromium-browser', 'google-chrome'];
const FONTS = 'fonts-liberation';

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Full path of the first of these programs on PATH. */
export const findProgram = async (...names: string[]): Promise<string | undefined> => {
  for (const name of names) {
    for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
      const file = path.join(folder, name);
      if (folder !== '' && (await isExecutable(file))) return file;
    }
  }
  return undefined;
};

const findBrowser = async (): Promise<string | undefined> => {
  const named = process.env['BREAKWATER_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const installed = await findProgram(...BROWSERS);
  if (installed !== undefined) return installed;
  return (await isExecutable(PRIVATE_BROWSER)) ? PRIVATE_BROWSER : undefined;
};

/** Words before apt-get that make it allowed to install, or undefined where nothing does. */
const asRoot = async (): Promise<string[] | undefined> => {
  if (process.getuid?.() === 0) return [];
  const sudo = await findProgram('sudo');
  if (sudo === undefined) return undefined;
  return (await run(sudo, ['-n', 'true'], { isQuiet: true })).code === 0 ? [sudo, '-n'] : undefined;
};

const install = async (prefix: readonly string[], packages: readonly string[]): Promise<string | undefined> => {
  const [program, ...before] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  if (program === undefined) return 'no program';
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  const first = await run(program, [...before, ...install], { isQuiet: true });
  if (first.code === 0) return undefined;
  // The list of packages may be missing or old.
  await run(program, [...before, 'update'], { isQuiet: true });
  const second = await run(program, [...before, ...install], { isQuiet: true });
  return second.code === 0 ? undefined : second.output.trim().split('\n').slice(-3).join(' ');
};

/** Installs Debian packages where that is allowed. @returns why not, or undefined when they are there. */
export const installPackages = async (packages: readonly string[]): Promise<string | undefined> => {
  if ((await findProgram('apt-get')) === undefined) return 'apt-get is not there';
  const prefix = await asRoot();
  return prefix === undefined ? 'only root may install packages' : install(prefix, packages);
};

/** A start script, because the program must find its libraries and fonts beside itself. */
const startScript = (root: string, program: string): string =>
  [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH="${root}/usr/lib/x86_64-linux-gnu:${root}/usr/lib/aarch64-linux-gnu:${root}/usr/lib/chromium:$LD_LIBRARY_PATH"`,
    `export FONTCONFIG_PATH="${root}/etc/fonts" FONTCONFIG_SYSROOT="${root}"`,
    `exec "${root}/usr/lib/chromium/${program}" "$@"`,
    '',
  ].join('\n');

/**
 * Unpacks Debian's Chromium, the package of that name, and what it needs into .runtime/, for a user who may not install anything. Apt resolves and
 * verifies as always, with folders of its own; the C library of the machine stays the one that is used.
 */
const unpackBrowser = async (program: string): Promise<string | undefined> => {
  const root = path.join(PRIVATE, 'root');
  const archives = path.join(PRIVATE, 'archives');
  await rm(PRIVATE, { recursive: true, force: true });
  for (const folder of [root, path.join(archives, 'partial'), path.join(PRIVATE, 'lists/partial')])
    await mkdir(folder, { recursive: true });
  const settings = [
    'Debug::NoLocking=1',
    `Dir::State::lists=${PRIVATE}/lists`,
    `Dir::Cache=${PRIVATE}`,
    `Dir::Cache::archives=${archives}`,
  ];
  const options = settings.flatMap((setting) => ['-o', setting]);
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', '--download-only', program, FONTS]]) {
    const { code, output } = await run('apt-get', [...options, ...args], { isQuiet: true });
    if (code !== 0) return output.trim().split('\n').slice(-3).join(' ');
  }
  const files = (await readdir(archives)).filter((file) => file.endsWith('.deb') && !/^libc6_|^libc-bin_/.test(file));
  for (const file of files) {
    const { code, output } = await run('dpkg-deb', ['-x', path.join(archives, file), root], { isQuiet: true });
    if (code !== 0) return output.trim();
  }
  await rm(archives, { recursive: true, force: true });
  await writeFile(PRIVATE_BROWSER, startScript(root, program));
  await chmod(PRIVATE_BROWSER, 0o755);
  return undefined;
};

export interface Machine {
  /** The browser that the browser tests drive. */
  browser: string | undefined;
  /** What could not be had, and why. */
  complaints: string[];
}

/** Tries one after the other. @returns why none of them could be had, or undefined where one is there */
const obtainBrowser = async (prefix: readonly string[] | undefined): Promise<string | undefined> => {
  const issues: string[] = [];
  for (const program of [SHELL, 'chromium']) {
    process.stdout.write(`${prefix === undefined ? 'Unpacking' : 'Installing'} ${program} …\n`);
    const issue = await (prefix === undefined ? unpackBrowser(program) : install(prefix, [program, FONTS]));
    if (issue === undefined) return undefined;
    issues.push(`${program}: ${issue}`);
    if ((await findBrowser()) !== undefined) return undefined;
  }
  return issues.join('; ');
};

/** Gets packages and a browser by the way that this user may go. @returns what could not be had, and why. */
const obtain = async (missing: readonly string[], needsBrowser: boolean): Promise<string[]> => {
  if (missing.length === 0 && !needsBrowser) return [];
  const list = missing.join(', ');
  if ((await findProgram('apt-get')) === undefined) return [`${list || 'chromium'}: apt-get is not there`];
  const prefix = await asRoot();
  const issue = needsBrowser ? await obtainBrowser(prefix) : undefined;
  const complaints = issue === undefined ? [] : [issue];
  if (missing.length === 0) return complaints;
  if (prefix === undefined)
    return [...complaints, `${list}: only root may install packages; no test needs them so far`];
  process.stdout.write(`Installing ${list} …\n`);
  const failed = await install(prefix, missing);
  return failed === undefined ? complaints : [...complaints, `${list}: ${failed}`];
};

/** Whether a browser is to be installed: where there is none, and where root can have the faster one. */
const needsBrowser = async (): Promise<boolean> => {
  const found = await findBrowser();
  if (found === undefined) return true;
  const isNamed = (process.env['BREAKWATER_CHROMIUM'] ?? '') !== '';
  return !isNamed && path.basename(found) !== SHELL && (await asRoot()) !== undefined;
};

/** Installs what the tests need and the machine lacks: Chromium, Bandit, ClamAV and PgBouncer, as Debian packages. */
export const prepareMachine = async (): Promise<Machine> => {
  const missing = [
    ...((await findProgram('bandit')) === undefined ? ['bandit'] : []),
    ...((await findProgram('clamscan')) === undefined ? ['clamav'] : []),
    ...((await findProgram('pgbouncer')) === undefined ? ['pgbouncer'] : []),
  ];
  const complaints = await obtain(missing, await needsBrowser());
  return { browser: await findBrowser(), complaints };
};

const UNPRIVILEGED = 65534;
const INSTALLED = '/usr/lib/postgresql';

export interface ExternalPostgres {
  version: string;
  /** Connection string of its superuser, for TEST_DATABASE_URL. */
  url: string;
  stop(): Promise<void>;
}

/** Version of Debian's newest installed PostgreSQL, or undefined where there is none. */
export const newestPostgres = async (): Promise<string | undefined> => {
  const versions = await readdir(INSTALLED).catch(() => []);
  return versions.sort((a, b) => Number(b) - Number(a))[0];
};

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve));

/** Starts a fresh server of the machine's own PostgreSQL: another build and another version than the embedded one. */
export const startExternalPostgres = async (): Promise<ExternalPostgres> => {
  const issue = (await newestPostgres()) === undefined ? await installPackages(['postgresql']) : undefined;
  const version = await newestPostgres();
  if (version === undefined)
    throw new Error(`No PostgreSQL server below ${INSTALLED}: ${issue ?? 'none was installed'}`);
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
