import type { Auth } from '../connector.ts';
import { secretKeys } from '../credentials.ts';
import { ConnectorError } from '../errors.ts';
import { templateKeys } from '../template.ts';
import type { HostConnection } from './connection.ts';
import { fieldTitle, fillTemplate } from './fill-template.ts';
import { publicConfig } from './public-config.ts';
import type { Secrets } from './secrets.ts';

/** The header that signs a request; null where the connector signs none. */
export interface Signature {
  readonly name: string;
  readonly value: string;
}

/** Reads the secrets that the manifest's `auth` names. @throws ConnectorError config, naming the field that is empty or broken */
export async function signatureOf({ connector, config }: HostConnection, secrets: Secrets): Promise<Signature | null> {
  const { auth, credentials } = connector;
  if (auth.type === 'none') return null;
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

function templateOf(auth: Exclude<Auth, { type: 'none' }>): string {
  return auth.type === 'oauth2' ? `{{${auth.tokenField ?? 'oauth_token'}}}` : auth.value;
}

function headerOf(auth: Exclude<Auth, { type: 'none' }>, value: string): Signature {
  if (auth.type === 'header') return { name: auth.name.toLowerCase(), value };
  if (auth.type === 'basic') {
    return { name: 'authorization', value: `Basic ${Buffer.from(value).toString('base64')}` };
  }
  return { name: 'authorization', value: `Bearer ${value}` };
}
