import { setTimeout as pause } from 'node:timers/promises';
import { checkRollups } from '@breakwater/core/findings/server/index.ts';
import { createDatabase } from '@breakwater/core/platform/server/database.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import { addRepository } from './api.ts';
import { type Load, startLoad } from './failover-load.ts';
import { lostDecisions, lostUploads, wrongImport } from './failover-proof.ts';
import type { FailoverScene } from './failover-scene.ts';
import { generatedReport } from './reports.ts';
import type { RunningServer } from './server.ts';
import { untilHeard } from './several-processes.ts';

/** What one kill of the primary did. Times are seconds since the kill. */
export interface RoundResult {
  round: number;
  killed: string;
  /** Milliseconds from the begin of the import to the kill. */
  killedAfterMs: number;
  /** How far the import was. */
  importWas: string;
  firstRead: number;
  /** Every process has said that it is ready. */
  ready: number;
  /** When each check of `/readyz` failed last, in any process. */
  unready: Record<string, number>;
  imported: number;
  /** Starts of the import. */
  attempts: number;
  /** An event that one web process sends is heard at the other. */
  heard: number;
  /** The killed node replicates again, since its start. */
  rejoined: number;
  decisions: number;
  uploads: number;
  answers: Record<string, number>;
  /** Acknowledged and not there, or there twice. */
  lost: string[];
  /** Answers that are neither success nor 503, rows of others, processes that ended. */
  faults: string[];
}

const RESULTS = 4000;
/** Within what an import of this size takes where nothing else runs. */
const LATEST_KILL_MS = 1500;
const WRITERS = 4;
const FINDINGS_OF_A_WRITER = 25;
/** Nobody decides about those of an earlier round, so that each decision changes something. */
export const FINDINGS_OF_A_ROUND = WRITERS * FINDINGS_OF_A_WRITER;
/** So long readers and writers are at work before the upload. */
const WARM_UP_MS = 2000;
const PATIENCE_MS = 240_000;

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE_MS; !(await isSo().catch(() => false)); await pause(100))
    if (Date.now() > deadline) throw new Error(`${what}: not after ${PATIENCE_MS / 1000} s`);
};

const rounded = (ms: number): number => Math.round(ms / 10) / 100;

/** @param failed is told of each check that fails. */
const untilReady = ({ url }: RunningServer, failed: (check: string) => void): Promise<void> =>
  until('a process is ready', async () => {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
    const { checks } = await response.json();
    for (const [check, result] of Object.entries(checks)) if (result !== 'ok') failed(check);
    return response.status === 200;
  });

const scanOf = async ({ cluster }: FailoverScene, id: string): Promise<{ status: string; attempts: number }> => {
  const [row] = await cluster.query(`select status, attempts from scans where id = '${id}'`);
  return { status: String(row?.['status'] ?? 'gone'), attempts: Number(row?.['attempts'] ?? 0) };
};

const startLoadOf = (scene: FailoverScene, round: number, repositoryId: string): Load => {
  const first = (round - 1) * FINDINGS_OF_A_ROUND;
  const idsOf = (writer: number): string[] => {
    const from = first + writer * FINDINGS_OF_A_WRITER;
    return scene.findingIds.slice(from, from + FINDINGS_OF_A_WRITER);
  };
  return startLoad({
    readers: scene.readers,
    writers: Array.from({ length: WRITERS }, (_, writer) => ({
      api: writer % 2 === 0 ? scene.admin : scene.elsewhere,
      findingIds: idsOf(writer),
    })),
    uploader: { api: scene.elsewhere, repositoryId },
    name: `round ${round}`,
  });
};

const differencesOf = async ({ cluster }: FailoverScene): Promise<string[]> => {
  const database = createDatabase(createAppPool(cluster.url('breakwater'), 2));
  try {
    const clients = await cluster.query('select id::text from clients');
    const found = await Promise.all(clients.map(({ id }) => checkRollups(database, String(id))));
    return found.flat().map((difference) => `a count differs: ${JSON.stringify(difference)}`);
  } finally {
    await database.close();
  }
};

/** What went wrong in a process, by its log. */
const BUG = /^(?:uncaughtException|unhandledRejection|an internal error|report refused)$/;

