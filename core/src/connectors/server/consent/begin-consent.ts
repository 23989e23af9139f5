import { type ConnectorError, isConnectorError } from '@breakwater/sdk';
import { consentAddress, egressRules, installationAddress, isAllowed, type ServiceAddress } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { effectiveConfig } from '../../model/credential-values.ts';
import { type Actor, type ConnectionActor, lockConnection } from '../connection/advance-connection.ts';
import { baseUrlOverride, type ConnectionsDeps } from '../connection/deps.ts';
import { operatorClient, ownClientId, signInOf } from '../connection/oauth-client.ts';
import type { ConnectionRecord } from '../connection/read-connections.ts';
import { refuseClosed } from '../runs/run-check.ts';
import { addState, type Consenter, type ConsentStep } from './oauth-states.ts';

export interface ConsentOrder {
  consenter: Consenter;
  actor: Actor;
  entry: CatalogueEntry;
  step: ConsentStep;
  /** Where the service sends the person back to. */
  redirectUri: string;
}

/** Where requests of one connection go. */
export const serviceAddress = (
  deps: ConnectionsDeps,
  { connector }: CatalogueEntry,
  record: Pick<ConnectionRecord, 'config'>,
): ServiceAddress => ({
  connector,
  config: effectiveConfig(connector.credentials, record.config),
  baseUrlOverride: baseUrlOverride(deps, connector.id),
});

const BUSY: Partial<Record<ConnectionActor['state'], string>> = {
  checking: 'is being checked',
  syncing: 'is pulling findings',
  removing: 'is being removed',
};

/** Brings a connection from wherever it stands to waiting for the person. @throws conflict while it is at work */
const becomeAuthorizing = async (conn: ConnectionActor, { entry, actor }: ConsentOrder): Promise<void> => {
  const facts = { authorizing_since: new Date(), plugin_version: entry.pluginVersion, failure: null };
  if (conn.state === 'authorizing') {
    await conn.transition({ type: 'EXPIRED' }, { actor, message: msg('The sign-in was begun anew.') });
  }
  if (await conn.transition({ type: 'REAUTHORIZE' }, { actor, facts })) return;
  for (const type of ['CONFIGURE', 'EDIT'] as const) await conn.transition({ type }, { actor });
  if (await conn.transition({ type: 'AUTHORIZE' }, { actor, facts })) return;
  const work = BUSY[conn.state] ?? 'cannot be signed in to now';
  throw new AppError(
    'conflict',
    say('{title} {work}. Wait until that is done and try again.', { title: entry.connector.title, work }),
  );
};

/** @throws integration_not_configured, saying what is to be set up */
const addressFor = (deps: ConnectionsDeps, order: ConsentOrder, record: ConnectionRecord) => {
  const { entry, step, redirectUri } = order;
  const service = serviceAddress(deps, entry, record);
  if (step === 'installation') {
    const app = operatorClient(deps, entry, record)?.app;
    if (
      app === undefined ||
      entry.connector.auth.type !== 'oauth2' ||
      entry.connector.auth.installation === undefined
    ) {
      throw new AppError(
        'integration_not_configured',
        say('{title} has no application to install.', { title: entry.connector.title }),
      );
    }
    return (state: string) => installationAddress(service, { app, state });
  }
  const clientId = ownClientId(entry, record) ?? operatorClient(deps, entry, record)?.clientId;
  if (clientId === undefined) {
    throw new AppError('integration_not_configured', signInOf(deps, entry, record)?.message ?? undefined);
  }
  return (state: string) =>
    consentAddress({ ...service, clientId, redirectUri, state, verifier: deps.proofKeyOf(state) });
};

/** The page to which a connector of somebody else sends people is at a host that was approved, whatever the form makes of it. @throws conflict */
const requireApproved = (deps: ConnectionsDeps, entry: CatalogueEntry, record: ConnectionRecord, url: URL): void => {
  if (entry.clientId === undefined || isAllowed(egressRules(serviceAddress(deps, entry, record)), url)) return;
  const said = { title: entry.connector.title, host: url.host };
  throw new AppError('conflict', say('{title} would send you to {host}, which nobody approved.', said));
};

/**
 * Begins a sign-in at a connector's service. @returns the address that the person goes to.
 * @throws conflict, integration_not_configured
 */
export const beginConsent = (deps: ConnectionsDeps, order: ConsentOrder): Promise<string> => {
  const { consenter, entry } = order;
  const connectionKey = { clientId: consenter.clientId, connectorId: entry.connector.id };
  return deps.database.forClient(consenter.clientId, async (db) => {
    const conn = await lockConnection(db, connectionKey);
    refuseClosed(entry, conn);
    if (entry.connector.auth.type !== 'oauth2') {
      throw new AppError(
        'conflict',
        say('{title} has no sign-in: enter its credentials.', { title: entry.connector.title }),
      );
    }
    const addressWith = addressFor(deps, order, conn.record);
    await becomeAuthorizing(conn, order);
    const state = await addState(db, { ...consenter, ...connectionKey }, order);
    try {
      const address = addressWith(state);
      requireApproved(deps, entry, conn.record, address);
      return address.href;
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      throw new AppError('integration_not_configured', sentences(error));
    }
  });
};

const sentences = ({ message, help }: ConnectorError): string => (help === undefined ? message : `${message} ${help}`);
