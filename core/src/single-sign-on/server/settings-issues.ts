import type { Static } from 'typebox';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import { createEgressFetch } from '../../platform/server/identity/egress-fetch.ts';
import type { SettingsChange } from '../api/settings-schema.ts';
import type { OidcDeps } from './oidc/oidc-provider.ts';
import { egressMessage } from './refusal.ts';
import { pemOf, readCertificate, readIdpMetadata } from './saml/idp-metadata.ts';
import { XmlRefusal } from './saml/xml.ts';

export type SettingsBody = Static<typeof SettingsChange>;

export const issue = (field: string, msg: string): FieldIssue => ({ loc: ['body', field], msg, type: 'value' });

/** @throws validation_failed with all of them */
export const refuseIssues = (issues: readonly FieldIssue[]): void => {
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues: [...issues] });
};

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** An address that a browser or this server is sent to; empty for none yet. */
const addressIssues = (field: string, text: string | undefined, allowsHttp: boolean): FieldIssue[] => {
  if (text === undefined || text === '') return [];
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && allowsHttp)) {
    return [issue(field, msg('Give an address that begins with https://.'))];
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    return [issue(field, msg('Give the address without user name, password and fragment.'))];
  }
  return [];
};

const readMetadata = (xml: string, field: 'saml_metadata' | 'saml_metadata_url'): SettingsBody => {
  try {
    const { entityId, signInUrl, certificates } = readIdpMetadata(xml);
    return { saml_entity_id: entityId, saml_sign_in_url: signInUrl, saml_certificates: certificates };
  } catch (error) {
    if (!(error instanceof XmlRefusal)) throw error;
    throw new AppError('validation_failed', undefined, { issues: [issue(field, error.message)] });
  }
};

/** Reads the metadata document where only its address is given. @throws validation_failed */
export const fetchMetadata = async (
  body: SettingsBody,
  { gate, allowPrivateHosts }: OidcDeps,
): Promise<SettingsBody> => {
  const { saml_metadata_url: address, ...given } = body;
  if (address === undefined) return body;
  const field = 'saml_metadata_url';
  if (given.saml_metadata !== undefined) {
    refuseIssues([issue(field, msg('Give the metadata as a file or by its address, not both.'))]);
  }
  refuseIssues(addressIssues(field, address, allowPrivateHosts));
  const fetch = createEgressFetch(gate);
  try {
    const response = await fetch(address, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
    if (response.status !== 200) {
      refuseIssues([
        issue(
          field,
          sayEnglish('The address answers with status {status}. Give the one of the document itself.', {
            status: response.status,
          }),
        ),
      ]);
    }
    return { ...given, ...readMetadata(await response.text(), field) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = egressMessage(error) ?? msg('It could not be reached.');
    throw new AppError('validation_failed', undefined, { issues: [issue(field, reason)], cause: error });
  }
};

/** Domains in lower case, certificates as PEM, the metadata document as the three fields that it says. @throws validation_failed */
export const readBody = (body: SettingsBody, allowsHttp: boolean): SettingsBody => {
  const { saml_metadata: metadata, ...given } = body;
  const values: SettingsBody = { ...given, ...(metadata === undefined ? {} : readMetadata(metadata, 'saml_metadata')) };
  const domains = values.domains?.map((domain) => domain.trim().toLowerCase().replace(/^@/, ''));
  const certificates = values.saml_certificates?.map(readCertificate);
  const issuer = values.oidc_issuer?.trim();
  refuseIssues([
    ...(domains ?? [])
      .filter((domain) => !DOMAIN.test(domain))
      .map((domain) => issue('domains', sayEnglish('"{domain}" is no domain such as example.org.', { domain }))),
    ...(certificates?.includes(undefined)
      ? [issue('saml_certificates', msg('Paste certificates in PEM: -----BEGIN CERTIFICATE-----'))]
      : []),
    ...addressIssues('oidc_issuer', issuer, allowsHttp),
    ...addressIssues('saml_sign_in_url', values.saml_sign_in_url, allowsHttp),
  ]);
  return {
    ...values,
    ...(domains === undefined ? {} : { domains: [...new Set(domains)] }),
    ...(certificates === undefined
      ? {}
      : { saml_certificates: certificates.flatMap((one) => (one === undefined ? [] : [pemOf(one)])) }),
    ...(issuer === undefined ? {} : { oidc_issuer: issuer }),
  };
};
