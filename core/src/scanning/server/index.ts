import type { ScanTarget, ScmEvent } from '@breakwater/sdk';
import { excludedTools } from '../../ingest/server/index.ts';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, ownedOnly, tenantEndpoint } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { postureIssue } from '../../source-control/server/index.ts';
import {
  cancelScanRequest,
  getScanRequest,
  listScanners,
  listScanRequestsRoute,
  requestRepoScan,
} from '../api/routes.ts';
import { ALL_SCANNERS, CLOUD_CATEGORY, CLOUD_SCAN, POSTURE_SCAN } from '../model/scan-requests.ts';
import { requestScansAfter } from './requests/automatic-scans.ts';
import {
  countScanRequests,
  listScanRequests,
  readScanTargets,
  scanRequestItem,
} from './requests/list-scan-requests.ts';
import { cancelScan, requestCloudScan, requestScan } from './requests/scan-requests.ts';
import { knownScanners, scannersOfType } from './run/installed-scanners.ts';
import { requeueScans, scheduleScans } from './run/requeue-scans.ts';
import { scanJob } from './run/run-scan.ts';
import type { ScanningDeps } from './run/run-tools.ts';
import { setCommitStatuses } from './statuses/set-statuses.ts';
import './tables.ts';

export { plainLine } from './clone/clone-error.ts';
export { localFolderIssue } from './clone/local-folder.ts';
export { findProgram, type ProgramResult, runProgram } from './processes/run-program.ts';
export { removeScanRequests, requestCloudScan } from './requests/scan-requests.ts';
export { createScannerDetection, knownScanners, type ScannerDetection } from './run/installed-scanners.ts';
export type { ScanJobDeps, ScanningDeps } from './run/run-tools.ts';

/** Whether a saved connector is a cloud, after which a scan is requested. Source: specification §4, §7. */
export const isCloud = (item: { attributes: { category: string } }): boolean =>
  item.attributes.category === CLOUD_CATEGORY;

/** What follows the save of a connector, whichever route saved it: after a cloud a scan of the clouds is requested. */
export const createAfterSave =
  (database: DatabaseHandle, jobs: Pick<JobQueue, 'enqueue'>) =>
  async (caller: { clientId: string; userId: string }, item: { attributes: { category: string } }): Promise<void> => {
    if (isCloud(item)) await database.forClient(caller.clientId, (db) => requestCloudScan(db, jobs, caller));
  };

/** What follows a delivery of a source control: scans of what was pushed, where the organisation wants them. */
export const createAfterDelivery =
  (database: DatabaseHandle, jobs: Pick<JobQueue, 'enqueue'>) =>
  (connection: { clientId: string; connectorId: string }, events: readonly ScmEvent[]): Promise<void> =>
    requestScansAfter({ database, jobs }, connection, events);

export interface ScanningEndpointDeps extends ScanningDeps {
  readonly jobs: Pick<JobQueue, 'enqueue'>;
}

/** @throws validation_failed, naming what may be asked for */
const requireScanType = (deps: ScanningDeps, scanType: string): void => {
  const known = knownScanners(deps.catalogue).flatMap(({ id, entry }) => {
    const importer = entry.connector.parser?.tool;
    return [id, entry.category, ...(importer === undefined ? [] : [importer])];
  });
  const allowed = [ALL_SCANNERS, CLOUD_SCAN, POSTURE_SCAN, ...new Set(known)];
  if (allowed.includes(scanType.toLowerCase())) return;
  const msg = sayEnglish('Must be one of: {allowed}.', { allowed: allowed.join(', ') });
  throw new AppError('validation_failed', undefined, { issues: [{ loc: ['body', 'scan_type'], msg, type: 'enum' }] });
};

/** Whether what is asked for looks at clouds alone: `cloud`, a scanner of clouds, a category that has no others. */
const isOfClouds = (deps: ScanningDeps, scanType: string): boolean => {
  if (scanType === CLOUD_SCAN) return true;
  const known = knownScanners(deps.catalogue);
  const ofKind = (kind: ScanTarget['kind']): number => scannersOfType(known, scanType, kind).length;
  return ofKind('cloud') > 0 && ofKind('repository') === 0;
};

/** The repositories to scan. @throws repository_not_found, validation_failed for one without an address */
const targetsOf = async (db: Db, viewer: { clientId: string; onlyOwnedBy: string | null }, ids?: readonly string[]) => {
  const found = await readScanTargets(db, { ...viewer, ...(ids === undefined ? {} : { ids }) });
  if (ids === undefined) return found.filter(({ url }) => url !== '');
  const known = new Map(found.map((one) => [one.id, one]));
  const issues = ids.flatMap((id, index) => {
    const one = known.get(id);
    if (one === undefined) throw new AppError('repository_not_found');
    const msg = sayEnglish('{nickname} has no clone address. Give it one in its settings, or upload its reports.', {
      nickname: one.nickname,
    });
    return one.url === '' ? [{ loc: ['body', 'repositories', index], msg, type: 'clone_url' }] : [];
  });
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
  return [...known.values()];
};

