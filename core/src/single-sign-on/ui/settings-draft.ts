import type { Static } from 'typebox';
import type { Settings, SettingsChange } from '../api/settings-schema.ts';
import type { RoleRule } from '../model/settings.ts';

type Stored = Static<typeof Settings>;
type Change = Static<typeof SettingsChange>;

/** Fields that are typed as they are sent. */
const PLAIN = [
  'protocol',
  'creates_accounts',
  'trusts_emails',
  'default_role',
  'groups_claim',
  'oidc_issuer',
  'oidc_client_id',
  'saml_entity_id',
  'saml_sign_in_url',
  'saml_email_attribute',
] as const;

/** A rule on the screen, with a key while it is there. */
export interface DraftRule extends RoleRule {
  key: number;
}

/** The settings as they are typed. Names are those of the API, so that its issues find their fields. */
export interface Draft extends Pick<Stored, (typeof PLAIN)[number]> {
  /** One a line. */
  domains: string;
  /** PEM, one after the other. */
  saml_certificates: string;
  role_rules: DraftRule[];
  /** Empty: the stored one stays. */
  oidc_client_secret: string;
  /** Removes the stored secret. */
  removesSecret: boolean;
  /** Content of a file; empty for none. */
  saml_metadata: string;
  /** Where the metadata is read once; empty for nowhere. */
  saml_metadata_url: string;
}

const pemsOf = (stored: Stored): string => stored.saml_certificates.map(({ pem }) => pem).join('\n');

const domainsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((domain) => domain !== '');

const certificatesIn = (text: string): string[] => {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  // what is no PEM goes to the server, which says so
  return blocks ?? (text.trim() === '' ? [] : [text.trim()]);
};

const rulesIn = (rules: readonly DraftRule[]): RoleRule[] =>
  rules.filter(({ group }) => group.trim() !== '').map(({ group, role }) => ({ group: group.trim(), role }));

/** @returns what the screen begins with */
export const draftOf = (stored: Stored): Draft => ({
  protocol: stored.protocol,
  creates_accounts: stored.creates_accounts,
  trusts_emails: stored.trusts_emails,
  default_role: stored.default_role,
  groups_claim: stored.groups_claim,
  oidc_issuer: stored.oidc_issuer,
  oidc_client_id: stored.oidc_client_id,
  saml_entity_id: stored.saml_entity_id,
  saml_sign_in_url: stored.saml_sign_in_url,
  saml_email_attribute: stored.saml_email_attribute,
  domains: stored.domains.join('\n'),
  saml_certificates: pemsOf(stored),
  role_rules: stored.role_rules.map((rule, key) => ({ ...rule, key })),
  oidc_client_secret: '',
  removesSecret: false,
  saml_metadata: '',
  saml_metadata_url: '',
});

const secretOf = ({ oidc_client_secret: secret, removesSecret }: Draft): Change => {
  if (secret !== '') return { oidc_client_secret: secret };
  return removesSecret ? { oidc_client_secret: null } : {};
};

/** @returns what differs from what is stored: the body of a save */
export const changeOf = (stored: Stored, draft: Draft): Change => {
  const domains = domainsIn(draft.domains);
  const rules = rulesIn(draft.role_rules);
  const url = draft.saml_metadata_url.trim();
  return {
    ...Object.fromEntries(PLAIN.flatMap((name) => (draft[name] === stored[name] ? [] : [[name, draft[name]]]))),
    ...(domains.join(' ') === stored.domains.join(' ') ? {} : { domains }),
    ...(draft.saml_certificates.trim() === pemsOf(stored).trim()
      ? {}
      : { saml_certificates: certificatesIn(draft.saml_certificates) }),
    ...(JSON.stringify(rules) === JSON.stringify(stored.role_rules.map(({ group, role }) => ({ group, role })))
      ? {}
      : { role_rules: rules }),
    ...secretOf(draft),
    ...(draft.saml_metadata === '' ? {} : { saml_metadata: draft.saml_metadata }),
    ...(url === '' ? {} : { saml_metadata_url: url }),
  };
};
