import {
  ConnectorError,
  type Ctx,
  defineConnector,
  definePlugin,
  defineServer,
  type Identity,
  type Json,
} from '@breakwater/sdk';
import { Type } from 'typebox';
import type { LoadedPlugin } from '../../shell/plugins/index.ts';

const common = { category: 'sast', image: '/images/probe.svg', description: 'For tests.' } as const;

const probe = defineConnector({
  ...common,
  id: 'probe',
  title: 'Probe',
  credentials: {
    type: 'object',
    properties: {
      base_url: { type: 'string', title: 'Address', format: 'uri' },
      token: { type: 'string', title: 'Access token', writeOnly: true },
      hook_secret: { type: 'string', title: 'Webhook secret', writeOnly: true },
      team: { type: 'integer', title: 'Team', minimum: 1 },
      /** What its code does besides asking. */
      mode: { type: 'string', enum: ['plain', 'crash', 'leak', 'reveal', 'store', 'exit'], default: 'plain' },
      labels: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      mapping: { type: 'object', additionalProperties: { type: 'string' } },
      note: { type: 'string', maxLength: 100_000 },
    },
    required: ['base_url', 'token'],
  },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'], reveal: ['token'] },
  view: { title: 'Projects', entry: 'view/index.html' },
});

const oauth = defineConnector({
  ...common,
  id: 'probe-oauth',
  title: 'Probe OAuth',
  credentials: {
    type: 'object',
    properties: {
      base_url: { type: 'string', format: 'uri' },
      oauth_token: { type: 'string', writeOnly: true },
      refresh_token: { type: 'string', writeOnly: true },
      project: { type: 'string', title: 'Project', pattern: '^[0-9]+$' },
      needs_project: { type: 'boolean', default: false },
    },
    required: ['base_url', 'oauth_token'],
  },
  isConfigured: ({ base_url, oauth_token, needs_project, project }) =>
    Boolean(base_url) && Boolean(oauth_token) && (needs_project !== true || Boolean(project)),
  auth: {
    type: 'oauth2',
    authorizeUrl: '{{base_url}}/authorize',
    tokenUrl: '{{base_url}}/token',
    revokeUrl: '{{base_url}}/revoke',
    scopes: ['read'],
    installation: { url: '{{base_url}}/apps/{app}/new', field: 'project' },
    expired: 'Probe token expired, please create a new one.',
  },
  baseUrl: '{{base_url}}',
  permissions: { egress: ['{{base_url}}'] },
});

const plain = defineConnector({ ...common, id: 'probe-plain', title: 'Probe plain' });

const disabled = defineConnector({
  ...common,
  id: 'probe-disabled',
  title: 'Probe disabled',
  disabled: { reason: 'Live sync is not available; reports can be uploaded.' },
  credentials: {
    type: 'object',
    properties: { api_token: { type: 'string', writeOnly: true } },
    required: ['api_token'],
  },
});

const plugin = definePlugin({
  id: 'probe',
  version: '2.0.0',
  publisher: 'Tests',
  connectors: [probe, oauth, plain, disabled],
});

const identityOf = (answer: Json): Identity => {
  const login: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'login') : undefined;
  if (typeof login !== 'string') throw new ConnectorError('upstream', 'The answer names nobody.');
  return { identity: login, scopes: ['read'] };
};

const checkProbe = async (ctx: Ctx<typeof probe.credentials>): Promise<Identity> => {
  const { mode } = ctx.config;
  if (mode === 'exit') process.exit(9);
  if (mode === 'crash') throw new TypeError('the code of the connector tripped');
  if (mode === 'leak') throw new ConnectorError('auth', `Refused ${await ctx.reveal('token')}`);
  if (mode === 'reveal')
    ctx.log.info('has it', { length: (await ctx.reveal('token')).length, it: await ctx.reveal('token') });
  if (mode === 'store') await ctx.store.set('seen', { times: 1 });
  return identityOf(await ctx.http.json({ path: '/me' }));
};

const server = defineServer(plugin, {
  probe: {
    check: checkProbe,
    findings: { async *sync() {} },
    routes: [
      { method: 'GET', path: '/projects', role: 'developer', handle: (ctx) => ctx.http.json({ path: '/projects' }) },
      {
        method: 'POST',
        path: '/echo',
        role: 'admin',
        input: Type.Object({ text: Type.String() }, { additionalProperties: false }),
        handle: async (_ctx, input) => input,
      },
    ],
    webhook: {
      proof: { type: 'hmac-sha256', header: 'x-probe-signature', secret: 'hook_secret' },
      on: async (ctx, delivery) => {
        const times = await ctx.store.get('deliveries');
        await ctx.store.set('deliveries', (typeof times === 'number' ? times : 0) + 1);
        await ctx.store.set('last', { event: delivery.event, id: delivery.id, body: delivery.body });
      },
    },
    migrate: [
      {
        from: '1.0.0',
        rename: { api_key: 'token', host: 'base_url' },
        config: (old) => ({ ...old, note: 'moved' }),
      },
    ],
  },
  'probe-oauth': { check: async (ctx) => identityOf(await ctx.http.json({ path: '/me' })) },
});

/** A plugin whose connectors do what a test tells them to. */
export const probePlugin: LoadedPlugin = {
  plugin,
  parsers: [],
  server,
  views: new Map([['probe', '<!doctype html><title>Projects</title>']]),
};
