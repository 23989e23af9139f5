import type { IncomingMessage } from 'node:http';
import { CONNECTOR_ERROR_CODES } from '@breakwater/sdk';
import { AppError } from '../../platform/model/app-error.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import {
  authorizeConnector,
  checkConnector,
  getConnector,
  listConnectorHistory,
  listConnectors,
  offerValues,
  releaseConnector,
  removeConnector,
  saveConnector,
  switchConnector,
  switchPlatformConnector,
  syncConnector,
} from '../api/routes.ts';
import { getConnectorTexts } from '../api/text-routes.ts';
import { lockConnection } from './connection/advance-connection.ts';
import type { ConnectionKey } from './connection/connection-store.ts';
import { isEntryConfigured } from './connection/connector-item.ts';
import type { ConnectionsDeps } from './connection/deps.ts';
import { findEntry, requireEntry } from './connection/find-entry.ts';
import { type Connections, createConnections } from './connections.ts';
import { createConnectorRoutes } from './connector-routes.ts';
import { connectorViewEndpoint } from './connector-view.ts';
import { refuseClosed } from './runs/run-check.ts';
import { runSync } from './runs/sync-jobs.ts';
import { switchForOrganisation, switchForPlatform } from './switches.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';
import './connection/tables.ts';

const SHOWN_ENTRIES = 100;

const readEndpoints = (deps: ConnectionsDeps, connections: Connections): Endpoint[] => [
  tenantEndpoint(listConnectors)(async ({ db, caller }) => ({
    data: await connections.catalogue(db, caller.clientId),
  })),
  callerEndpoint(getConnectorTexts)(async ({ caller, params }) => ({
    data: await connections.texts(caller.clientId, params.language),
  })),
  tenantEndpoint(getConnector)(async ({ db, caller, params }) => ({
    data: await connections.item(db, caller.clientId, params.id),
  })),
  tenantEndpoint(listConnectorHistory)(async ({ db, caller, params }) => {
    const { connector } = await findEntry(deps, db, { clientId: caller.clientId, connector: params.id });
    const rows = await listHistory(db, { clientId: caller.clientId, connectorId: connector.id }, SHOWN_ENTRIES);
    return {
      data: rows.map((row) => ({
        at: row.at.toISOString(),
        event: row.event,
        from: row.from_state,
        to: row.to_state,
        code: CONNECTOR_ERROR_CODES.find((code) => code === row.code) ?? null,
        message: row.message,
        by: row.actor_name,
      })),
    };
  }),
];

/** Where the person's browser stands, where no public address is configured: the host was judged before any handler. */
export const requestOrigin = ({ headers }: IncomingMessage): string => {
  const host = headers.host ?? 'localhost';
  const origin = headers.origin === undefined ? null : URL.parse(headers.origin);
  return origin !== null && origin.host === host ? origin.origin : `http://${host}`;
};

const configurationEndpoints = ({ publicOrigin }: ConnectionsDeps, connections: Connections): Endpoint[] => [
  callerEndpoint(saveConnector)(async ({ caller, params, body, audit }) => {
    audit({ details: { fields: Object.keys(body.values) } });
    return { data: await connections.save(caller, params.id, body.values) };
  }),
  callerEndpoint(checkConnector)(async ({ caller, params }) => ({ data: await connections.check(caller, params.id) })),
  callerEndpoint(offerValues)(async ({ caller, params, body }) => {
    const { values, isComplete } = await connections.offers(caller, params.id, body);
    return { data: { values, is_complete: isComplete } };
  }),
  callerEndpoint(authorizeConnector)(async ({ caller, params, body, request }) => {
    const way = { step: body.step ?? 'sign-in', origin: publicOrigin ?? requestOrigin(request) };
    return { success: true, data: { url: await connections.beginConsent(caller, params.id, way) } };
  }),
  callerEndpoint(removeConnector)(async ({ caller, params }) => {
    await connections.remove(caller, params.id);
    return { success: true };
  }),
];

const syncEndpoint = (deps: ConnectionsDeps): Endpoint =>
  tenantEndpoint(syncConnector)(async ({ db, caller, params }) => {
    const { catalogue, jobs } = deps;
    const entry = await findEntry(deps, db, { clientId: caller.clientId, connector: params.id });
    const { id, title } = entry.connector;
    const connectionKey = { clientId: caller.clientId, connectorId: id };
    const conn = await lockConnection(db, connectionKey);
    refuseClosed(entry, conn);
    if (catalogue.capability('findings', id) === null)
      throw new AppError('conflict', say('{title} has no findings to pull.', { title }));
    if (!isEntryConfigured(entry, conn.record)) throw new AppError('integration_not_configured');
    if (!conn.canTransition({ type: 'SYNC' }) && conn.state !== 'syncing') {
      throw new AppError('conflict', say('{title} is not connected: test the connection first.', { title }));
    }
    return { success: true, data: { job_id: (await jobs.enqueue(db, runSync, connectionKey)) ?? null } };
  });

const switchEndpoints = (deps: ConnectionsDeps, connections: Connections): Endpoint[] => [
  tenantEndpoint(releaseConnector)(async ({ db, caller, params }) => {
    const { clientId } = caller;
    const { connector } = await findEntry(deps, db, { clientId, connector: params.id });
    const conn = await lockConnection(db, { clientId, connectorId: connector.id });
    if (!(await conn.transition({ type: 'RELEASE' }, { actor: caller, facts: { crashes: [] } }))) {
      throw new AppError('conflict', say('{title} is not in quarantine.', { title: connector.title }));
    }
    return { data: await connections.item(db, clientId, connector.id) };
  }),
  tenantEndpoint(switchConnector)(async ({ db, caller, params, body, audit }) => {
    audit({ details: { enabled: body.enabled, reason: body.reason ?? null } });
    const { clientId } = caller;
    const entry = await findEntry(deps, db, { clientId, connector: params.id });
    const order = { clientId, entry, actor: caller, isEnabled: body.enabled, reason: body.reason };
    await switchForOrganisation(deps, db, order);
    return { data: await connections.item(db, clientId, entry.connector.id) };
  }),
  callerEndpoint(switchPlatformConnector)(async ({ caller, params, body, audit }) => {
    audit({ details: { enabled: body.enabled, reason: body.reason ?? null } });
    const entry = await requireEntry(deps, caller.clientId, params.id);
    await switchForPlatform(deps.database, {
      entry,
      actor: caller,
      isEnabled: body.enabled,
      reason: body.reason,
    });
    deps.log.info(
      { connector: entry.connector.id, enabled: body.enabled, user: caller.userId },
      'platform switch moved',
    );
    return { success: true };
  }),
];

/** The catalogue, its forms and switches. */
export const createConnectorEndpoints = (deps: ConnectionsDeps): Endpoint[] => {
  const connections = createConnections(deps);
  return [
    ...readEndpoints(deps, connections),
    ...configurationEndpoints(deps, connections),
    syncEndpoint(deps),
    ...switchEndpoints(deps, connections),
    connectorViewEndpoint(deps),
    ...createConnectorRoutes(deps, connections),
    webhookEndpoint(deps, connections),
  ];
};

/** What happened to one connection, newest first. Walks the primary key of connection_history. */
export const listHistory = (db: Db, connectionKey: ConnectionKey, limit: number) =>
  db
    .selectFrom('connection_history')
    .select(['at', 'event', 'from_state', 'to_state', 'code', 'message', 'actor_name'])
    .where('client_id', '=', connectionKey.clientId)
    .where('connector_id', '=', connectionKey.connectorId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
