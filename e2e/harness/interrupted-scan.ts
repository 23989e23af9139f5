import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commitTo, file, type GitServer, startGitServer } from '@breakwater/core/testing/git-server.ts';
import { ADMIN, type ApiClient, setUp, signIn } from './api.ts';
import { emptyFolder, removeFolder, startServer } from './server.ts';

/** When the server is killed: while git waits for the files, while the scanner runs, while its report is imported, or so many ms after the request. */
export type Moment = 'clone' | 'scanner' | 'import' | number;

/** What a round leaves behind once the next server has dealt with it. */
export interface InterruptedScan {
  /** Of the request for the scan, with the reason where it failed. */
  readonly status: string;
  readonly detail: string | null;
  readonly findings: number;
  /** Programs of scans that still run. */
  readonly orphans: string[];
  /** Folders of scans that are still there. */
  readonly leftover: string[];
}

/** Bandit's B101 for each of these lines. */
export const ASSERTIONS = 1500;
const CODE = 'assert True\n'.repeat(ASSERTIONS);
const PATIENCE_MS = 300_000;

const until = async <T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** A Bandit that, called for the first time, starts what leaves its group and waits; else it is the real one. */
const writeWaitingBandit = async (folder: string): Promise<void> => {
  await mkdir(path.join(folder, 'bin'));
  const script = `#!/bin/sh
PATH='${process.env.PATH}'
if [ "$1" != --version ] && mkdir '${folder}/first' 2>/dev/null; then
  setsid sleep 900 &
  touch '${folder}/running'
  exec sleep 901
fi
exec bandit "$@"
`;
  await writeFile(path.join(folder, 'bin', 'bandit'), script, { mode: 0o755 });
};

const readText = (read: () => string): string => {
  try {
    return read();
  } catch {
    return ''; // it ended meanwhile
  }
};

/** Programs that work below a folder: by where they are, or by the home folder that a scan gives them. */
const programsOf = (folder: string): string[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const place = readText(() => readlinkSync(`/proc/${pid}/cwd`));
    const environment = readText(() => readFileSync(`/proc/${pid}/environ`, 'latin1'));
    if (!place.startsWith(folder) && !environment.includes(folder)) return [];
    return [`${pid} ${readText(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')).replaceAll('\0', ' ')}`];
  });

const scanState = async (api: ApiClient, id: string) =>
  (await api.get(`/scan_requests/${id}`)).body.data.attributes as { status: string; detail: string | null };

const isOver = ({ status }: { status: string }): boolean => ['done', 'failed', 'cancelled'].includes(status);

interface Round {
  readonly moment: Moment;
  readonly folder: string;
  readonly api: ApiClient;
  readonly request: string;
  /** Ends when git asks for the files; they are not sent. */
  readonly asked: Promise<void>;
}

const awaitMoment = async ({ moment, folder, api, request, asked }: Round): Promise<void> => {
  if (typeof moment === 'number') return new Promise((resolve) => setTimeout(resolve, moment));
  if (moment === 'clone') return asked;
  if (moment === 'scanner') {
    await until('the scanner runs', () => (existsSync(path.join(folder, 'running')) ? true : undefined));
    return;
  }
  await until('the report is imported', async () => {
    const scan = await scanState(api, request);
    return ['parsing', 'merging'].includes(scan.status) || isOver(scan) ? true : undefined;
  });
};

/** A git server that, at the moment of the clone, holds the first request for files. */
const startHoldingGit = async (moment: Moment): Promise<{ git: GitServer; asked: Promise<void> }> => {
  const held = Promise.withResolvers<void>();
  let isHolding = moment === 'clone';
  const git = await startGitServer({
    intercept: ({ method }) => {
      if (method !== 'POST' || !isHolding) return false;
      isHolding = false;
      held.resolve();
      return true;
    },
  });
  return { git, asked: held.promise };
};

const requestScan = async (api: ApiClient, git: GitServer): Promise<{ request: string; repository: string }> => {
  commitTo(git.create('code.git'), [file('src/app.py', CODE)]);
  const added = await api.call('POST', '/create_repository_with_list', {
    source_control: 'git',
    data: [{ nickname: 'killed', url: `${git.url}/code.git` }],
  });
  const repository = added.body.data[0]._id;
  const asked = await api.call('POST', '/request_repo_scan', { scan_type: 'bandit', repositories: [repository] });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  return { request: asked.body.data.scan_requests[0], repository };
};

/** Kills the whole server with `kill -9` at a moment of a scan, starts it again on the same data, and says what is left. */
export const killedScan = async (moment: Moment): Promise<InterruptedScan> => {
  const dataDirectory = await emptyFolder();
  const folder = await emptyFolder();
  const { git, asked } = await startHoldingGit(moment);
  if (moment === 'scanner') await writeWaitingBandit(folder);
  const PATH = `${path.join(folder, 'bin')}:${process.env.PATH}`;
  const options = { dataDirectory, environment: { GIT_BASE_URL: git.url, PATH } };
  let server = await startServer(options);
  try {
    const { request, repository } = await requestScan(await setUp(server), git);
    const api = await signIn(server, ADMIN.username, ADMIN.password);
    await awaitMoment({ moment, folder, api, request, asked });
    await server.kill();

    server = await startServer(options);
    const later = await signIn(server, ADMIN.username, ADMIN.password);
    const { status, detail } = await until('the scan is over', async () => {
      const scan = await scanState(later, request);
      return isOver(scan) ? scan : undefined;
    });
    const scans = path.join(dataDirectory, 'scans');
    // what a dead process left is removed by the poller of the next one, every 15 s
    await until('nothing is left', () =>
      readdirSync(scans).length + programsOf(scans).length === 0 ? true : undefined,
    ).catch(() => undefined);
    const { body } = await later.get(`/findings?filters[repository]=${repository}`);
    return {
      ...{ status, detail, findings: body.meta.pagination.total },
      ...{ orphans: programsOf(scans), leftover: readdirSync(scans) },
    };
  } finally {
    await server.stop();
    await git.close();
    await removeFolder(dataDirectory);
    await removeFolder(folder);
  }
};