/** The repositories whose settings are to be read. @throws repository_not_found, validation_failed for one without such settings */
const postureTargetsOf = async (
  deps: ScanningDeps,
  db: Db,
  viewer: { clientId: string; onlyOwnedBy: string | null; ids: readonly string[] | undefined },
) => {
  const { ids, ...of } = viewer;
  const found = await readScanTargets(db, ids === undefined ? of : { ...of, ids });
  const { clientId } = viewer;
  if (ids === undefined) {
    const readable: typeof found = [];
    for (const one of found) if ((await postureIssue(deps, db, { clientId, ...one })) === null) readable.push(one);
    return readable;
  }
  const known = new Map(found.map((one) => [one.id, one]));
  const issues: FieldIssue[] = [];
  for (const [index, id] of ids.entries()) {
    const one = known.get(id);
    if (one === undefined) throw new AppError('repository_not_found');
    const issue = await postureIssue(deps, db, { clientId, ...one });
    const msg = `The settings of ${one.nickname} cannot be read. ${issue}`;
    if (issue !== null) issues.push({ loc: ['body', 'repositories', index], msg, type: 'posture' });
  }
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
  return [...known.values()];
};

const requestEndpoints = (deps: ScanningEndpointDeps): Endpoint[] => [
  tenantEndpoint(requestRepoScan)(async ({ db, caller, body, reply }) => {
    requireScanType(deps, body.scan_type);
    const { clientId, userId } = caller;
    const scanType = body.scan_type.toLowerCase();
    reply.status(202);
    if (isOfClouds(deps, scanType)) {
      if (ownedOnly(caller) !== null) throw new AppError('forbidden');
      const id = await requestScan(db, deps.jobs, { clientId, userId, scanType, repositoryId: null });
      return { success: true, data: { scan_requests: [id] } };
    }
    const viewer = { clientId, onlyOwnedBy: ownedOnly(caller) };
    const isPosture = scanType === POSTURE_SCAN;
    const targets = isPosture
      ? await postureTargetsOf(deps, db, { ...viewer, ids: body.repositories })
      : await targetsOf(db, viewer, body.repositories);
    const ids: string[] = [];
    for (const { id: repositoryId, repository_branch } of targets) {
      // settings are those of the repository
      const branch = isPosture || body.branch === undefined || body.branch === repository_branch ? null : body.branch;
      ids.push(await requestScan(db, deps.jobs, { clientId, userId, scanType, repositoryId, branch }));
    }
    return { success: true, data: { scan_requests: ids } };
  }),
  tenantEndpoint(listScanRequestsRoute)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const filter = {
      clientId: caller.clientId,
      onlyOwnedBy: ownedOnly(caller),
      ...(query.filters?.repository === undefined ? {} : { repositories: query.filters.repository }),
      ...(query.filters?.status === undefined ? {} : { statuses: query.filters.status }),
    };
    const rows = await listScanRequests(db, filter, paging);
    return { data: rows.map(scanRequestItem), meta: pageMeta(await countScanRequests(db, filter), paging) };
  }),
  tenantEndpoint(getScanRequest)(async ({ db, caller, params }) => {
    const filter = { clientId: caller.clientId, onlyOwnedBy: ownedOnly(caller), id: params.id };
    const [row] = await listScanRequests(db, filter, { offset: 0, pageSize: 1 });
    if (row === undefined) throw new AppError('scan_not_found');
    return { data: scanRequestItem(row) };
  }),
  tenantEndpoint(cancelScanRequest)(async ({ db, caller, params }) => {
    const filter = { clientId: caller.clientId, onlyOwnedBy: ownedOnly(caller), id: params.id };
    if ((await countScanRequests(db, filter)) === 0) throw new AppError('scan_not_found');
    await cancelScan(db, deps.jobs, { clientId: caller.clientId, requestId: params.id });
    return { success: true };
  }),
];

/** Scans that the server starts itself, and what it has to scan with. */
export const createScanningEndpoints = (deps: ScanningEndpointDeps): Endpoint[] => [
  ...requestEndpoints(deps),
  // programs are asked for their version outside of any transaction
  callerEndpoint(listScanners)(async ({ caller }) => {
    const { clientId } = caller;
    const known = knownScanners(deps.catalogue);
    const versions = await deps.detection.versions(known);
    const toolIds = known.map(({ id }) => id);
    const excluded = await deps.database.forClient(clientId, (db) =>
      excludedTools(db, deps.ingest.tools.shared, { clientId, toolIds }),
    );
    const data = known.map(({ id, entry, scanner }) => ({
      _id: id,
      attributes: {
        title: entry.connector.title,
        category: entry.category,
        targets: [...scanner.targets],
        is_installed: versions.has(id),
        version: versions.get(id) ?? null,
        is_excluded: excluded.has(id),
        documentation: entry.connector.documentation ?? null,
        hosts: scanner.hosts === undefined ? null : [...scanner.hosts],
      },
    }));
    const [isolation, oneWayOut] = [await deps.detection.isolation(), await deps.detection.oneWayOut()];
    return { data, meta: { isolates_network: isolation !== null, limits_hosts: oneWayOut !== null } };
  }),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const scanningJobs = [scanJob, requeueScans, scheduleScans, setCommitStatuses] as const;
