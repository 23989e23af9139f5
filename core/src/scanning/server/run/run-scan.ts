import path from 'node:path';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import {
  excludedTools,
  importProgress,
  importReportFile,
  type UploadDependencies,
} from '../../../ingest/server/index.ts';
import { notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import type { ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue, type JobRun } from '../../../platform/server/jobs/define-job.ts';
import { recordImports } from '../../../reachability/server/index.ts';
import { CLOUD_SCAN, type ToolRun } from '../../model/scan-requests.ts';
import { ScanError } from '../clone/clone-error.ts';
import { type CloneSources, takeRepository } from '../clone/clone-source.ts';
import type { CloneLimits } from '../clone/git-clone.ts';
import { createWorkFolder, listFiles, type WorkFolder } from '../processes/work-folder.ts';
import { readScanTargets, type ScanRepository } from '../requests/list-scan-requests.ts';
import {
  type ClaimedScan,
  claimScan,
  finishScanRequest,
  noteProgress,
  releaseScan,
  renewLease,
  SCAN_JOB,
  type ScanEnd,
  type ScanJobInput,
} from '../requests/scan-requests.ts';
import { type InstalledScanner, knownScanners, type ScannerDetection, scannersOfType } from './installed-scanners.ts';
import { runScanner } from './run-scanner.ts';

/** What scans are run with. */
export interface ScanningDeps {
  readonly database: DatabaseHandle;
  readonly catalogue: ConnectorCatalogue;
  readonly ingest: UploadDependencies;
  readonly detection: ScannerDetection;
  readonly sources: CloneSources;
  /** Work folders and data of scanners lie below it. */
  readonly dataDirectory: string;
  readonly searchPath: string;
  readonly limits: CloneLimits;
  readonly log: Logger;
}

/** What the job may ask for. */
export interface ScanJobDeps {
  readonly scanning: ScanningDeps;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
}

/** Interrupted so often it ends every process that takes it. */
const MAX_ATTEMPTS = 4;
const RENEW_MS = 3000;
const POLL_IMPORTS_MS = 500;

/** Keeps the claim while the scan runs; the signal ends when it is cancelled or lost. */
const keepClaim = ({ database }: ScanningDeps, claimed: ClaimedScan, job: AbortSignal) => {
  const lost = new AbortController();
  let renewing: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    // a database that is away for a moment does not end the scan; another run may then take it over
    const isOurs = await database.forClient(claimed.clientId, (db) => renewLease(db, claimed)).catch(() => true);
    if (!isOurs) lost.abort(new Error('the scan was cancelled or taken over'));
  };
  const timer = setInterval(() => (renewing = renewing.then(renew)), RENEW_MS);
  return {
    signal: AbortSignal.any([job, lost.signal]),
    isLost: () => lost.signal.aborted,
    stop: async () => {
      clearInterval(timer);
      await renewing;
    },
  };
};

interface RunningScan {
  readonly deps: ScanningDeps;
  readonly claimed: ClaimedScan;
  readonly repository: ScanRepository;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly tools: ToolRun[];
  readonly files: readonly string[];
}

const note = (
  { deps, claimed, tools }: Pick<RunningScan, 'deps' | 'claimed' | 'tools'>,
  status: 'running' | 'parsing' | 'merging',
  commit?: string | null,
) =>
  deps.database.forClient(claimed.clientId, (db) =>
    noteProgress(db, claimed, { status, tools, ...(commit === undefined ? {} : { commit }) }),
  );

/** Which scanners take part: those asked for that are installed and not excluded; the others are named with the reason. */
const chooseScanners = async (
  { database, catalogue, detection, ingest }: ScanningDeps,
  { clientId, scanType }: ClaimedScan,
): Promise<{ scanners: InstalledScanner[]; tools: ToolRun[] }> => {
  const asked = scannersOfType(knownScanners(catalogue), scanType, 'repository');
  const versions = await detection.versions(asked);
  const toolIds = asked.map(({ id }) => id);
  const excluded = await database.forClient(clientId, (db) => excludedTools(db, ingest.tools, { clientId, toolIds }));
  const scanners = asked.flatMap((one): InstalledScanner[] => {
    const version = versions.get(one.id);
    return version === undefined || excluded.has(one.id) ? [] : [{ ...one, version }];
  });
  const tools = asked.map(({ id, entry }): ToolRun => {
    const version = versions.get(id) ?? null;
    const status = excluded.has(id) ? 'excluded' : version === null ? 'missing' : 'queued';
    return { tool: id, title: entry.connector.title, version, status, detail: null, scan_id: null };
  });
  return { scanners, tools };
};

