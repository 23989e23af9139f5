import type { Generated } from 'kysely';
import type { ProvenIdentity } from '../model/identity.ts';
import type { ScimUser } from '../model/scim/user.ts';
import type { InvitedRole, Protocol, RoleRule } from '../model/settings.ts';

export interface SingleSignOnTable {
  client_id: string;
  protocol: Generated<Protocol>;
  is_enabled: Generated<boolean>;
  is_enforced: Generated<boolean>;
  creates_accounts: Generated<boolean>;
  trusts_emails: Generated<boolean>;
  default_role: Generated<InvitedRole>;
  role_rules: Generated<RoleRule[]>;
  groups_claim: Generated<string>;
  oidc_issuer: Generated<string>;
  oidc_client_id: Generated<string>;
  saml_entity_id: Generated<string>;
  saml_sign_in_url: Generated<string>;
  /** PEM. */
  saml_certificates: Generated<string[]>;
  saml_email_attribute: Generated<string>;
  tested_at: Date | null;
  updated_at: Generated<Date>;
}

interface DomainsTable {
  client_id: string;
  /** Lower case. */
  domain: string;
}

interface IdentitiesTable {
  client_id: string;
  issuer: string;
  subject: string;
  user_id: string;
  created_at: Generated<Date>;
  last_used_at: Generated<Date>;
}

interface RequestsTable {
  client_id: string;
  state_hash: Buffer;
  browser_hash: Buffer;
  purpose: 'sign-in' | 'test';
  return_path: string;
  result: { identity: ProvenIdentity } | { refusal: string } | null;
  expires_at: Date;
}

interface AssertionsTable {
  client_id: string;
  assertion_hash: Buffer;
  expires_at: Date;
}

interface ProvisionedUsersTable {
  client_id: string;
  user_id: string;
  user_name: string;
  external_id: string | null;
  email: string;
  document: Pick<ScimUser, 'displayName' | 'title' | 'name' | 'emails'>;
  updated_at: Generated<Date>;
}

interface ProvisionedGroupsTable {
  client_id: string;
  id: Generated<string>;
  display_name: string;
  external_id: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface ProvisionedGroupMembersTable {
  client_id: string;
  group_id: string;
  user_id: string;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    single_sign_on: SingleSignOnTable;
    single_sign_on_domains: DomainsTable;
    single_sign_on_identities: IdentitiesTable;
    single_sign_on_requests: RequestsTable;
    single_sign_on_assertions: AssertionsTable;
    provisioned_users: ProvisionedUsersTable;
    provisioned_groups: ProvisionedGroupsTable;
    provisioned_group_members: ProvisionedGroupMembersTable;
  }
}
