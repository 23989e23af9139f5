// Proven by `tsc -b`: an unused @ts-expect-error is an error.
import { Type } from 'typebox';
import { defineConnector, monogram } from './connector.ts';
import type { Ctx } from './context.ts';
import type { NoCredentials, PublicFields, PublicKey, SecretKey, StoredFields } from './credentials.ts';
import { definePlugin } from './plugin.ts';
import { defineServer } from './server.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const proven = <T extends true>(): T | undefined => undefined;

const card = {
  category: 'source-control',
  image: monogram('Gi'),
  description: 'Reads repositories.',
} as const;

const gitea = defineConnector({
  ...card,
  id: 'gitea',
  title: 'Gitea',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'hosted_domain', 'protocol'],
    properties: {
      oauth_token: { type: 'string', writeOnly: true },
      hosted_domain: { type: 'string', writeOnly: false },
      protocol: { type: 'string', enum: ['http', 'https'] },
      port: { type: 'integer', default: 443 },
      page_size: { type: 'number' },
      verify: { type: 'boolean' },
      workspaces: { type: 'array', items: { type: 'string' } },
      mapping: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  auth: { type: 'bearer', value: '{{oauth_token}}' },
  baseUrl: 'https://{{hosted_domain}}/api/v1',
  permissions: { egress: ['{{hosted_domain}}'], reveal: ['oauth_token'] },
  isConfigured: (stored) => stored.oauth_token === true && stored.hosted_domain !== '',
});
type Form = typeof gitea.credentials;

proven<Equal<SecretKey<Form>, 'oauth_token'>>();
proven<
  Equal<PublicKey<Form>, 'hosted_domain' | 'protocol' | 'port' | 'page_size' | 'verify' | 'workspaces' | 'mapping'>
>();
proven<
  Equal<
    PublicFields<Form>,
    {
      readonly hosted_domain: string;
      readonly protocol: 'http' | 'https';
      readonly port: number;
      readonly page_size?: number;
      readonly verify?: boolean;
      readonly workspaces?: readonly string[];
      readonly mapping?: Readonly<Record<string, string>>;
    }
  >
>();
proven<Equal<StoredFields<Form>['oauth_token'], true | undefined>>();
proven<Equal<StoredFields<Form>['hosted_domain'], string | undefined>>();
proven<Equal<keyof PublicFields<NoCredentials>, never>>();
proven<Equal<(typeof gitea)['id'], 'gitea'>>();

/** What an author of a connector can and cannot write. */
export async function author(ctx: Ctx<Form>): Promise<string> {
  const domain: string = ctx.config.hosted_domain;
  const token: string = await ctx.reveal('oauth_token');
  // @ts-expect-error a secret is not in the configuration
  const leaked = ctx.config.oauth_token;
  // @ts-expect-error nor by index
  const indexed = ctx.config['oauth_token'];
  // @ts-expect-error there is no such field
  const absent = ctx.config.hosted_dommain;
  // @ts-expect-error a field that is not required may be missing
  const size: number = ctx.config.page_size;
  // @ts-expect-error what is no secret is not revealed
  await ctx.reveal('hosted_domain');
  // @ts-expect-error the configuration is read only
  ctx.config.hosted_domain = 'example.com';
  return [domain, token, leaked, indexed, absent, size].join();
}

/** A field whose `writeOnly` the type leaves open is treated as a secret. */
const open: boolean = JSON.parse('true');
const unsure = defineConnector({
  ...card,
  id: 'unsure',
  title: 'Unsure',
  credentials: { type: 'object', properties: { key: { type: 'string', writeOnly: open } } },
});
proven<Equal<PublicKey<typeof unsure.credentials>, never>>();

defineConnector({
  ...card,
  id: 'typebox',
  title: 'TypeBox',
  // @ts-expect-error TypeBox forgets writeOnly in its types: the secret would be readable
  credentials: Type.Object({ token: Type.String({ writeOnly: true }) }),
});

defineConnector({
  ...card,
  id: 'reveals',
  title: 'Reveals',
  credentials: { type: 'object', properties: { token: { type: 'string', writeOnly: true }, host: { type: 'string' } } },
  // @ts-expect-error only secrets can be revealed
  permissions: { egress: [], reveal: ['host'] },
});

// @ts-expect-error an unknown category does not compile
defineConnector({ ...card, category: 'scm', id: 'a', title: 'A' });

// @ts-expect-error header auth needs a name
defineConnector({ ...card, id: 'b', title: 'B', auth: { type: 'header', value: '{{token}}' } });

const report = defineConnector({ ...card, id: 'report', title: 'Report', parser: { tool: 'report', family: 'SAST' } });
// @ts-expect-error an unknown family does not compile
defineConnector({ ...card, id: 'family', title: 'Family', parser: { tool: 'report', family: 'Code' } });

const plugin = definePlugin({
  id: 'demo',
  version: '1.0.0',
  connectors: [gitea, report],
  importers: [{ tool: 'report', title: 'Report' }],
});

defineServer(plugin, {
  gitea: {
    check: async (ctx) => {
      proven<Equal<typeof ctx.config.protocol, 'http' | 'https'>>();
      // @ts-expect-error the form's secret is hidden here too
      return { identity: `${ctx.config.oauth_token}` };
    },
  },
});
// @ts-expect-error a connector that signs its requests must have check
defineServer(plugin, { gitea: {} });
// @ts-expect-error and may not be left out
defineServer(plugin, {});
// @ts-expect-error code of a connector that the plugin does not have
defineServer(plugin, { gitea: { check: async () => ({ identity: 'x' }) }, gitlab: {} });
