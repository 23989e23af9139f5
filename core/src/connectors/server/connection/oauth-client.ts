import { addressOf } from '@breakwater/sdk/host';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { effectiveConfig } from '../../model/credential-values.ts';
import { baseUrlOverride, type ConnectionsDeps, environmentName, type OperatorClient } from './deps.ts';
import type { ConnectionRecord } from './read-connections.ts';

type ClientDeps = Pick<ConnectionsDeps, 'oauthClients' | 'providerBaseUrls'>;
type Stored = Pick<ConnectionRecord, 'clientId' | 'config'>;

/** The client that a connector's service knows us by; empty where there is none. */
export interface KnownClient {
  clientId?: string;
  clientSecret?: string;
}

/** Where tokens are asked for; null while the form does not say, and where there is no OAuth. */
const tokenOrigin = (deps: ClientDeps, { connector }: CatalogueEntry, config: Stored['config']): string | null => {
  const { auth } = connector;
  if (auth.type !== 'oauth2') return null;
  const filled = effectiveConfig(connector.credentials, config);
  const override = baseUrlOverride(deps, connector.id);
  try {
    return addressOf({ connector, config: filled, baseUrlOverride: override }, auth.tokenUrl).origin;
  } catch {
    return null;
  }
};

/**
 * The operator's application, where this connection goes to the very service at which it is registered: the connector's own or the
 * one of `<CONNECTOR>_BASE_URL`. Its secret is shown to no host that an organisation typed in.
 */
export const operatorClient = (deps: ClientDeps, entry: CatalogueEntry, record: Stored): OperatorClient | null => {
  const registered = deps.oauthClients.get(environmentName(entry.connector.id));
  if (registered === undefined) return null;
  const origin = tokenOrigin(deps, entry, record.config);
  return origin !== null && origin === tokenOrigin(deps, entry, {}) ? registered : null;
};

/** Id of the application that the organisation registered at its own server; null for none. */
export const ownClientId = ({ connector }: CatalogueEntry, record: Stored): string | null => {
  const { auth } = connector;
  if (auth.type !== 'oauth2' || auth.clientIdField === undefined) return null;
  const id = record.config[auth.clientIdField];
  return typeof id === 'string' && id !== '' ? id : null;
};

/** The client for requests of tokens: the organisation's own, else the operator's. */
export const knownClient = async (
  deps: ClientDeps & Pick<ConnectionsDeps, 'vault'>,
  db: Db,
  entry: CatalogueEntry,
  record: Stored,
): Promise<KnownClient> => {
  const { auth, id: connectorId } = entry.connector;
  const clientId = ownClientId(entry, record);
  if (clientId === null || auth.type !== 'oauth2') {
    const operator = operatorClient(deps, entry, record);
    return operator === null ? {} : { clientId: operator.clientId, clientSecret: operator.clientSecret };
  }
  const field = auth.clientSecretField;
  const secret =
    field === undefined ? undefined : await deps.vault.read(db, { clientId: record.clientId, connectorId, field });
  return { clientId, ...(secret === undefined ? {} : { clientSecret: secret }) };
};

/** What the card says of signing in at the service. */
export interface SignIn {
  /** Whether the button works. */
  ready: boolean;
  /** Why it does not, and what to do; null where it does. */
  message: string | null;
  /** Somebody signed in, or typed in a token. */
  signed_in: boolean;
  /** Whether people then choose on a second page what the application may see. */
  installation: boolean;
}

/** Whether people can sign in at the service, by what is stored; null for a connector without OAuth. */
export const signInOf = (
  deps: ClientDeps,
  entry: CatalogueEntry,
  record: Stored & Pick<ConnectionRecord, 'hints'>,
): SignIn | null => {
  const { auth, id, title, credentials } = entry.connector;
  if (auth.type !== 'oauth2') return null;
  const operator = operatorClient(deps, entry, record);
  const ready = ownClientId(entry, record) !== null || operator !== null;
  const installation = auth.installation !== undefined && operator?.app !== undefined;
  const signed_in = Object.hasOwn(record.hints, auth.tokenField ?? 'oauth_token');
  if (ready) return { ready, message: null, signed_in, installation };
  const name = environmentName(id);
  const own = auth.clientIdField === undefined ? undefined : credentials.properties[auth.clientIdField]?.title;
  const message =
    own !== undefined && entry.clientId !== undefined
      ? sayEnglish(
          'To sign in with {title}, register an OAuth application there and enter its {own}. A typed-in token works without it.',
          { title, own },
        )
      : own !== undefined && tokenOrigin(deps, entry, record.config) !== tokenOrigin(deps, entry, {})
        ? sayEnglish(
            'To sign in with {title}, register an OAuth application at your server and enter its {own}. A typed-in token works without it.',
            { title, own },
          )
        : sayEnglish(
            'To sign in with {title}, the operator of this server sets {name}_OAUTH_CLIENT_ID and {name}_OAUTH_CLIENT_SECRET. A typed-in token works without it.',
            { title, name },
          );
  return { ready, message, signed_in, installation };
};
