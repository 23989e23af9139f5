import type { JobQueue } from '../../platform/server/jobs.ts';
import { type Sweep, startSweep } from '../../platform/server/sweep.ts';
import { CONNECTION_JOB, type ConnectionKey } from '../model/connector-jobs.ts';
import { isOlder } from '../model/migrate-credentials.ts';
import { lockConnection } from './advance-connection.ts';
import type { ConnectionsDeps } from './deps.ts';
import { listDueConnections } from './queries/list-due-connections.ts';
import { listStoredVersions } from './queries/list-stored-versions.ts';
import { CHECK_EVERY_HOURS, CONSENT_MINUTES, runDue } from './run-due.ts';
import { upgradeStored } from './upgrade-stored.ts';

export interface ConnectionWorkDeps extends ConnectionsDeps {
  jobs: Pick<JobQueue, 'enqueue' | 'work'>;
}

const SWEEP_EVERY_MS = 15_000;
const CONCURRENCY = 4;

/** Orders what time has made due: retries, checks of what works, runs of a process that died. @returns how many were ordered. */
export const sweepConnections = async (deps: ConnectionsDeps): Promise<number> => {
  const limits = { checkEveryHours: CHECK_EVERY_HOURS, consentMinutes: CONSENT_MINUTES };
  const found = await deps.database.forIdentity((db) => listDueConnections(db, limits));
  // of a plugin that is not here any more
  const due = found.filter(({ connectorId }) => deps.catalogue.card(connectorId) !== null);
  for (const place of due) {
    const singletonKey = `${place.clientId} ${place.connectorId}`;
    await deps.database.forClient(place.clientId, (db) =>
      deps.jobs.enqueue(db, CONNECTION_JOB, place, { singletonKey }),
    );
  }
  return due.length;
};

/** Brings what older plugin versions stored to the present ones, so that the cards tell the truth from the start. */
export const upgradeAll = async (deps: ConnectionsDeps): Promise<void> => {
  const stored = await deps.database.forIdentity((db) => listStoredVersions(db));
  for (const { version, ...place } of stored) {
    const card = deps.catalogue.card(place.connectorId);
    if (card === null || !isOlder(version, card.pluginVersion)) continue;
    await deps.database
      .forClient(place.clientId, async (db) => upgradeStored(deps, db, card, await lockConnection(db, place)))
      .catch((error: unknown) => deps.log.error({ err: error, ...place, version }, 'stored fields were not upgraded'));
  }
};

/** Takes the jobs of connections, and looks every 15 s for what is due. */
export const startConnectionWork = async (deps: ConnectionWorkDeps): Promise<Sweep> => {
  await upgradeAll(deps);
  await deps.jobs.work<ConnectionKey>(CONNECTION_JOB, ({ data, signal }) => runDue(deps, data, signal), {
    concurrency: CONCURRENCY,
  });
  const sweep = (): Promise<void> =>
    sweepConnections(deps).then(
      (count) => {
        if (count > 0) deps.log.info({ count }, 'connections have something due');
      },
      (error: unknown) => deps.log.warn({ err: error }, 'sweep of connections'),
    );
  return startSweep(sweep, SWEEP_EVERY_MS);
};
