import { Type } from 'typebox';
import { Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { INVITED_ROLES } from '../../team/model/roles.ts';
import { MAXIMUM, PROTOCOLS } from '../model/settings.ts';

export const InvitedRoleSchema = OneOf(INVITED_ROLES);

const RoleRule = Type.Object(
  { group: Type.String({ minLength: 1, maxLength: 200 }), role: InvitedRoleSchema },
  { additionalProperties: false },
);

/** How an organisation signs in, as it is shown to its admins. */
export const Settings = Type.Object({
  protocol: OneOf(PROTOCOLS),
  is_enabled: Type.Boolean(),
  /** Passwords do not count, except the one of an only admin. */
  is_enforced: Type.Boolean(),
  /** Who is unknown gets an account at the first sign-in. */
  creates_accounts: Type.Boolean(),
  /** The provider sends no `email_verified`. */
  trusts_emails: Type.Boolean(),
  default_role: InvitedRoleSchema,
  /** Empty: roles are given by hand. */
  role_rules: Type.Array(RoleRule, { maxItems: MAXIMUM.rules }),
  groups_claim: Type.String(),
  domains: Type.Array(Type.String()),
  oidc_issuer: Type.String(),
  oidc_client_id: Type.String(),
  has_oidc_client_secret: Type.Boolean(),
  /** Last characters of the secret. */
  oidc_client_secret_hint: Type.String(),
  saml_entity_id: Type.String(),
  saml_sign_in_url: Type.String(),
  saml_certificates: Type.Array(
    Type.Object({ pem: Type.String(), fingerprint: Type.String(), valid_to: Timestamp, is_expired: Type.Boolean() }),
  ),
  saml_email_attribute: Type.String(),
  /** The last test sign-in that was accepted; null after a change of the provider. */
  tested_at: Nullable(Timestamp),
  /** Addresses that the identity provider asks for. */
  service: Type.Object({
    redirect_uri: Type.String(),
    entity_id: Type.String(),
    acs_url: Type.String(),
    scim_url: Type.String(),
  }),
});

const Host = Type.String({ maxLength: 253 });

/** What an admin may change; what is left out stays as it is. */
export const SettingsChange = Type.Partial(
  Type.Object({
    protocol: Settings.properties.protocol,
    is_enabled: Type.Boolean(),
    is_enforced: Type.Boolean(),
    creates_accounts: Type.Boolean(),
    trusts_emails: Type.Boolean(),
    default_role: InvitedRoleSchema,
    role_rules: Settings.properties.role_rules,
    groups_claim: Type.String({ minLength: 1, maxLength: 200 }),
    domains: Type.Array(Host, { maxItems: MAXIMUM.domains, uniqueItems: true }),
    oidc_issuer: Type.String({ maxLength: 500 }),
    oidc_client_id: Type.String({ maxLength: 500 }),
    /** Null removes it: a public client, which PKCE alone protects. */
    oidc_client_secret: Nullable(Type.String({ minLength: 1, maxLength: 2000 })),
    /** The provider's metadata document; fills the next three. */
    saml_metadata: Type.String({ minLength: 1, maxLength: 300_000 }),
    /** Where that document lies: read once, when this is saved. */
    saml_metadata_url: Type.String({ minLength: 1, maxLength: 2000 }),
    saml_entity_id: Type.String({ maxLength: 1000 }),
    saml_sign_in_url: Type.String({ maxLength: 2000 }),
    saml_certificates: Type.Array(Type.String({ maxLength: 20_000 }), { maxItems: MAXIMUM.certificates }),
    saml_email_attribute: Type.String({ maxLength: 200 }),
  }),
  { additionalProperties: false },
);
