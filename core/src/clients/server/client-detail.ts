import { type Selectable, sql } from 'kysely';
import type { Connections, ConnectorItem } from '../../connectors/server/index.ts';
import { can } from '../../platform/model/permissions.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { Vault } from '../../platform/server/vault.ts';
import { readSettings } from '../../prioritisation/server/index.ts';
import { GOOGLE_TOKEN, listApiTokens } from '../../session/server/index.ts';
import { fullCompany } from '../model/company.ts';
import { type ConnectorSection, SECTIONS } from '../model/connector-sections.ts';
import type { ClientsTable } from './tables.ts';
import './tables.ts';

type ClientRow = Selectable<ClientsTable>;

/** More than an organisation may hold at once. */
const MAX_TOKENS = 200;

type Fields = ConnectorItem['attributes']['fields'];

/** The part of the detail that shows one connector: public fields as they are, of secrets that they are there. */
const viewOf = ({ connector, fields, secrets }: ConnectorSection, items: ReadonlyMap<string, ConnectorItem>) => {
  const attributes = items.get(connector)?.attributes;
  const stored: Fields = attributes?.fields ?? {};
  return {
    ...Object.fromEntries(fields.map((name) => [name, stored[name]?.value ?? null])),
    ...Object.fromEntries(
      secrets.flatMap((name) => [
        [`has_${name}`, stored[name]?.set ?? false],
        [`${name}_hint`, stored[name]?.hint ?? null],
      ]),
    ),
    isConfigured: attributes?.is_configured ?? false,
    state: attributes?.state ?? 'absent',
  };
};

const webhookOf = (items: ReadonlyMap<string, ConnectorItem>) => {
  const fields: Fields = items.get('webhook')?.attributes.fields ?? {};
  const url = fields['url']?.value ?? null;
  return url === null ? null : { url, mapping: fields['mapping']?.value ?? {} };
};

type Items = ReadonlyMap<string, ConnectorItem>;

const aiConfigurationOf = (items: Items) => ({
  remediator: viewOf(SECTIONS.remediator, items),
  validation: viewOf(SECTIONS.validation, items),
});

/** What is stored for AI: public fields, and of the secrets that they are there. */
export const readAiConfiguration = async (connections: Connections, db: Db, clientId: string) =>
  aiConfigurationOf(new Map((await connections.catalogue(db, clientId)).map((item) => [item.attributes.id, item])));

/** Connectors that no plugin of this server brings look like ones never configured. */
const readConnectors = async (connections: Connections, db: Db, clientId: string) => {
  const items = new Map((await connections.catalogue(db, clientId)).map((item) => [item.attributes.id, item]));
  const view = (name: keyof typeof SECTIONS) => viewOf(SECTIONS[name], items);
  return {
    issue_webhook: webhookOf(items),
    semgrep_cli: view('semgrep_cli'),
    black_duck: view('black_duck'),
    fortify: view('fortify'),
    checkmarx: view('checkmarx'),
    ai_configuration: aiConfigurationOf(items),
    plugins: {
      github: view('github'),
      gitlab: view('gitlab'),
      bitbucket_cloud: view('bitbucket_cloud'),
      gitea: view('gitea'),
      cloud: { aws: view('aws'), azure: view('azure'), gcp: view('gcp'), oracle_oci: view('oracle_oci') },
    },
  };
};

const readTokens = async (db: Db, caller: Caller) => {
  if (!can(caller.role, 'tokens.manage')) return null;
  const rows = await listApiTokens(db, caller.clientId, {
    owner: 'organization',
    offset: 0,
    pageSize: MAX_TOKENS,
  });
  return rows.map((row) => ({
    name: row.name,
    created_at: row.created_at.toISOString(),
    expired_at: row.expires_at.toISOString(),
    has_token: true,
    token_hint: row.hint,
  }));
};

const identityOf = (row: ClientRow) => ({
  _id: row.id,
  organization_name: row.organization_name,
  account_setup_at: row.account_setup_at.toISOString(),
  subscription: { tier: row.subscription_tier },
});

