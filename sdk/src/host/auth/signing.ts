import type { Auth } from '../../connector.ts';
import { secretKeys } from '../../credentials.ts';
import { ConnectorError, isConnectorError } from '../../errors.ts';
import { templateKeys } from '../../manifest.ts';
import type { HostConnection } from '../connection.ts';
import { fieldTitle, fillTemplate, publicConfig } from '../egress/roots.ts';
import { codeOfError } from '../http/read-body.ts';
import type { Secrets } from './secrets.ts';

/** The header that signs a request; null where the connector signs none. */
interface Signature {
  readonly name: string;
  readonly value: string;
}

/** Reads the secrets that the manifest's `auth` names. @throws ConnectorError config, naming the field that is empty or broken */
export async function signatureOf({ connector, config }: HostConnection, secrets: Secrets): Promise<Signature | null> {
  const { auth, credentials } = connector;
  if (auth.type === 'none' || auth.type === 'address') return null;
  const template = templateOf(auth);
  const secretNames = new Set<string>(secretKeys(credentials));
  const values: Record<string, unknown> = { ...publicConfig(connector, config) };
  for (const key of templateKeys(template)) {
    if (secretNames.has(key)) values[key] = await secrets.need(key);
  }
  const filled = fillTemplate(template, { schema: credentials, values });
  const names = templateKeys(template).map((key) => `"${fieldTitle(credentials, key)}"`);
  const signature = headerOf(auth, filled);
  secrets.mask.add(filled);
  secrets.mask.add(signature.value);
  if (/[^\t\x20-\x7e\x80-\xff]/.test(signature.value)) {
    throw new ConnectorError('config', `${names.join(' with ')} holds a line break or a sign that cannot be sent.`, {
      help: 'Copy the value again, without what stands before and after it.',
    });
  }
  return signature;
}

/** Authorizations that are a header. */
type HeaderAuth = Exclude<Auth, { type: 'none' } | { type: 'address' }>;

function templateOf(auth: HeaderAuth): string {
  return auth.type === 'oauth2' ? `{{${auth.tokenField ?? 'oauth_token'}}}` : auth.value;
}

function headerOf(auth: HeaderAuth, value: string): Signature {
  if (auth.type === 'header') return { name: auth.name.toLowerCase(), value };
  if (auth.type === 'basic') {
    return { name: 'authorization', value: `Basic ${Buffer.from(value).toString('base64')}` };
  }
  return { name: 'authorization', value: `Bearer ${value}` };
}

interface Renewal {
  /** Counts the tokens that this connection has had. */
  generation: number;
  running: Promise<void> | null;
}

const renewals = new WeakMap<HostConnection, Renewal>();

function renewalOf(connection: HostConnection): Renewal {
  const known = renewals.get(connection) ?? { generation: 0, running: null };
  renewals.set(connection, known);
  return known;
}

/** Which token requests are signed with from now on. */
export function tokenGeneration(connection: HostConnection): number {
  return renewalOf(connection).generation;
}

/**
 * Renews the token with which a request was refused, unless that has happened meanwhile: any number of refused requests of a
 * connection cause one renewal. @returns false where the connection has nothing to renew
 * @throws ConnectorError
 */
export async function renewToken(connection: HostConnection, refused: number): Promise<boolean> {
  if (connection.connector.auth.type !== 'oauth2' || connection.refreshToken === undefined) return false;
  const renewal = renewalOf(connection);
  if (renewal.generation !== refused) return true;
  renewal.running ??= connection
    .refreshToken()
    .then(() => {
      renewal.generation += 1;
    })
    .finally(() => {
      renewal.running = null;
    });
  try {
    await renewal.running;
  } catch (error) {
    if (isConnectorError(error)) throw error;
    throw new ConnectorError('unreachable', 'The access token could not be renewed just now.', {
      cause: new Error(codeOfError(error)),
    });
  }
  return true;
}
