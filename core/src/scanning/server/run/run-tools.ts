import path from 'node:path';
import type { CloudLogin, ScanTarget } from '@breakwater/sdk';
import type { Logger } from 'pino';
import { type Connections, environmentName } from '../../../connectors/server/index.ts';
import {
  excludedTools,
  importProgress,
  importReportFile,
  requestCommitStatus,
  type UploadDependencies,
} from '../../../ingest/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import type { ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import type { PlanLimits } from '../../../platform/server/limits.ts';
import type { PostureDeps } from '../../../source-control/server/index.ts';
import type { ToolRun } from '../../model/scan-requests.ts';
import { ScanError } from '../clone/clone-error.ts';
import type { CloneSources } from '../clone/clone-source.ts';
import type { CloneLimits } from '../clone/git-clone.ts';
import type { WorkFolder } from '../processes/work-folder.ts';
import { type ClaimedScan, noteProgress, type ScanEnd } from '../requests/scan-requests.ts';
import { type InstalledScanner, knownScanners, type ScannerDetection, scannersOfType } from './installed-scanners.ts';
import { runScanner } from './run-scanner.ts';

/** What scans are run with. */
export interface ScanningDeps {
  readonly database: DatabaseHandle;
  readonly catalogue: ConnectorCatalogue;
  readonly ingest: UploadDependencies;
  readonly posture: PostureDeps;
  readonly detection: ScannerDetection;
  readonly sources: CloneSources;
  /** Origin of this server as people write it; undefined: it has none. */
  readonly publicOrigin: string | undefined;
  /** Of clouds, and of providers that are told of commits. */
  readonly connections: Pick<Connections, 'use' | 'item' | 'capability'>;
  /** Work folders and data of scanners lie below it. */
  readonly dataDirectory: string;
  readonly searchPath: string;
  readonly limits: CloneLimits;
  /** What the plan allows: the account of a cloud becomes an application. */
  readonly planLimits: PlanLimits;
  readonly log: Logger;
}

/** What the job may ask for. */
export interface ScanJobDeps {
  readonly scanning: ScanningDeps;
  readonly jobs: Pick<JobQueue, 'enqueue'>;
}

const POLL_IMPORTS_MS = 500;

/** A scan that this process works on. */
export interface RunningScan {
  readonly deps: ScanningDeps;
  readonly claimed: ClaimedScan;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly tools: ToolRun[];
}

/** What scanners look at, and what their findings belong to. */
export interface ScanPlace {
  readonly target: ScanTarget;
  readonly repositoryId: string;
  /** Null for the default branch. */
  readonly branch: string | null;
  /** Hash of what was cloned. */
  readonly commit?: string | null;
  readonly login?: CloudLogin;
}

/** The provider is told of what is scanned, by a job of its own. */
export const askForStatus = async (
  { ingest: { jobs } }: ScanningDeps,
  db: Db,
  { clientId, repositoryId }: ClaimedScan,
): Promise<void> => {
  if (repositoryId !== null) await requestCommitStatus(db, jobs, { clientId, repositoryId });
};

/** Notes how far the scan is. */
export const note = (
  { deps, claimed, tools }: Pick<RunningScan, 'deps' | 'claimed' | 'tools'>,
  status: 'running' | 'parsing' | 'merging',
  commit?: string | null,
): Promise<void> =>
  deps.database.forClient(claimed.clientId, async (db) => {
    await noteProgress(db, claimed, { status, tools, ...(commit === undefined ? {} : { commit }) });
    if (commit !== undefined) await askForStatus(deps, db, claimed);
  });

