// Proven by `tsc -b`: an unused @ts-expect-error is an error.
import type {
  Cloud,
  CompletionPart,
  ConnectorRoute,
  CredentialMigration,
  FindingsSource,
  Remediator,
  Scanner,
  SyncRecord,
  Webhook,
} from './capability-contracts.ts';
import { defineConnector, monogram } from './connector.ts';
import type { Ctx, Http, Json } from './context.ts';
import { ConnectorError, isConnectorError } from './errors.ts';
import { definePlugin } from './plugin.ts';
import { readAnswer, type Static, Type } from './read-answer.ts';
import type { PostureAnswer } from './scm/posture.ts';
import type { Scm, ScmEvent, ScmWrite } from './scm/scm.ts';
import { type Check, defineServer, type PluginServer } from './server.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const proven = <T extends true>(): T | undefined => undefined;

const demo = defineConnector({
  id: 'demo',
  title: 'Demo',
  category: 'sast',
  image: monogram('De'),
  description: 'Finds insecure code.',
  credentials: {
    type: 'object',
    required: ['key'],
    properties: { key: { type: 'string', writeOnly: true }, project: { type: 'string' } },
  },
  auth: { type: 'header', name: 'x-api-key', value: '{{key}}' },
  baseUrl: 'https://api.demo.example',
  services: { login: 'https://login.demo.example' },
  permissions: { egress: ['api.demo.example', 'login.demo.example'] },
});
type Form = typeof demo.credentials;
const free = defineConnector({
  id: 'free',
  title: 'Free',
  category: 'sca',
  image: monogram('Fr'),
  description: 'Asks a public service.',
  baseUrl: 'https://api.free.example',
  permissions: { egress: ['api.free.example'] },
});
const plugin = definePlugin({ id: 'demo', version: '1.0.0', connectors: [demo, free] });
const check: Check<Form> = async () => ({ identity: 'me' });

// Every capability can be attached, each gets the form of its own connector, and a connector without auth needs no code.
const server: PluginServer = defineServer(plugin, {
  demo: {
    check,
    findings: {
      async *sync(ctx, since) {
        proven<Equal<typeof since, string | undefined>>();
        proven<Equal<typeof ctx.config.project, string | undefined>>();
        // @ts-expect-error the secret is hidden from every capability
        yield { kind: 'target', id: '1', name: `${ctx.config.key}` };
      },
    },
    routes: [
      {
        method: 'GET',
        path: '/projects',
        role: 'developer',
        handle: async (ctx, input) => {
          // @ts-expect-error also from its own routes
          return [input, `${ctx.config.key}`];
        },
      },
    ],
    webhook: {
      proof: { type: 'hmac-sha256', header: 'x-signature', secret: 'key' },
      on: async (ctx, { event, id, body }) => {
        await ctx.store.set(id, [event, body]);
      },
    },
  },
});
// @ts-expect-error there is no such capability
defineServer(plugin, { demo: { check, notify: async () => undefined } });
// @ts-expect-error check answers with an identity
defineServer(plugin, { demo: { check: async () => ({ name: 'me' }) } });
// @ts-expect-error code of one connector does not fit the form of another
defineServer(plugin, { demo: { check }, free: { check: async (ctx) => ({ identity: ctx.config.project }) } });

// Findings and what they belong to.
export const records: SyncRecord[] = [
  { kind: 'target', id: '7', name: 'Seven' },
  { kind: 'finding', type: 'SAST', ruleId: 'sqli', title: 'SQL injection', severity: 'high' },
  { kind: 'cursor', cursor: '7' },
  // @ts-expect-error a target has an id at the service
  { kind: 'target', name: 'Seven' },
  // @ts-expect-error a severity is one of five
  { kind: 'finding', type: 'SAST', ruleId: 'sqli', title: 'SQL injection', severity: 'severe' },
  // @ts-expect-error a family is one of thirteen
  { kind: 'finding', type: 'Code', ruleId: 'sqli', title: 'SQL injection', severity: 'high' },
];
// @ts-expect-error sync yields, it does not return a list
export const listed: FindingsSource<Form> = { sync: async () => [] };

