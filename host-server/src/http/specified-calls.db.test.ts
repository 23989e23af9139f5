import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ROLES, type Role } from '@breakwater/core/platform/model/permissions.ts';
import { insertRandomFindings } from '@breakwater/core/testing/random-findings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../../../tools/testing/server.ts';
import { createUser } from '../../../tools/testing/users.ts';

/** Issue 17: every call that the specification names, against the running server, as each role. */

interface Call {
  area: string;
  method: string;
  path: string;
  roles?: Role[];
  public?: boolean;
}

/** Connectors of others: issue 18. */
const TO_COME = 'user_connectors';
const FILE = new URL('../../../tools/__fixtures__/specification/calls.json', import.meta.url);

let server: TestServer;
let calls: Call[];
/** What is really there, for the parameters of paths, by the first segments of a path. */
const live: [start: string, parameters: Record<string, string>][] = [];

beforeAll(async () => {
  server = await startTestServer();
  const table: { backend_base: string; backend: Call[]; frontend: Call[] } = JSON.parse(await readFile(FILE, 'utf8'));
  calls = [...table.backend.map((call) => ({ ...call, path: `${table.backend_base}${call.path}` })), ...table.frontend];
  const { clientId, developer } = server.users;
  const { findings, repositories } = await insertRandomFindings(server.scene.owner, {
    clientId,
    users: [developer.id],
    count: 40,
    start: 31,
  });
  const repository = repositories[0]?.id ?? '';
  const finding = findings.find((one) => one.repository_id === repository)?.id ?? '';
  const idOf = (answer: TestAnswer): string => answer.body.data._id;
  const partner = await server.call('POST', '/partner', { as: 'superadmin', body: { name: 'Acme', kind: 'reseller' } });
  const plan = await server.call('POST', '/pricing/create', {
    as: 'superadmin',
    body: { tier: 'team', title: 'Team', amount_cents: 4900 },
  });
  live.push(
    ['/manage-clients/findings', { client: clientId, id: finding }],
    ['/manage-clients/repositories', { client: clientId, id: repository }],
    ['/manage-clients', { id: clientId }],
    ['/findings', { id: finding }],
    ['/repositories', { id: repository }],
    ['/partner', { id: idOf(partner) }],
    ['/pricing', { id: idOf(plan) }],
  );
});
afterAll(() => server.close());

const parametersOf = (path: string): Record<string, string> =>
  live.find(([start]) => path.startsWith(`/api/v1${start}/`))?.[1] ?? {};

const NEEDED: Readonly<Record<string, string>> = {
  '/api/v1/filter/findings': '?filter_key=severity',
  '/api/v1/microsoft-marketplace/payment-completion': '?token=unknown',
};

/** The address of a call; of one that changes something, about nothing that is there. */
const addressOf = ({ method, path }: Call): string => {
  const known = method === 'GET' ? parametersOf(path) : {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? randomUUID());
  return `${filled.replace('/api/v1', '')}${NEEDED[path] ?? ''}`;
};

const send = (call: Call, as?: { token: string }): Promise<TestAnswer> => {
  const body = call.method === 'GET' ? {} : { body: {} };
  return server.call(call.method, addressOf(call), { ...(as === undefined ? {} : { as }), ...body });
};

/** A session of its own, so that signing out and changes of the account end no other. */
const newcomer = async (role: Role): Promise<{ token: string }> => {
  const clientId = role === 'superadmin' ? server.users.superadmin.clientId : server.users.clientId;
  return { token: (await createUser(server.scene.database, clientId, role)).token };
};

test.each(ROLES)(
  '%s meets every call: none is missing, none breaks, and none opens to whom it is not for',
  async (role) => {
    const wrong: string[] = [];
    for (const call of calls) {
      if (call.area === TO_COME) continue;
      const { status, body } = await send(call, await newcomer(role));
      const met = `${call.method} ${call.path}: ${status} ${body?.code ?? ''}`;
      if (status >= 500 || status === 405 || body?.code === 'not_found') wrong.push(met);
      if (status === 401 && call.public !== true) wrong.push(met);
      if (call.roles !== undefined && (status === 403) === call.roles.includes(role)) wrong.push(met);
    }
    expect(wrong).toEqual([]);
  },
);

/** Why a reading has nothing to show on a server without payment, marketplace and providers. */
const WITHOUT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      '/api/oauth/bitbucket/repos',
      '/api/oauth/gitea/repos',
      '/api/oauth/github/repos',
      '/api/oauth/gitlab/repos',
      '/api/v1/microsoft-marketplace/payment-completion',
      '/api/v1/stripe/customer/{id}',
      '/api/v1/stripe/invoices/list/{id}',
      '/api/v1/stripe/plans',
      '/api/v1/stripe/subscription/{id}',
    ].map((path) => [path, '409 integration_not_configured']),
  ),
  '/api/v1/remediation/{id}': '404 remediation_not_found',
  '/api/v1/sbom-findings/{id}': '404 component_not_found',
  '/api/v1/stripe/invoice/{id}': '404 invoice_not_found',
  '/api/v1/resend-verification/{token}': '404 link_invalid',
  '/api/v1/verify-register/{token}': '404 link_invalid',
};

test('every reading answers an admin or superadmin with what is there, or with the reason why there is nothing', async () => {
  const met: Record<string, string> = {};
  let answered = 0;
  for (const call of calls) {
    if (call.method !== 'GET' || call.area === TO_COME) continue;
    const role = call.roles?.includes('superadmin') === true ? 'superadmin' : 'admin';
    const { status, body } = await send(call, { token: server.tokens[role] });
    if (status === 200) answered += 1;
    else met[call.path] = `${status} ${body.code}`;
  }
  expect(met).toEqual(WITHOUT);
  expect(answered).toBeGreaterThan(40);
});

test('nobody without a session gets further than what is public', async () => {
  const wrong: string[] = [];
  for (const call of calls) {
    if (call.area === TO_COME) continue;
    const { status, body } = await send(call);
    const isOpen = body?.code !== 'not_authenticated';
    if (status >= 500 || isOpen !== (call.public === true))
      wrong.push(`${call.method} ${call.path}: ${status} ${body?.code}`);
  }
  expect(wrong).toEqual([]);
});
