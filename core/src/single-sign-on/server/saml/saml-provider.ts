import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { isPlainEmail, type ProvenIdentity } from '../../model/identity.ts';
import type { ServiceAddresses } from '../../model/settings.ts';
import { refusal } from '../refusal.ts';
import { ASSERTION, PROTOCOL, SIGNATURE } from './namespaces.ts';
import { childrenOf, findAll, readXml, type XmlElement, XmlRefusal } from './xml.ts';

/** The provider of one organisation, as it is configured. */
export interface SamlProvider {
  entityId: string;
  signInUrl: string;
  /** PEM; a signature by one of them counts. */
  certificates: string[];
  /** Empty: the usual names, then the NameID. */
  emailAttribute: string;
  groupsAttribute: string;
  service: ServiceAddresses;
}

/** What a response said, with what keeps it from counting twice. */
export interface SamlAnswer {
  identity: ProvenIdentity;
  assertionId: string;
  expiresAt: Date;
}

/** Clocks of the two servers may differ by this. */
const CLOCK_SKEW_MS = 120_000;
const MAX_AGE_MS = 600_000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Of Microsoft Entra, Okta, Shibboleth and others. */
const EMAIL_NAMES = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const NAME_NAMES = [
  'username',
  'uid',
  'displayname',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
];

/** The id of a request: an XML name, so that it does not begin with a digit. */
const requestIdOf = (state: string): string => `_${state}`;

const optionsOf = ({ service, ...provider }: SamlProvider, state: string): SamlConfig => {
  const requestId = requestIdOf(state);
  const begun = new Date().toISOString();
  return {
    entryPoint: provider.signInUrl,
    issuer: service.entityId,
    callbackUrl: service.acsUrl,
    audience: service.entityId,
    idpCert: provider.certificates,
    idpIssuer: provider.entityId,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: MAX_AGE_MS,
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    // the request itself is kept, and taken once, by requests.ts: here only its id is known
    cacheProvider: {
      saveAsync: async (_key, value) => ({ value, createdAt: Date.now() }),
      getAsync: async (key) => (key === requestId ? begun : null),
      removeAsync: async () => null,
    },
  };
};

/** Where the person goes to sign in. */
export const samlAddress = (provider: SamlProvider, state: string): Promise<string> =>
  new SAML(optionsOf(provider, state)).getAuthorizeUrlAsync('', undefined, {});

/** What an identity provider is told of this server: XML. */
export const serviceMetadata = (service: ServiceAddresses): string => {
  const provider = {
    entityId: '',
    signInUrl: '',
    certificates: [''],
    emailAttribute: '',
    groupsAttribute: '',
    service,
  };
  const options = { ...optionsOf(provider, ''), idpCert: 'none', generateUniqueId: () => '_service' };
  return new SAML(options).generateServiceProviderMetadata(null, null);
};

const WEAK_ALGORITHM = /(rsa-|#)(sha1|md5)$|dsa-sha1$|hmac/i;

/**
 * What can be judged before any signature: exactly one assertion in the whole document, so that none can be wrapped, no encrypted one, no
 * weak algorithm. @throws single_sign_on_refused
 */
const requireOneAssertion = (response: XmlElement): void => {
  if (response.name !== 'Response' || response.namespace !== PROTOCOL) {
    throw refusal(msg('The identity provider sent something else than a SAML response.'));
  }
  if (findAll(response, ASSERTION, 'EncryptedAssertion').length > 0) {
    throw refusal(msg('The assertion is encrypted. Switch encryption of assertions off at the identity provider.'));
  }
  const assertions = findAll(response, ASSERTION, 'Assertion');
  if (assertions.length > 1 || findAll(response, PROTOCOL, 'Response').length > 1) {
    throw refusal(msg('The response holds more than one assertion.'));
  }
  const ids = [response, ...assertions].map(({ attributes }) => attributes['ID']);
  if (new Set(ids).size !== ids.length) throw refusal(msg('Two parts of the response have the same id.'));
  const methods = ['SignatureMethod', 'DigestMethod'].flatMap((name) => findAll(response, SIGNATURE, name));
  const weak = methods.map(({ attributes }) => attributes['Algorithm'] ?? '').find((one) => WEAK_ALGORITHM.test(one));
  if (weak !== undefined)
    throw refusal(sayEnglish('The response is signed by {weak}, which is too weak. Use SHA-256.', { weak }));
};

/** @throws single_sign_on_refused */
const readDocument = (encoded: string): XmlElement => {
  try {
    return readXml(Buffer.from(encoded, 'base64').toString('utf8'));
  } catch (error) {
    if (error instanceof XmlRefusal) throw refusal(error.message, error);
    throw error;
  }
};

/** The state of the sign-in that a response claims to answer. @throws single_sign_on_refused where it answers none */
export const stateOf = (encoded: string): string => {
  const requestId = readDocument(encoded).attributes['InResponseTo'] ?? '';
  if (!/^_[\w-]{43}$/.test(requestId)) {
    throw refusal(msg('The response answers no sign-in that was begun here. Begin at the sign-in page of Breakwater.'));
  }
  return requestId.slice(1);
};

const only = (element: XmlElement, name: string): XmlElement => {
  const [first, second] = childrenOf(element, ASSERTION, name);
  if (first === undefined || second !== undefined)
    throw refusal(sayEnglish('The assertion must have exactly one {name}.', { name }));
  return first;
};

/** The confirmation that is meant for this server, this request and now. @returns when it ends @throws single_sign_on_refused */
const requireConfirmation = (subject: XmlElement, acsUrl: string, requestId: string): Date => {
  const [confirmation, ...others] = childrenOf(subject, ASSERTION, 'SubjectConfirmation');
  if (confirmation === undefined || others.length > 0 || confirmation.attributes['Method'] !== BEARER) {
    throw refusal(msg('The assertion must be confirmed once, as bearer.'));
  }
  const { attributes } = only(confirmation, 'SubjectConfirmationData');
  if (attributes['Recipient'] !== acsUrl) throw refusal(msg('The assertion was made for another recipient.'));
  if (attributes['InResponseTo'] !== requestId) throw refusal(msg('The assertion answers another sign-in.'));
  const ends = Date.parse(attributes['NotOnOrAfter'] ?? '');
  if (Number.isNaN(ends)) throw refusal(msg('The assertion does not say until when it may be confirmed.'));
  return new Date(ends + CLOCK_SKEW_MS);
};

type Attributes = ReadonlyMap<string, string[]>;

const attributesOf = (assertion: XmlElement): Attributes => {
  const values = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const name = (attribute.attributes['Name'] ?? '').toLowerCase();
      const texts = childrenOf(attribute, ASSERTION, 'AttributeValue').map(({ text }) => text.trim());
      values.set(name, [...(values.get(name) ?? []), ...texts]);
    }
  }
  return values;
};

