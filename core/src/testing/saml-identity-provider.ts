import { createSign, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { SignedXml } from 'xml-crypto';

/** A key with its certificate, as PEM. */
export interface SigningKey {
  key: string;
  certificate: string;
}

/** An element of DER (X.690). */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from([body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, body]);
};

const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`));

/** Makes a key and a certificate signed by itself (RFC 5280), valid for a day. */
export const makeSigningKey = (): SigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // sha256WithRSAEncryption
  const algorithm = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05));
  const commonName = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('identity.example.test')));
  const name = sequence(der(0x31, commonName));
  const validity = sequence(time(new Date(Date.now() - 3_600_000)), time(new Date(Date.now() + 86_400_000)));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const body = sequence(version, der(0x02, Buffer.from([1])), algorithm, name, validity, name, key);
  const signature = der(0x03, Buffer.from([0]), createSign('sha256').update(body).sign(privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: new X509Certificate(sequence(body, algorithm, signature)).toString().trim(),
  };
};

export const IDP_ENTITY = 'https://identity.example.test/saml';

/** What a response says; everything has a right value. */
export interface SamlScene {
  requestId: string;
  acsUrl: string;
  audience: string;
  issuer: string;
  /** Escaped already. */
  nameId: string;
  attributes: Readonly<Record<string, string | string[]>>;
  recipient: string;
  destination: string;
  /** Seconds from now. */
  notBefore: number;
  notOnOrAfter: number;
  assertionId: string;
}

const moment = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const attributeXml = ([name, values]: [string, string | string[]]): string =>
  `<saml:Attribute Name="${name}">${[values]
    .flat()
    .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
    .join('')}</saml:Attribute>`;

/** An assertion without signature. */
export const assertionXml = (scene: SamlScene): string =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${scene.assertionId}" Version="2.0" IssueInstant="${moment(0)}">` +
  `<saml:Issuer>${scene.issuer}</saml:Issuer>` +
  `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${scene.nameId}</saml:NameID>` +
  `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${scene.requestId}" Recipient="${scene.recipient}" NotOnOrAfter="${moment(scene.notOnOrAfter)}"/></saml:SubjectConfirmation></saml:Subject>` +
  `<saml:Conditions NotBefore="${moment(scene.notBefore)}" NotOnOrAfter="${moment(scene.notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${scene.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
  `<saml:AuthnStatement AuthnInstant="${moment(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
  `<saml:AttributeStatement>${Object.entries(scene.attributes).map(attributeXml).join('')}</saml:AttributeStatement>` +
  '</saml:Assertion>';

/** A response around what is inside. */
export const responseXml = (scene: SamlScene, inside: string): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response${scene.assertionId}" Version="2.0" IssueInstant="${moment(0)}" Destination="${scene.destination}" InResponseTo="${scene.requestId}">` +
  `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${scene.issuer}</saml:Issuer>` +
  '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>' +
  `${inside}</samlp:Response>`;

const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Signs the element with this name, as identity providers do: enveloped, after its Issuer. */
export const sign = (
  xml: string,
  { key }: SigningKey,
  { element = 'Assertion', hash = 'sha256' }: { element?: 'Assertion' | 'Response'; hash?: 'sha1' | 'sha256' } = {},
): string => {
  const isWeak = hash === 'sha1';
  const signer = new SignedXml({
    privateKey: key,
    canonicalizationAlgorithm: C14N,
    signatureAlgorithm: isWeak
      ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
      : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  });
  signer.addReference({
    xpath: `//*[local-name(.)='${element}']`,
    digestAlgorithm: isWeak ? 'http://www.w3.org/2000/09/xmldsig#sha1' : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', C14N],
  });
  const reference = `//*[local-name(.)='${element}']/*[local-name(.)='Issuer']`;
  signer.computeSignature(xml, { location: { reference, action: 'after' } });
  return signer.getSignedXml();
};

/** The metadata document of the test provider. */
export const idpMetadata = ({ certificate }: SigningKey, signInUrl: string): string =>
  `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${IDP_ENTITY}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate.replace(/-----[A-Z ]+-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${signInUrl}/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${signInUrl}"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
