import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { ConnectorError } from '@breakwater/sdk';

/** Who signs: the key is named by tenancy, user and fingerprint. */
interface Signer {
  readonly tenancy: string;
  readonly user: string;
  readonly fingerprint: string;
  readonly privateKey: KeyObject;
}

/** A GET that is to be signed. `path` is the whole path with its query. */
interface SignedGet {
  readonly host: string;
  readonly path: string;
  readonly now: Date;
}

/** @throws ConnectorError config, where the text is no RSA key in PEM */
export function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    throw badKey('The private key cannot be read.');
  }
  throw badKey('The private key is no RSA key.');
}

/**
 * Headers that sign a request without body.
 * Source: Oracle Cloud Infrastructure, "Request Signatures", version 1 (draft-cavage-http-signatures-08, rsa-sha256).
 */
export function signGet(signer: Signer, { host, path, now }: SignedGet): Record<string, string> {
  const date = now.toUTCString();
  const text = `date: ${date}\n(request-target): get ${path}\nhost: ${host}`;
  const signature = sign('RSA-SHA256', Buffer.from(text), signer.privateKey).toString('base64');
  const keyId = `${signer.tenancy}/${signer.user}/${signer.fingerprint.toLowerCase()}`;
  const fields = `keyId="${keyId}",algorithm="rsa-sha256",headers="date (request-target) host",signature="${signature}"`;
  return { date, authorization: `Signature version="1",${fields}` };
}

function badKey(message: string): ConnectorError {
  return new ConnectorError('config', message, {
    help: 'Paste the whole PEM file that belongs to the API key, without a passphrase.',
  });
}
