import type { ConnectorItem } from '../../connectors/ui/data/connector.ts';

type Attributes = ConnectorItem['attributes'];

/** The form of a Gitea server: a secret, a choice, a host and a port. */
const GITEA_FORM = {
  type: 'object',
  required: ['oauth_token', 'hosted_domain'],
  properties: {
    oauth_token: { type: 'string', writeOnly: true, title: 'Access token', minLength: 8 },
    protocol: { type: 'string', enum: ['https', 'http'], default: 'https', title: 'Protocol' },
    hosted_domain: { type: 'string', title: 'Domain', description: 'Host name of the server.' },
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 443, title: 'Port' },
  },
};

const EMPTY_FIELDS = {
  oauth_token: { set: false, hint: null, value: null },
  protocol: { set: false, hint: null, value: 'https' },
  hosted_domain: { set: false, hint: null, value: null },
  port: { set: false, hint: null, value: 443 },
};

/** What is stored of a Gitea connection. */
export const GITEA_FIELDS = {
  ...EMPTY_FIELDS,
  oauth_token: { set: true, hint: '3f9a', value: null },
  hosted_domain: { set: true, hint: null, value: 'git.harbour.example' },
};

const NO_DETAIL = { code: null, message: null, help: null, retry_at: null, identity: null, scopes: [] };

/** A failure as the card tells it. */
export const failedWith = (
  code: NonNullable<Attributes['state_detail']['code']>,
  message: string,
): Attributes['state_detail'] => ({ ...NO_DETAIL, code, message });

const gitea: Attributes = {
  id: 'gitea',
  plugin: { id: 'scm-gitea', version: '0.1.0', publisher: 'Breakwater', trust: 'own' },
  title: 'Gitea',
  category: 'source-control',
  image: 'data:image/svg+xml,x',
  description: 'Repositories on your own Gitea server.',
  documentation: 'https://docs.gitea.com',
  commercial: false,
  disabled: null,
  enabled: true,
  gate: { state: 'open', by: null, at: null, reason: null },
  is_configured: false,
  was_connected: false,
  state: 'absent',
  state_detail: NO_DETAIL,
  last_check: null,
  last_sync: null,
  auth: 'bearer',
  sign_in: null,
  egress: ['{{hosted_domain}}:{{port}}'],
  abilities: ['check', 'scm'],
  family: null,
  view: null,
  webhook_path: null,
  credentials: GITEA_FORM,
  fields: EMPTY_FIELDS,
};

/** A card that nobody has configured; `change` says what is different. */
export const giteaCard = (change: Partial<Attributes> = {}): ConnectorItem => ({
  _id: 'source-control/gitea',
  attributes: { ...gitea, ...change },
});

/** The same, connected. */
export const connectedGitea = (change: Partial<Attributes> = {}): ConnectorItem =>
  giteaCard({
    state: 'connected',
    is_configured: true,
    was_connected: true,
    fields: GITEA_FIELDS,
    last_check: new Date().toISOString(),
    state_detail: { ...NO_DETAIL, identity: 'harbour-labs' },
    ...change,
  });

/** A scanner whose reports are uploaded. */
export const reportCard = (change: Partial<Attributes> = {}): ConnectorItem => ({
  _id: 'sast/opengrep',
  attributes: {
    ...gitea,
    id: 'opengrep',
    title: 'OpenGrep',
    category: 'sast',
    description: 'Finds insecure code by pattern.',
    auth: 'none',
    egress: [],
    abilities: ['upload'],
    family: 'SAST',
    credentials: { type: 'object', properties: {} },
    fields: {},
    ...change,
  },
});
