import type { ScanTarget } from '@breakwater/sdk';
import { Type } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { defineJob, type JobRun } from '../../../platform/server/jobs/define-job.ts';
import { recordImports } from '../../../reachability/server/index.ts';
import { POSTURE_SCAN } from '../../model/scan-requests.ts';
import { ScanError } from '../clone/clone-error.ts';
import { takeRepository } from '../clone/clone-source.ts';
import { createWorkFolder, listFiles, type WorkFolder } from '../processes/work-folder.ts';
import { readScanTargets } from '../requests/list-scan-requests.ts';
import { isRepeatedFailure } from '../requests/repeated-failure.ts';
import {
  type ClaimedScan,
  claimScan,
  finishScanRequest,
  releaseScan,
  renewLease,
  SCAN_JOB,
  type ScanEnd,
  type ScanJobInput,
} from '../requests/scan-requests.ts';
import { notifyFailedScan } from './failed-scan-notice.ts';
import {
  askForStatus,
  awaitImports,
  chooseScanners,
  endOf,
  noScanner,
  note,
  type RunningScan,
  type ScanJobDeps,
  type ScanningDeps,
  scanWith,
} from './run-tools.ts';
import { scanClouds } from './scan-clouds.ts';
import { scanPosture } from './scan-posture.ts';

/** Interrupted so often it ends every process that takes it. */
const MAX_ATTEMPTS = 4;
const RENEW_MS = 3000;

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

/** What the code imports, as long as there is a clone; a scan does not fail for it. The other branches are judged by the default one. */
const noteImports = async (
  { scanning: { database, log }, jobs }: ScanJobDeps,
  { claimed: { clientId, requestId }, work, signal }: RunningScan,
  { repositoryId, commit }: { repositoryId: string; commit: string | null },
): Promise<void> => {
  const request = { clientId, repositoryId, commit: commit ?? '', folder: work.clone, signal };
  try {
    const outcome = await recordImports({ database, jobs }, request);
    if (outcome === 'gave_up') log.warn({ request: requestId }, 'reading the imports of a repository took too much');
  } catch (error) {
    signal.throwIfAborted();
    log.error({ err: error, request: requestId }, 'the imports of a repository could not be read');
  }
};

/** Files of a repository. @throws ScanError, and whatever ends the run */
const scanRepository = async (
  jobDeps: ScanJobDeps,
  claimed: ClaimedScan & { repositoryId: string },
  { work, signal }: { work: WorkFolder; signal: AbortSignal },
): Promise<ScanEnd> => {
  const deps = jobDeps.scanning;
  const { clientId, repositoryId, scanType } = claimed;
  const [repository] = await deps.database.forClient(clientId, (db) =>
    readScanTargets(db, { clientId, onlyOwnedBy: null, ids: [repositoryId] }),
  );
  if (repository === undefined) throw new ScanError('clone_failed', msg('The repository was removed.'));
  const { scanners, tools } = await chooseScanners(deps, { clientId, scanType, kind: 'repository' });
  if (scanners.length === 0) throw noScanner(tools);
  const { searchPath, limits } = deps;
  const branch = claimed.branch ?? repository.repository_branch;
  const running: RunningScan = { deps, claimed, work, signal, tools };
  await note(running, 'running');
  const task = { work, searchPath, limits, signal };
  const { commit } = await takeRepository(deps.sources, { clientId, repository, branch }, task);
  await note(running, 'running', commit);
  const isDefault = branch === repository.repository_branch;
  if (isDefault) await noteImports(jobDeps, running, { repositoryId, commit });
  const target: ScanTarget = { kind: 'repository', folder: work.clone, files: await listFiles(work.clone) };
  for (const scanner of scanners) {
    const run = { tool: scanner.id, title: scanner.entry.connector.title };
    await scanWith(running, { target, repositoryId, branch: isDefault ? null : branch, commit }, { scanner, run });
  }
  await awaitImports(running);
  return endOf(tools);
};

const endOfScan = (
  jobDeps: ScanJobDeps,
  claimed: ClaimedScan,
  place: { work: WorkFolder; signal: AbortSignal },
): Promise<ScanEnd> => {
  const { scanning: deps } = jobDeps;
  const { repositoryId, scanType } = claimed;
  if (repositoryId === null) return scanClouds(deps, claimed, place);
  const ofRepository = { ...claimed, repositoryId };
  if (scanType === POSTURE_SCAN) return scanPosture({ deps, claimed, ...place }, ofRepository);
  return scanRepository(jobDeps, ofRepository, place);
};

const finish = async (deps: ScanningDeps, claimed: ClaimedScan, end: ScanEnd): Promise<void> => {
  await deps.database.forClient(claimed.clientId, async (db) => {
    const isEnded = await finishScanRequest(db, claimed, end);
    if (isEnded) await askForStatus(deps, db, claimed);
    if (!isEnded || end.status !== 'failed' || (await isRepeatedFailure(db, claimed, end))) return;
    await notifyFailedScan(db, deps.catalogue, { claimed, end });
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
  detail: sayEnglish(
    'The scan was interrupted {most} times, because the server stopped. It is not tried again by itself.',
    { most: MAX_ATTEMPTS },
  ),
};

/** Works on a claimed scan until it has ended, is cancelled, or this process stops. */
const workOn = async (jobDeps: ScanJobDeps, claimed: ClaimedScan, job: AbortSignal): Promise<void> => {
  const deps = jobDeps.scanning;
  const claim = keepClaim(deps, claimed, job);
  let work: WorkFolder | undefined;
  try {
    work = await createWorkFolder(deps.dataDirectory, claimed);
    const place = { work, signal: claim.signal };
    await finish(deps, claimed, await endOfScan(jobDeps, claimed, place));
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
      detail: msg('An unexpected error ended the scan.'),
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
