import { X509Certificate } from 'node:crypto';
import { msg } from '../../../platform/model/message.ts';
import { METADATA, REDIRECT_BINDING, SIGNATURE } from './namespaces.ts';
import { childrenOf, findAll, readXml, XmlRefusal } from './xml.ts';

/** What an identity provider says of itself. */
export interface IdpMetadata {
  entityId: string;
  signInUrl: string;
  /** PEM. */
  certificates: string[];
}

/** A certificate as PEM, from PEM or bare base64. @returns nothing where it is none */
export const readCertificate = (text: string): X509Certificate | undefined => {
  const bare = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/=]{100,20000}$/.test(bare)) return undefined;
  try {
    return new X509Certificate(Buffer.from(bare, 'base64'));
  } catch {
    return undefined;
  }
};

/** PEM of a certificate in one line of base64 each 64 signs, whatever way it came. */
export const pemOf = (certificate: X509Certificate): string => certificate.toString().trim();

/** Reads the metadata document of an identity provider. @throws XmlRefusal with a sentence for people */
export const readIdpMetadata = (xml: string): IdpMetadata => {
  const document = readXml(xml.trim());
  const entities = findAll(document, METADATA, 'EntityDescriptor').filter(
    (entity) => childrenOf(entity, METADATA, 'IDPSSODescriptor').length > 0,
  );
  const [entity] = entities;
  if (entity === undefined || entities.length > 1) {
    throw new XmlRefusal(msg('The metadata must describe exactly one identity provider (IDPSSODescriptor).'));
  }
  const descriptors = childrenOf(entity, METADATA, 'IDPSSODescriptor');
  const signInUrl = descriptors
    .flatMap((one) => childrenOf(one, METADATA, 'SingleSignOnService'))
    .find(({ attributes }) => attributes['Binding'] === REDIRECT_BINDING)?.attributes['Location'];
  if (signInUrl === undefined)
    throw new XmlRefusal(msg('The metadata names no address for sign-in by redirect (HTTP-Redirect).'));
  const certificates = descriptors
    .flatMap((one) => childrenOf(one, METADATA, 'KeyDescriptor'))
    .filter(({ attributes }) => attributes['use'] !== 'encryption')
    .flatMap((key) => findAll(key, SIGNATURE, 'X509Certificate'))
    .flatMap(({ text }) => readCertificate(text) ?? []);
  if (certificates.length === 0) throw new XmlRefusal(msg('The metadata holds no certificate for signatures.'));
  const entityId = entity.attributes['entityID'] ?? '';
  if (entityId === '') throw new XmlRefusal(msg('The metadata names no entity id.'));
  return { entityId, signInUrl, certificates: [...new Set(certificates.map(pemOf))] };
};