/** What nobody may know, or does not exist yet. */
const NOTHING = {
  legal_name: null,
  address: null,
  credit_card: null,
  reminder_sent_at: null,
  enable_false_positive_analysis: null,
  schedule_scan: null,
  pipeline_integration: null,
  autonomous_scan: null,
  excluded_tools: null,
  audit_retention_days: null,
  report_retention_days: null,
  require_2fa: null,
  has_google_oauth_token: false,
  google_oauth_token_hint: null,
  issue_webhook: null,
  company: null,
  semgrep_cli: null,
  black_duck: null,
  fortify: null,
  checkmarx: null,
  plugins: null,
  ai_configuration: null,
  prioritisation: null,
};

const settingsOf = (row: ClientRow) => ({
  legal_name: row.legal_name,
  address: row.address,
  enable_false_positive_analysis: row.enable_false_positive_analysis,
  schedule_scan: row.schedule_scan,
  pipeline_integration: row.pipeline_integration,
  autonomous_scan: row.autonomous_scan,
  excluded_tools: row.excluded_tools,
  audit_retention_days: row.audit_retention_days,
  report_retention_days: row.report_retention_days,
  reminder_sent_at: row.reminder_sent_at?.toISOString() ?? null,
  require_2fa: row.require_2fa,
  company: fullCompany(row.company),
});

const readGoogleToken = async (vault: Vault, db: Db, clientId: string) => {
  const stored = await vault.list(db, { clientId, connectorId: GOOGLE_TOKEN.connectorId });
  const hint = stored.find(({ field }) => field === GOOGLE_TOKEN.field)?.hint;
  return { has_google_oauth_token: hint !== undefined, google_oauth_token_hint: hint || null };
};

/** What the detail is read from. */
export interface DetailDeps {
  connections: Connections;
  vault: Vault;
  /** What the payment provider returned of the organisation's card: never its number. */
  readCard: (db: Db, clientId: string) => Promise<{ brand: string; last4: string } | null>;
}

/** The organisation as the caller may know it; never a secret. See `ClientDetail`. */
export const readClientDetail = async (
  { connections, vault, readCard }: DetailDeps,
  db: Db,
  caller: Caller,
): Promise<Record<string, unknown>> => {
  const row = await db.selectFrom('clients').selectAll().where('id', '=', caller.clientId).executeTakeFirstOrThrow();
  const known = { ...identityOf(row), ...NOTHING };
  if (!can(caller.role, 'connectors.read')) return known;
  const { plugins, ...connectors } = await readConnectors(connections, db, caller.clientId);
  return {
    ...known,
    ...settingsOf(row),
    ...connectors,
    ...(await readGoogleToken(vault, db, caller.clientId)),
    prioritisation: (await readSettings(db, caller.clientId)).settings,
    credit_card: can(caller.role, 'billing.read') ? await readCard(db, caller.clientId) : null,
    plugins: { ...plugins, plexalyzer: await readTokens(db, caller) },
  };
};

export interface ClientFigures {
  organization_name: string;
  legal_name: string;
  tier: string;
  account_setup_at: Date;
  users: number;
  repositories: number;
  last_scan: Date | null;
}

/** What a client is and how much it has; undefined where there is no such client. Reads its users and repositories, of which there are few. */
export const readClientFigures = async (
  db: Db,
  { clientId }: { clientId: string },
): Promise<ClientFigures | undefined> => {
  const { rows } = await sql<ClientFigures>`
    select c.organization_name, c.legal_name, c.subscription_tier as tier, c.account_setup_at,
      (select count(*) from users u where u.client_id = c.id) as users,
      r.repositories, r.last_scan
    from clients c, lateral (
      select count(*) as repositories, max(last_scan_at) as last_scan from repositories where client_id = c.id
    ) r
    where c.id = ${clientId}`.execute(db);
  return rows[0];
};

/** Regulations that an organisation says it is under, as it wrote them. Reads clients by primary key. */
export const readRegulations = async (db: Db, clientId: string): Promise<string[]> => {
  const row = await db.selectFrom('clients').select('company').where('id', '=', clientId).executeTakeFirst();
  return row === undefined ? [] : fullCompany(row.company).regulations.applicable_regulations;
};
