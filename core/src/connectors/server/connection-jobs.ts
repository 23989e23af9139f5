import { Type } from 'typebox';
import { defineJob } from '../../platform/server/jobs/define-job.ts';
import { ConnectionKey } from '../model/connection-key.ts';
import { isOlder } from '../model/migrate-credentials.ts';
import { lockConnection } from './advance-connection.ts';
import type { ConnectionsDeps } from './deps.ts';
import { listDueConnections } from './queries/list-due-connections.ts';
import { listStoredVersions } from './queries/list-stored-versions.ts';
import { CHECK_EVERY_HOURS, CONSENT_MINUTES, runDue } from './run-due.ts';
import { upgradeStored } from './upgrade-stored.ts';

/** Does what is due for one connection: a check, a retry, a removal cut short. */
export const runConnection = defineJob({
  name: 'connections.run',
  input: ConnectionKey,
  key: ({ clientId, connectorId }) => `${clientId} ${connectorId}`,
  retry: { limit: 5 },
  concurrency: 4,
  run: (deps: ConnectionsDeps, { data, signal }) => runDue(deps, data, signal),
});

/** Enqueues what is due: retries, checks of what works, runs of a process that died. @returns how many. */
export const enqueueDueConnections = async (deps: ConnectionsDeps): Promise<number> => {
  const limits = { checkEveryHours: CHECK_EVERY_HOURS, consentMinutes: CONSENT_MINUTES };
  const found = await deps.database.forIdentity((db) => listDueConnections(db, limits));
  // of a plugin that is not here any more
  const due = found.filter(({ connectorId }) => deps.catalogue.card(connectorId) !== null);
  for (const connection of due) {
    await deps.database.forClient(connection.clientId, (db) => deps.jobs.enqueue(db, runConnection, connection));
  }
  return due.length;
};

export const findDueConnections = defineJob({
  name: 'connections.due',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 15 },
  run: async (deps: ConnectionsDeps) => {
    const count = await enqueueDueConnections(deps);
    if (count > 0) deps.log.info({ count }, 'connections have something due');
  },
});

/** Brings what older plugin versions stored to the present ones. To be awaited before the first request. */
export const upgradeStoredConnections = async (deps: ConnectionsDeps): Promise<void> => {
  const stored = await deps.database.forIdentity((db) => listStoredVersions(db));
  for (const { version, ...place } of stored) {
    const card = deps.catalogue.card(place.connectorId);
    if (card === null || !isOlder(version, card.pluginVersion)) continue;
    await deps.database
      .forClient(place.clientId, async (db) => upgradeStored(deps, db, card, await lockConnection(db, place)))
      .catch((error: unknown) => deps.log.error({ err: error, ...place, version }, 'stored fields were not upgraded'));
  }
};
