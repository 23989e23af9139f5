import { readRollupCheck } from '../../findings/server/index.ts';
import { readImportBacklog } from '../../ingest/server/index.ts';
import type { ConnectorCatalogue } from '../../platform/model/connector-catalogue.ts';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import { readMailBacklog } from '../../platform/server/mail/outbox.ts';
import { readReferenceItems } from '../../prioritisation/server/index.ts';
import { knownScanners, type ScannerDetection } from '../../scanning/server/index.ts';
import { getHealth, type Health } from '../api/routes.ts';
import { feedStatus, mailStatus, queueStatus, rollupStatus } from '../model/health.ts';
import { readDatabaseHealth } from './database-health.ts';

export interface OperationsDeps {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'overview'>;
  catalogue: ConnectorCatalogue;
  detection: Pick<ScannerDetection, 'versions'>;
  /** Feeds that the operator named. */
  addresses: Parameters<typeof readReferenceItems>[1];
  /** Whether there is a server to send mails by. */
  hasMailServer: boolean;
}

const readQueue = async ({ database, jobs }: OperationsDeps): Promise<Health['queue']> => {
  const queues = await jobs.overview();
  const imports = await database.forIdentity(readImportBacklog);
  const since = queues.flatMap(({ waitingSince }) => (waitingSince === null ? [] : [waitingSince.getTime()]));
  const waitingSince = since.length === 0 ? null : new Date(Math.min(...since));
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0);
  return {
    status: queueStatus({ failed, waitingSince, oldestImport: imports.oldest }),
    waiting_since: waitingSince?.toISOString() ?? null,
    jobs: queues
      .map(({ name, waiting, active, failed: given }) => ({ name, waiting, active, failed: given }))
      .filter(({ waiting, active, failed: given }) => waiting + active + given > 0)
      .toSorted(
        (one, other) => other.failed - one.failed || other.waiting - one.waiting || one.name.localeCompare(other.name),
      ),
    imports: { unfinished: imports.unfinished, oldest_at: imports.oldest?.toISOString() ?? null },
  };
};

const readRollups = async ({ database }: OperationsDeps): Promise<Health['rollups']> => {
  const check = await database.forIdentity(readRollupCheck);
  return {
    status: rollupStatus(check),
    checked_at: check?.checkedAt ?? null,
    clients: check?.clients ?? 0,
    differences: check?.differences ?? 0,
  };
};

const readScanners = async ({ catalogue, detection }: OperationsDeps): Promise<Health['scanners']> => {
  const known = knownScanners(catalogue);
  const versions = await detection.versions(known);
  const items = known.map(({ id, entry }) => ({
    ...{ id, title: entry.connector.title },
    version: versions.get(id)?.trim().split('\n')[0] ?? null,
  }));
  return { status: 'ok', items };
};

const readFeeds = async ({ database, addresses }: OperationsDeps): Promise<Health['feeds']> => {
  const found = await database.forIdentity((db) => readReferenceItems(db, addresses));
  const items = found.map(({ _id, attributes: { title, data_date, checked_at, failure } }) => ({
    ...{ id: _id, title, data_date, checked_at, failure },
  }));
  return { status: feedStatus(items.map(({ data_date, failure }) => ({ dataDate: data_date, failure }))), items };
};

const readMail = async ({ database, hasMailServer }: OperationsDeps): Promise<Health['mail']> => {
  const { waiting, failed } = await database.forIdentity(readMailBacklog);
  return { status: mailStatus({ isConfigured: hasMailServer, failed }), is_configured: hasMailServer, waiting, failed };
};

/** How the installation is, for who operates it. A part that cannot be read does not hide the others. */
export const createOperationsEndpoints = (deps: OperationsDeps): Endpoint[] => [
  callerEndpoint(getHealth)(async ({ log }) => {
    const read = <T>(name: string, reading: Promise<T>): Promise<T | null> =>
      reading.catch((error: unknown) => {
        log.error({ err: error, part: name }, 'a part of the installation could not be read');
        return null;
      });
    const [database, queue, rollups, scanners, feeds, mail] = await Promise.all([
      read('database', deps.database.forIdentity(readDatabaseHealth)),
      read('queue', readQueue(deps)),
      read('rollups', readRollups(deps)),
      read('scanners', readScanners(deps)),
      read('feeds', readFeeds(deps)),
      read('mail', readMail(deps)),
    ]);
    return { data: { checked_at: new Date().toISOString(), database, queue, rollups, scanners, feeds, mail } };
  }),
];