const noScanner = (tools: readonly ToolRun[]): ScanError => {
  const missing = tools.filter(({ status }) => status === 'missing').map(({ title }) => title);
  const excluded = tools.filter(({ status }) => status === 'excluded').map(({ title }) => title);
  const reasons = [
    ...(missing.length > 0 ? [`Not installed on this server: ${missing.join(', ')}.`] : []),
    ...(excluded.length > 0 ? [`Excluded by your organisation: ${excluded.join(', ')}.`] : []),
  ];
  const why = reasons.length > 0 ? reasons.join(' ') : 'No scanner belongs to what was asked for.';
  return new ScanError(
    'scanner_missing',
    `Nothing was scanned. ${why} The page of installed scanners says how to get them.`,
  );
};

const change = (tools: ToolRun[], id: string, update: Partial<ToolRun>): void => {
  const index = tools.findIndex(({ tool }) => tool === id);
  const known = tools[index];
  if (known !== undefined) tools[index] = { ...known, ...update };
};

/** One scanner, and its report into the imports. What fails stands with the scanner; the others go on. */
const scanWith = async (running: RunningScan, scanner: InstalledScanner): Promise<void> => {
  const { deps, claimed, repository, work, signal, tools, files } = running;
  const { searchPath, limits, ingest, dataDirectory } = deps;
  change(tools, scanner.id, { status: 'running' });
  await note(running, 'running');
  try {
    const disk = { bytes: limits.bytes * 2, files: limits.files * 2 };
    const cacheFolder = path.join(dataDirectory, 'scanner-data');
    const report = await runScanner(
      { ...{ work, files, searchPath, cacheFolder, disk, signal }, maxReportBytes: ingest.maxReportBytes },
      scanner,
    );
    if (report === null) {
      change(tools, scanner.id, { status: 'done', detail: 'There is nothing for it in the repository.' });
      return await note(running, 'running');
    }
    const branch = claimed.branch === repository.repository_branch ? null : claimed.branch;
    const scanId = await importReportFile(ingest, {
      ...{ clientId: claimed.clientId, repositoryId: repository.id, userId: claimed.userId, branch },
      ...{ toolId: scanner.id, path: report, fileName: `${scanner.id.replaceAll('/', '-')}${path.extname(report)}` },
    });
    change(tools, scanner.id, { status: 'importing', scan_id: scanId });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ScanError) && !(error instanceof AppError)) throw error;
    change(tools, scanner.id, { status: 'failed', detail: error.message });
  }
  await note(running, 'running');
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

/** Waits until the reports are imported, and notes what became of each. */
const awaitImports = async (running: RunningScan): Promise<void> => {
  const { deps, claimed, signal, tools } = running;
  let said = '';
  for (;;) {
    const scanIds = tools.flatMap((tool) =>
      tool.status === 'importing' && tool.scan_id !== null ? [tool.scan_id] : [],
    );
    if (scanIds.length === 0) return;
    const { clientId } = claimed;
    const imports = await deps.database.forClient(clientId, (db) => importProgress(db, { clientId, scanIds }));
    for (const { tool, scan_id } of tools.filter((one) => one.status === 'importing')) {
      const found = imports.find(({ id }) => id === scan_id);
      if (found === undefined) change(tools, tool, { status: 'failed', detail: 'Its import was removed.' });
      else if (['done', 'incomplete', 'outdated'].includes(found.status)) change(tools, tool, { status: 'done' });
      else if (['failed', 'cancelled'].includes(found.status)) {
        change(tools, tool, { status: 'failed', detail: found.detail ?? 'Its report was not imported.' });
      }
    }
    const status = imports.some((one) => one.status === 'merging') ? 'merging' : 'parsing';
    const now = JSON.stringify([status, tools]);
    if (now !== said) await note(running, status);
    said = now;
    await pause(POLL_IMPORTS_MS, signal);
    signal.throwIfAborted();
  }
};

/** What the code imports, as long as there is a clone; a scan does not fail for it. The other branches are judged by the default one. */
const noteImports = async (
  { scanning: { database, log }, jobs }: ScanJobDeps,
  { claimed: { clientId, requestId }, repository, work, signal }: RunningScan,
  commit: string | null,
): Promise<void> => {
  const request = { clientId, repositoryId: repository.id, commit: commit ?? '', folder: work.clone, signal };
  try {
    const outcome = await recordImports({ database, jobs }, request);
    if (outcome === 'gave_up') log.warn({ request: requestId }, 'reading the imports of a repository took too much');
  } catch (error) {
    signal.throwIfAborted();
    log.error({ err: error, request: requestId }, 'the imports of a repository could not be read');
  }
};

const endOf = (tools: readonly ToolRun[]): ScanEnd => {
  const failed = tools.filter(({ status }) => status === 'failed');
  const isDone = tools.some(({ status }) => status === 'done');
  const detail = failed.length === 0 ? null : failed.map((tool) => tool.detail ?? tool.title).join(' ');
  if (isDone) return { status: 'done', tools, code: null, detail };
  return { status: 'failed', tools, code: 'scanner_failed', detail };
};

