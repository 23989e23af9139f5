import { X509Certificate } from 'node:crypto';
import type { Db } from '../../platform/server/database.ts';
import { serviceAddresses } from '../model/settings.ts';
import type { SingleSignOnDeps } from './deps.ts';
import { scimBase } from './scim/resources.ts';
import { readSettings, SECRET } from './settings-store.ts';

const certificateItem = (pem: string) => {
  const certificate = new X509Certificate(pem);
  const validTo = new Date(certificate.validTo);
  return {
    pem,
    fingerprint: certificate.fingerprint256,
    valid_to: validTo.toISOString(),
    is_expired: validTo.getTime() < Date.now(),
  };
};

/** Of an organisation that never configured anything. */
const EMPTY = {
  protocol: 'oidc',
  is_enabled: false,
  is_enforced: false,
  creates_accounts: true,
  trusts_emails: false,
  default_role: 'developer',
  role_rules: [],
  groups_claim: 'groups',
  domains: [],
  oidc_issuer: '',
  oidc_client_id: '',
  saml_entity_id: '',
  saml_sign_in_url: '',
  saml_certificates: [],
  saml_email_attribute: '',
  tested_at: null,
} as const;

/** How an organisation signs in, as its admins see it: without the secret. */
export const settingsItem = async ({ vault, origin }: SingleSignOnDeps, db: Db, clientId: string) => {
  const row = await readSettings(db, clientId);
  const {
    client_id: _client,
    updated_at: _updated,
    ...settings
  } = row ?? { ...EMPTY, client_id: '', updated_at: null };
  const secret = (await vault.list(db, { clientId, connectorId: SECRET.connectorId })).find(
    ({ field }) => field === SECRET.field,
  );
  const service = serviceAddresses(origin, clientId);
  return {
    ...settings,
    role_rules: [...settings.role_rules],
    domains: [...settings.domains],
    has_oidc_client_secret: secret !== undefined,
    oidc_client_secret_hint: secret?.hint ?? '',
    saml_certificates: settings.saml_certificates.map(certificateItem),
    tested_at: settings.tested_at?.toISOString() ?? null,
    service: {
      redirect_uri: service.redirectUri,
      entity_id: service.entityId,
      acs_url: service.acsUrl,
      scim_url: scimBase(origin),
    },
  };
};
