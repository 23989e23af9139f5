import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ConnectorError, type Json, readAnswer, Type } from '@breakwater/sdk';

/** What is used of a service account's key file. Source: Google Cloud IAM, "Create and delete service account keys". */
const KeyFile = Type.Object({
  type: Type.Literal('service_account'),
  project_id: Type.String({ minLength: 1 }),
  private_key_id: Type.Optional(Type.String()),
  private_key: Type.String({ minLength: 1 }),
  client_email: Type.String({ minLength: 3 }),
});

/** The part of a key file that signs. */
export interface SigningKey {
  readonly keyId: string | undefined;
  readonly privateKey: KeyObject;
}

/** The fields that were entered beside the key file. */
interface Entered {
  readonly service_account: string;
  readonly project_id: string;
  readonly client_email: string;
}

/**
 * Reads a key file and holds it against the other fields, so that a file of another account is told before Google is asked.
 * @throws ConnectorError config, naming the field and never the content
 */
export function readKeyFile(text: string, entered: Entered): SigningKey {
  const file = parse(text);
  const accountMail = entered.service_account.includes('@') ? entered.service_account : file.client_email;
  if (file.client_email !== entered.client_email || file.client_email !== accountMail) {
    throw wrongFile('The key file belongs to another service account than the one entered.');
  }
  if (file.project_id !== entered.project_id) {
    throw wrongFile('The key file belongs to another project than the one entered.');
  }
  return { keyId: file.private_key_id, privateKey: privateKeyOf(file.private_key) };
}

function parse(text: string) {
  try {
    const content: Json = JSON.parse(text);
    return readAnswer(KeyFile, content);
  } catch {
    throw wrongFile('The key file is not the JSON key of a service account.');
  }
}

function privateKeyOf(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    throw wrongFile('The private key in the key file cannot be read.');
  }
  throw wrongFile('The private key in the key file is no RSA key.');
}

function wrongFile(message: string): ConnectorError {
  return new ConnectorError('config', message, {
    help: 'Make a new key under Service accounts, Keys, JSON, and paste the whole file; take the other fields from it.',
  });
}