const firstOf = (attributes: Attributes, names: readonly string[]): string | null => {
  for (const name of names) {
    const [value] = attributes.get(name.toLowerCase()) ?? [];
    if (value !== undefined && value !== '') return value;
  }
  return null;
};

const emailOf = (nameId: XmlElement, attributes: Attributes, wanted: string): string | null => {
  const found = firstOf(attributes, wanted === '' ? EMAIL_NAMES : [wanted]);
  if (found !== null || wanted !== '') return found;
  const subject = nameId.text.trim();
  return nameId.attributes['Format'] === EMAIL_FORMAT || isPlainEmail(subject) ? subject : null;
};

/** Reads what was signed, and nothing else. @throws single_sign_on_refused */
const readAssertion = (xml: string, provider: SamlProvider, requestId: string): SamlAnswer => {
  const assertion = readXml(xml);
  if (assertion.name !== 'Assertion' || assertion.namespace !== ASSERTION)
    throw refusal(msg('The signature does not cover the assertion.'));
  if (only(assertion, 'Issuer').text.trim() !== provider.entityId)
    throw refusal(msg('The assertion was made by another identity provider.'));
  only(assertion, 'Conditions');
  if (childrenOf(assertion, ASSERTION, 'AuthnStatement').length === 0)
    throw refusal(msg('The assertion says nothing of a sign-in.'));
  const subject = only(assertion, 'Subject');
  const expiresAt = requireConfirmation(subject, provider.service.acsUrl, requestId);
  const nameId = only(subject, 'NameID');
  const subjectId = nameId.text.trim();
  if (subjectId === '') throw refusal(msg('The assertion names nobody.'));
  const attributes = attributesOf(assertion);
  return {
    assertionId: assertion.attributes['ID'] ?? '',
    expiresAt,
    identity: {
      issuer: provider.entityId,
      subject: subjectId,
      email: emailOf(nameId, attributes, provider.emailAttribute),
      // the provider of one organisation answers for the addresses of its people, within its domains
      isEmailVerified: true,
      name: firstOf(attributes, NAME_NAMES),
      groups: [...(attributes.get(provider.groupsAttribute.toLowerCase()) ?? [])],
    },
  };
};

const explain = (error: unknown): string => {
  const text = error instanceof Error ? error.message : '';
  return sayEnglish('The answer of the identity provider was refused: {texts}.', {
    texts: text.replace(/\s+/g, ' ').slice(0, 300),
  });
};

/**
 * Verifies a response that answers the sign-in of this state: signature of the assertion, issuer, audience, recipient, times.
 * @throws single_sign_on_refused
 */
export const redeemSaml = async (provider: SamlProvider, state: string, encoded: string): Promise<SamlAnswer> => {
  const response = readDocument(encoded);
  requireOneAssertion(response);
  const destination = response.attributes['Destination'];
  if (destination !== undefined && destination !== '' && destination !== provider.service.acsUrl) {
    throw refusal(msg('The response was made for another address.'));
  }
  try {
    const saml = new SAML(optionsOf(provider, state));
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded });
    const signed = profile?.getAssertionXml?.();
    if (signed === undefined) throw refusal(msg('The identity provider signed nobody in.'));
    return readAssertion(signed, provider, requestIdOf(state));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refusal(explain(error), error);
  }
};