/** The scan itself. @throws ScanError, and whatever ends the run */
const scanRepository = async (
  jobDeps: ScanJobDeps,
  claimed: ClaimedScan,
  { work, signal }: { work: WorkFolder; signal: AbortSignal },
): Promise<ScanEnd> => {
  const deps = jobDeps.scanning;
  const { clientId, repositoryId, scanType } = claimed;
  if (repositoryId === null) {
    const what = scanType === CLOUD_SCAN ? 'clouds' : 'repositories';
    throw new ScanError(
      'scanner_missing',
      `Nothing was scanned. No scanner of ${what} is installed on this server: install Prowler or CloudSploit, or upload their reports.`,
    );
  }
  const [repository] = await deps.database.forClient(clientId, (db) =>
    readScanTargets(db, { clientId, onlyOwnedBy: null, ids: [repositoryId] }),
  );
  if (repository === undefined) throw new ScanError('clone_failed', 'The repository was removed.');
  const { scanners, tools } = await chooseScanners(deps, claimed);
  if (scanners.length === 0) throw noScanner(tools);
  const { searchPath, limits } = deps;
  const task = { work, searchPath, limits, signal };
  const branch = claimed.branch ?? repository.repository_branch;
  await note({ deps, claimed, tools }, 'running');
  const { commit } = await takeRepository(deps.sources, { clientId, repository, branch }, task);
  const running: RunningScan = { deps, claimed, repository, work, signal, tools, files: await listFiles(work.clone) };
  await note(running, 'running', commit);
  if (branch === repository.repository_branch) await noteImports(jobDeps, running, commit);
  for (const scanner of scanners) await scanWith(running, scanner);
  await awaitImports(running);
  return endOf(tools);
};

const finish = async (deps: ScanningDeps, claimed: ClaimedScan, end: ScanEnd): Promise<void> => {
  const { clientId, repositoryId, userId } = claimed;
  await deps.database.forClient(clientId, async (db) => {
    const isEnded = await finishScanRequest(db, claimed, end);
    if (!isEnded || end.status !== 'failed') return;
    const to = userId === null ? ({ permission: 'findings.triage' } as const) : { userIds: [userId] };
    const link = repositoryId === null ? '/connector' : `/Repositories/${repositoryId}`;
    const title = `Scan failed: ${claimed.scanType}`;
    await notify(db, { clientId, type: 'scan_failed', title, message: end.detail ?? '', link, to });
  });
};

const failureOf = (error: unknown): ScanEnd | null => {
  if (!(error instanceof ScanError)) return null;
  return { status: 'failed', tools: [], code: error.code, detail: error.message };
};

const INTERRUPTED: ScanEnd = {
  status: 'failed',
  tools: [],
  code: 'interrupted',
  detail: `The scan was interrupted ${MAX_ATTEMPTS} times, because the server stopped. It is not tried again by itself.`,
};

/** Works on a claimed scan until it has ended, is cancelled, or this process stops. */
const workOn = async (jobDeps: ScanJobDeps, claimed: ClaimedScan, job: AbortSignal): Promise<void> => {
  const deps = jobDeps.scanning;
  const claim = keepClaim(deps, claimed, job);
  let work: WorkFolder | undefined;
  try {
    work = await createWorkFolder(deps.dataDirectory, claimed.requestId);
    const end = await scanRepository(jobDeps, claimed, { work, signal: claim.signal });
    await finish(deps, claimed, end);
  } catch (error) {
    if (claim.isLost()) return;
    if (job.aborted) {
      await deps.database.forClient(claimed.clientId, (db) => releaseScan(db, claimed));
      throw error;
    }
    const failure = failureOf(error);
    if (failure === null) deps.log.error({ err: error, request: claimed.requestId }, 'a scan failed');
    const internal = {
      status: 'failed',
      tools: [],
      code: 'internal',
      detail: 'An unexpected error ended the scan.',
    } as const;
    await finish(deps, claimed, failure ?? internal);
  } finally {
    await claim.stop();
    await work?.remove();
  }
};

/** Runs one scan that was asked for. */
export const scanJob = defineJob({
  ...SCAN_JOB,
  input: Type.Object({ clientId: Type.String(), requestId: Type.String() }),
  run: async (deps: ScanJobDeps, { data, signal }: JobRun<ScanJobInput>) => {
    const { scanning } = deps;
    const claimed = await scanning.database.forClient(data.clientId, (db) => claimScan(db, data));
    if (claimed === undefined) return;
    if (claimed.attempts > MAX_ATTEMPTS) await finish(scanning, claimed, INTERRUPTED);
    else await workOn(deps, claimed, signal);
  },
});