/** Which scanners take part: those asked for that are installed and not excluded; the others are named with the reason. */
export const chooseScanners = async (
  { database, catalogue, detection, ingest }: ScanningDeps,
  { clientId, scanType, kind }: { clientId: string; scanType: string; kind: ScanTarget['kind'] },
): Promise<{ scanners: InstalledScanner[]; tools: ToolRun[] }> => {
  const asked = scannersOfType(knownScanners(catalogue), scanType, kind);
  const versions = await detection.versions(asked);
  const toolIds = asked.map(({ id }) => id);
  const excluded = await database.forClient(clientId, (db) =>
    excludedTools(db, ingest.tools.shared, { clientId, toolIds }),
  );
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

/** Why nothing takes part. */
export const noScanner = (tools: readonly ToolRun[]): ScanError => {
  const missing = tools.filter(({ status }) => status === 'missing').map(({ title }) => title);
  const excluded = tools.filter(({ status }) => status === 'excluded').map(({ title }) => title);
  const reasons = [
    ...(missing.length > 0
      ? [sayEnglish('Not installed on this server: {missing}.', { missing: missing.join(', ') })]
      : []),
    ...(excluded.length > 0
      ? [sayEnglish('Excluded by your organisation: {excluded}.', { excluded: excluded.join(', ') })]
      : []),
  ];
  const why = reasons.length > 0 ? reasons.join(' ') : msg('No scanner belongs to what was asked for.');
  return new ScanError(
    'scanner_missing',
    sayEnglish('Nothing was scanned. {why} The page of installed scanners says how to get them.', { why }),
  );
};

/** A scanner has one run for each of what is scanned, told apart by the title. */
type RunKey = Pick<ToolRun, 'tool' | 'title'>;

const change = (tools: ToolRun[], { tool, title }: RunKey, update: Partial<ToolRun>): void => {
  const index = tools.findIndex((one) => one.tool === tool && one.title === title);
  const known = tools[index];
  if (known !== undefined) tools[index] = { ...known, ...update };
};

/** What did not take place, with the reason. */
export const failRuns = (tools: ToolRun[], isMeant: (run: ToolRun) => boolean, detail: string): void => {
  for (const run of tools.filter(isMeant)) change(tools, run, { status: 'failed', detail });
};

/** One scanner, and its report into the imports. What fails stands with the scanner; the others go on. */
export const scanWith = async (
  running: RunningScan,
  place: ScanPlace,
  { scanner, run }: { scanner: InstalledScanner; run: RunKey },
): Promise<void> => {
  const { deps, claimed, work, signal, tools } = running;
  const { searchPath, limits, ingest, dataDirectory } = deps;
  const { target, repositoryId, branch, commit, login } = place;
  change(tools, run, { status: 'running' });
  await note(running, 'running');
  try {
    const disk = { bytes: limits.bytes * 2, files: limits.files * 2 };
    const cacheFolder = path.join(dataDirectory, 'scanner-data');
    const { allowPrivateHosts, providerBaseUrls } = deps.sources;
    const network = {
      ...{ isolation: await deps.detection.isolation(), oneWayOut: await deps.detection.oneWayOut() },
      ...{ allowPrivateHosts, baseUrl: providerBaseUrls.get(environmentName(scanner.id)), maxBytes: disk.bytes },
    };
    const place = { work, target, searchPath, network, cacheFolder, disk, signal };
    const task = { ...place, maxReportBytes: ingest.maxReportBytes };
    const { report, refused } = await runScanner({ ...task, ...(login === undefined ? {} : { login }) }, scanner);
    if (report === null) {
      const nothing = sayEnglish('There is nothing for it in the {kind}.', { kind: target.kind });
      change(tools, run, { status: 'done', detail: refused === null ? nothing : `${nothing} ${refused}` });
      return await note(running, 'running');
    }
    const scanId = await importReportFile(ingest, {
      ...{ clientId: claimed.clientId, repositoryId, userId: claimed.userId, branch, commit: commit ?? undefined },
      ...{ toolId: scanner.id, path: report, fileName: `${scanner.id.replaceAll('/', '-')}${path.extname(report)}` },
    });
    change(tools, run, { status: 'importing', detail: refused, scan_id: scanId });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ScanError) && !(error instanceof AppError)) throw error;
    change(tools, run, { status: 'failed', detail: error.message });
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
export const awaitImports = async (running: RunningScan): Promise<void> => {
  const { deps, claimed, signal, tools } = running;
  let said = '';
  for (;;) {
    const scanIds = tools.flatMap((tool) =>
      tool.status === 'importing' && tool.scan_id !== null ? [tool.scan_id] : [],
    );
    if (scanIds.length === 0) return;
    const { clientId } = claimed;
    const imports = await deps.database.forClient(clientId, (db) => importProgress(db, { clientId, scanIds }));
    for (const run of tools.filter((one) => one.status === 'importing')) {
      const found = imports.find(({ id }) => id === run.scan_id);
      if (found === undefined) change(tools, run, { status: 'failed', detail: msg('Its import was removed.') });
      else if (['done', 'incomplete', 'outdated'].includes(found.status)) change(tools, run, { status: 'done' });
      else if (['failed', 'cancelled'].includes(found.status)) {
        const why = found.detail ?? msg('Its report was not imported.');
        change(tools, run, { status: 'failed', detail: run.detail === null ? why : `${why} ${run.detail}` });
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

/** How the scan has ended. */
export const endOf = (tools: readonly ToolRun[]): ScanEnd => {
  const failed = tools.filter(({ status }) => status === 'failed');
  const isDone = tools.some(({ status }) => status === 'done');
  const detail = failed.length === 0 ? null : failed.map((tool) => tool.detail ?? tool.title).join(' ');
  if (isDone) return { status: 'done', tools, code: null, detail };
  return { status: 'failed', tools, code: 'scanner_failed', detail };
};
