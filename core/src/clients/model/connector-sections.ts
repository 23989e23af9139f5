/** Where the client detail shows a connector: its id, its fields in the order of the forms, and which of them are secrets. */
export interface ConnectorSection {
  connector: string;
  fields: readonly string[];
  secrets: readonly string[];
}

const section = <const C extends string, const F extends readonly string[], const S extends readonly string[]>(
  connector: C,
  parts: { fields: F; secrets: S },
) => ({ connector, ...parts });

/** Source: specification §3 "Client detail", "Plugins", "Connector forms". */
export const SECTIONS = {
  semgrep_cli: section('semgrep_cli', { fields: ['config'], secrets: ['token'] }),
  black_duck: section('black_duck', { fields: ['black_duck_url'], secrets: ['api_token'] }),
  fortify: section('fortify', { fields: ['client_id', 'release_id'], secrets: ['client_secret'] }),
  checkmarx: section('checkmarx', {
    fields: ['client_id', 'username', 'base_url', 'team_id'],
    secrets: ['client_secret', 'password'],
  }),
  remediator: section('ai_remediator', {
    fields: ['deployment_name', 'base_url', 'type', 'version', 'input_price', 'output_price'],
    secrets: ['api_key'],
  }),
  validation: section('ai_validation', {
    fields: [
      'openai_deployment_name',
      'openai_base_url',
      'openai_type',
      'openai_version',
      'openai_input_price',
      'openai_output_price',
    ],
    secrets: ['openai_api_key'],
  }),
  github: section('github', { fields: ['installation_id'], secrets: ['oauth_token', 'refresh_token'] }),
  gitlab: section('gitlab', {
    fields: ['hosted_url', 'oauth_client_id'],
    secrets: ['oauth_token', 'refresh_token', 'oauth_client_secret'],
  }),
  bitbucket_cloud: section('bitbucket_cloud', { fields: ['workspaces'], secrets: ['oauth_token', 'refresh_token'] }),
  gitea: section('gitea', {
    fields: ['protocol', 'hosted_domain', 'port', 'oauth_client_id'],
    secrets: ['oauth_token', 'refresh_token', 'oauth_client_secret'],
  }),
  aws: section('aws', { fields: ['access_key_id'], secrets: ['secret_access_key'] }),
  azure: section('azure', { fields: ['client_id', 'subscription_id', 'tenant_id'], secrets: ['client_secret'] }),
  gcp: section('gcp', {
    fields: ['service_account', 'project_id', 'client_email'],
    secrets: ['application_credentials'],
  }),
  oracle_oci: section('oracle_oci', {
    fields: ['tenancy_id', 'compartment_id', 'user_id', 'key_fingerprint', 'region'],
    secrets: ['key_value'],
  }),
} as const;

/** Clouds below `plugins.cloud`, which are also the ids of their connectors. */
export const CLOUDS = ['aws', 'azure', 'gcp', 'oracle_oci'] as const;
/** Source controls below `plugins`, which are also the ids of their connectors. */
export const SOURCE_CONTROL_PLUGINS = ['github', 'gitlab', 'bitbucket_cloud', 'gitea'] as const;

/** What a key of `POST /api/connector` names. */
export type ConfigTarget =
  /** All clouds together; values are by cloud. */
  | { kind: 'clouds' }
  /** One connector, by id or address. */
  | { kind: 'connector'; connector: string }
  /** Plexalyzer tokens are made, not saved. */
  | { kind: 'tokens' }
  | { kind: 'unknown' };

const PLEXALYZER = new Set(['plexalyzer', 'plugins.plexalyzer', 'miscellaneous/plexalyzer']);

const among = (known: readonly string[], name: string): ConfigTarget =>
  known.includes(name) ? { kind: 'connector', connector: name } : { kind: 'unknown' };

/** Reads a connector key: `plugins.cloud`, `plugins.cloud.aws`, `plugins.github`, else an address or alias. Source: decisions.md "Wire shapes". */
export const readConfigKey = (key: string): ConfigTarget => {
  if (PLEXALYZER.has(key)) return { kind: 'tokens' };
  if (!key.startsWith('plugins.')) return { kind: 'connector', connector: key };
  const [, plugin = '', cloud, ...rest] = key.split('.');
  if (rest.length > 0) return { kind: 'unknown' };
  if (plugin !== 'cloud') return cloud === undefined ? among(SOURCE_CONTROL_PLUGINS, plugin) : { kind: 'unknown' };
  return cloud === undefined ? { kind: 'clouds' } : among(CLOUDS, cloud);
};
