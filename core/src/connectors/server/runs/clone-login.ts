import { type AnyConnector, secretKeys } from '@breakwater/sdk';
import { egressRules, isAllowed } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import { effectiveConfig } from '../../model/credential-values.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import { isEntryConfigured } from '../connection/connector-item.ts';
import { baseUrlOverride, type ConnectionsDeps } from '../connection/deps.ts';
import { readEntry } from '../connection/find-entry.ts';
import { readConnection } from '../connection/read-connections.ts';
import { runWithConnection } from './run-with-connection.ts';

/** What git logs in with. */
export interface CloneLogin {
  readonly username: string;
  readonly password: string;
}

/** Field of the access token: that of the grant, else the only secret of the form. */
const tokenField = ({ auth, credentials }: AnyConnector): string | undefined => {
  if (auth.type === 'oauth2') return auth.tokenField ?? 'oauth_token';
  const secrets = secretKeys(credentials);
  return secrets.length === 1 ? secrets[0] : undefined;
};

/** A token that has run out is renewed by whoever asks the service first. A refusal stands in the state of the connection. */
const isUsable = async (deps: ConnectionsDeps, connectionKey: ConnectionKey): Promise<boolean> => {
  const scm = deps.catalogue.capability('scm', connectionKey.connectorId);
  if (scm === null) return false;
  try {
    await runWithConnection(deps, connectionKey, (ctx) => scm.user(ctx));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

/** The login of a connection for git, only at hosts that the connector may call. @returns null where it has none for that address */
export const readCloneLogin = async (
  deps: ConnectionsDeps,
  connectionKey: ConnectionKey,
  url: URL,
): Promise<CloneLogin | null> => {
  const { clientId, connectorId } = connectionKey;
  const entry = await readEntry(deps, clientId, connectorId);
  const username = deps.catalogue.capability('scm', connectorId)?.cloneUser;
  if (entry === null || username === undefined) return null;
  const { connector } = entry;
  const field = tokenField(connector);
  const record = await deps.database.forClient(clientId, (db) => readConnection(db, { clientId, connectorId }));
  if (field === undefined || !isEntryConfigured(entry, record)) return null;
  const config = effectiveConfig(connector.credentials, record.config);
  const override = baseUrlOverride(deps, connectorId);
  const rules = egressRules({ connector, config, ...(override === undefined ? {} : { baseUrlOverride: override }) });
  if (!isAllowed(rules, url) || !(await isUsable(deps, connectionKey))) return null;
  const password = await deps.database.forClient(clientId, (db) => deps.vault.read(db, { ...connectionKey, field }));
  return password === undefined ? null : { username, password };
};