const messageOf = (line: string): string => {
  const { msg = '', err = {}, cause = '' } = line.startsWith('{') ? JSON.parse(line) : {};
  return BUG.test(msg) ? `${msg}: ${err.code ?? ''} ${err.message ?? cause}` : '';
};

/** Processes that ended, and bugs that they met, each once. */
const processFaults = (servers: readonly RunningServer[], seen: Map<RunningServer, number>): string[] => {
  const faults = servers.flatMap((server) => {
    const ended = server.process.exitCode ?? server.process.signalCode;
    const bugs = server.lines.slice(seen.get(server)).map(messageOf);
    return ended === null ? bugs : [...bugs, `a process ended: ${ended}`];
  });
  return [...new Set(faults)].filter((text) => text !== '');
};

/** One round: everybody works, a report is imported, the primary is killed at a random moment, and all must come right by itself. */
export const failoverRound = async (scene: FailoverScene, round: number): Promise<RoundResult> => {
  const { cluster, admin, ours, servers, findingIds, second } = scene;
  const seen = new Map(servers.map((server) => [server, server.lines.length]));
  const [repositoryId, uploads] = [
    await addRepository(admin, `round-${round}`),
    await addRepository(admin, `uploads-${round}`),
  ];
  ours.add(repositoryId).add(uploads);
  const load = startLoadOf(scene, round, uploads);
  await pause(WARM_UP_MS);
  const { status, body } = await admin.upload(repositoryId, 'report.json', generatedReport(RESULTS, 10 + round), 0);
  if (status !== 202) throw new Error(`the upload: ${status} ${JSON.stringify(body)}`);
  const scanId: string = body.data.scan_id;
  await until('the import begins', async () => (await scanOf(scene, scanId)).status !== 'queued');
  const killedAfterMs = Math.round(Math.random() * LATEST_KILL_MS);
  await pause(killedAfterMs);
  const { status: importWas } = await scanOf(scene, scanId);
  const killed = await cluster.killPrimary();
  const killedAt = performance.now();
  load.primaryWasKilled();
  const since = (): number => rounded(performance.now() - killedAt);
  const timed = async (work: Promise<unknown>): Promise<number> => work.then(since);

  const unready: Record<string, number> = {};
  const failed = (check: string): void => {
    unready[check] = since();
  };
  const readyAfter = timed(Promise.all(servers.map((server) => untilReady(server, failed))));
  const rejoinedAfter = readyAfter.then(async (from) => {
    await cluster.restart(killed);
    return rounded((since() - from) * 1000);
  });
  const heardAfter = readyAfter.then(() => timed(untilHeard(second, admin, findingIds.at(-1) ?? '')));
  const importedAfter = timed(until('the import is done', async () => (await scanOf(scene, scanId)).status === 'done'));
  const readAfter = timed(until('a list is read', async () => load.firstReadSeconds() !== undefined));
  const [ready, imported, heard, rejoined] = await Promise.all([
    readyAfter,
    importedAfter,
    heardAfter,
    rejoinedAfter,
    readAfter,
  ]);
  await load.stop();
  await until('all uploads are imported', async () => (await lostUploads(cluster, load.scans)).length === 0).catch(
    () => undefined,
  );
  const lost = [
    ...(await lostDecisions(cluster, load.decisions)),
    ...(await lostUploads(cluster, load.scans)),
    ...(await wrongImport(cluster, { repositoryId, scanId, results: RESULTS })),
    ...(await differencesOf(scene)),
  ];
  const { attempts } = await scanOf(scene, scanId);
  const firstRead = rounded((load.firstReadSeconds() ?? 0) * 1000);
  return {
    ...{ round, killed, killedAfterMs, importWas, firstRead, ready, unready, imported, attempts, heard, rejoined },
    decisions: load.decisions.filter(({ isAcknowledged }) => isAcknowledged).length,
    uploads: load.scans.length,
    answers: load.answers,
    lost,
    faults: [
      ...Object.entries(load.faults).map(([what, times]) => `${times} times ${what}`),
      ...processFaults(servers, seen),
    ],
  };
};