// Source control: reading is required, writing carries a key that makes it happen once.
declare const scm: Scm<Form>;
proven<Equal<undefined extends typeof scm.write ? true : false, true>>();
// @ts-expect-error reading repositories is required
export const half: Scm<Form> = { user: async () => ({ name: 'me' }) };
export const write = async (to: ScmWrite<Form>, ctx: Ctx<Form>): Promise<string> => {
  // @ts-expect-error a write without idempotencyKey could happen twice
  await to.createBranch(ctx, { repository: '1', branch: 'fix', from: 'main' });
  return to.commitFiles(ctx, {
    repository: '1',
    branch: 'fix',
    message: 'Fix it',
    files: [{ path: 'a.ts', content: null }],
    idempotencyKey: 'k',
  });
};

export const events: ScmEvent[] = [
  { kind: 'push', repository: '1', branch: 'main', commit: 'c0ffee' },
  // @ts-expect-error a pull request has a number
  {
    kind: 'pull-request',
    repository: '1',
    branch: 'fix',
    into: 'main',
    commit: 'c0ffee',
    isFromFork: false,
    action: 'opened',
  },
];
// @ts-expect-error a posture is one of what the host knows findings for
export const answers: PostureAnswer[] = [{ check: 'weather', state: 'ok', detail: 'Sunny.' }];

// Clouds, providers of models, scanners, routes, webhooks, migrations.
// @ts-expect-error an identity names the account
export const cloud: Cloud<Form> = { identity: async () => ({ principal: 'root' }) };
export const remediator: Remediator<Form> = {
  models: async () => ['large'],
  async *complete(ctx, { messages }) {
    proven<Equal<typeof ctx.config.project, string | undefined>>();
    yield { text: messages.map(({ content }) => content).join() };
    yield { usage: { inputTokens: 1, outputTokens: 2 } };
  },
};
// @ts-expect-error a part is text or usage
export const part: CompletionPart = { delta: 'x' };
export const scanner: Scanner = {
  targets: ['repository'],
  detect: async (host) => ({ version: (await host.run('demo', ['--version'])) ?? '' }),
  // @ts-expect-error a command is a file with arguments and limits, never a shell line
  command: () => 'demo --json > report.json',
};
export const route: ConnectorRoute<Form> = {
  // @ts-expect-error own routes read and act; nothing else
  method: 'DELETE',
  path: '/projects',
  role: 'admin',
  handle: async () => null,
};
// @ts-expect-error a proof is one of two; nobody checks signatures by hand
export const webhook: Webhook<Form> = { proof: { type: 'md5', header: 'x', secret: 'key' }, on: async () => undefined };
export const migration: CredentialMigration = {
  from: '1.0.0',
  rename: { old_key: 'key' },
  config: (old) => ({ project: old['name'] ?? '' }),
};

// Egress: paths below what the manifest names, never whole addresses with options of a library.
export const ask = async (http: Http): Promise<Json> => {
  // @ts-expect-error a request has a path
  await http.json({ url: 'https://elsewhere.example' });
  // @ts-expect-error there is no such method
  await http.json({ path: '/user', method: 'CONNECT' });
  for await (const page of http.pages(
    { path: '/list' },
    { type: 'cursor', cursorAt: 'meta.next', parameter: 'after' },
  )) {
    proven<Equal<typeof page, Json>>();
  }
  // @ts-expect-error paging by number needs the size of a page, or nobody knows the last one
  http.pages({ path: '/list' }, { type: 'page', parameter: 'page' });
  return http.json({ path: '/token', service: 'login', form: { grant_type: 'client_credentials' } });
};

// Answers get their type from the schema they are read through.
const User = Type.Object({ login: Type.String(), id: Type.Integer() });
export const read = (answer: Json): Static<typeof User> => {
  const user = readAnswer(User, answer);
  proven<Equal<typeof user.login, string>>();
  // @ts-expect-error what the schema does not name is not known
  return user.name;
};

// Errors carry one of seven codes.
export const fail = (): never => {
  // @ts-expect-error an unknown code does not compile
  throw new ConnectorError('timeout', 'Too slow.');
};
export const codeOf = (error: unknown): string => (isConnectorError(error) ? error.code : server.pluginId);
