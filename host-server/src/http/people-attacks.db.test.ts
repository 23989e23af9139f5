import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { fullPath, isAllowed, type RouteDefinition } from '@breakwater/core/platform/api/contract.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../core/src/testing/mail-server.ts';
import { startTestServer, type TestServer } from '../../../tools/testing/server.ts';
import { createUser, createUsers, TEST_PASSWORD, type TestUsers } from '../../../tools/testing/users.ts';

/** What strangers and colleagues with bad intentions send to the calls of people: texts, ids, floods, a borrowed Host. */

let mailbox: MailServer;
let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  mailbox = await startMailServer();
  server = await startTestServer({ environment: { SMTP_URL: mailbox.url } });
  others = await createUsers(server.scene.database, 'Other Organisation');
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
beforeEach(() => server.scene.owner.query('truncate rate_limits, mails'));

/** Texts of which one fits each pattern that there is. */
const SAMPLES = [
  'x',
  'x'.repeat(40),
  '2027-01-31',
  '#ff0000',
  'https://quay.example',
  'price_1',
  'prod_1',
  'a.b',
  '/x',
];
const FORMATS: Readonly<Record<string, string>> = {
  email: 'somebody@quay.example',
  uuid: randomUUID(),
  date: '2027-01-31',
  'date-time': '2027-01-31T00:00:00Z',
  uri: 'https://quay.example',
};

const textOf = ({ format, pattern, maxLength, minLength = 0 }: JsonSchema, text: string): string => {
  if (format !== undefined) return FORMATS[format] ?? text;
  if (pattern === undefined) return text.padEnd(minLength, 'x').slice(0, maxLength ?? 100_000);
  const fitting = [text, ...SAMPLES].find((one) => new RegExp(pattern, 'u').test(one) && one.length >= minLength);
  if (fitting === undefined) throw new Error(`No sample fits ${pattern}.`);
  return fitting;
};

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
}

/** A value of the schema with every field that there is, in which every free text is the given one. */
const filled = (schema: JsonSchema, text: string): unknown => {
  const { type, properties, patternProperties, items, anyOf, enum: choices } = schema;
  if (schema.const !== undefined) return schema.const;
  if (choices !== undefined) return choices[0];
  if (anyOf?.[0] !== undefined) return filled(anyOf[0], text);
  const fields = Object.entries(properties ?? {}).map(([key, inner]) => [key, filled(inner, text)]);
  const named = Object.values(patternProperties ?? {}).map((inner) => [text.slice(0, 3), filled(inner, text)]);
  if (type === 'object') return Object.fromEntries([...fields, ...named]);
  if (type === 'array') return items === undefined ? [] : [filled(items, text)];
  if (type === 'string') return textOf(schema, text);
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? false : type === 'null' ? null : text;
};

const nameOf = (route: RouteDefinition): string => `${route.method} ${fullPath(route)}`;

test.each([
  ['a NUL', 'a\0b'],
  ['half of a character', 'a\ud800b'],
  ['a closed quote', `'";--</script><script>`],
])('%s in every field of every call is answered, never by an internal error', async (_what, text) => {
  const faults: string[] = [];
  let count = 0;
  for (const { route } of server.endpoints) {
    if (route.body === undefined || route.bodyKind === 'stream') continue;
    const body = filled(JSON.parse(JSON.stringify(route.body)), text);
    const role = isAllowed(route.access, 'admin') ? 'admin' : 'superadmin';
    const answer = await server.call(
      route.method,
      fullPath(route).replace(/\{\w+\}/g, () => randomUUID()),
      { as: role, body },
    );
    count += 1;
    if (answer.status >= 500) faults.push(`${nameOf(route)}: ${answer.status} ${JSON.stringify(body).slice(0, 300)}`);
  }
  expect(faults).toEqual([]);
  expect(count).toBeGreaterThan(60);
});

describe('names', () => {
  const HIDDEN = ['   ', '\u00a0\u2003', '\u200b', 'adm\u200bin', 'nimda\u202e', 'two\nlines'];
  const NEW = { password: TEST_PASSWORD, confirm_password: TEST_PASSWORD };
  const invited = async (): Promise<string> => {
    const body = { email: `${randomUUID()}@quay.example`, role: 'developer' };
    expect((await server.call('POST', '/team', { as: 'admin', body })).status).toBe(201);
    const { rows } = await server.scene.owner.query(
      `select content -> 'link' ->> 'path' as path from mails order by id desc limit 1`,
    );
    return rows[0].path.split('token=')[1];
  };

  test.each(HIDDEN)('%j is no name of a person or an organisation', async (name) => {
    const link = `/accept-verification/${await invited()}`;
    const refused = [
      await server.call('POST', link, { body: { username: name, ...NEW } }),
      await server.call('PUT', '/user/profile', { as: 'developer', body: { username: name } }),
      await server.call('POST', '/register', { body: { organization_name: name, email: 'new@quay.example' } }),
      await server.call('PUT', '/client', { as: 'admin', body: { organization_name: name } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(refused.map(({ body }) => body.detail[0].loc[1])).toEqual([
      ...['username', 'username', 'organization_name', 'organization_name'],
    ]);
    // the link is as good as before
    expect((await server.call('POST', link, { body: { username: `u${randomUUID()}`, ...NEW } })).status).toBe(200);
  });

  test('nor at the first start', async () => {
    const fresh = await startTestServer();
    try {
      await fresh.scene.owner.query(`delete from users where role <> 'superadmin'`);
      const body = { organization_name: ' \u200d ', email: 'first@quay.example', username: ' \u3000 ', ...NEW };
      const answer = await fresh.call('POST', '/setup', { body });
      expect(answer.status).toBe(422);
      expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['organization_name', 'username']);
    } finally {
      await fresh.close();
    }
  });

  test('a notice says something', async () => {
    const body = { user_id: server.users.developer.id, notification_type: 'sla_due', title: ' \n ' };
    expect((await server.call('POST', '/client/notifications', { as: 'admin', body })).status).toBe(422);
  });
});

describe('invitations', () => {
  const invite = (email: string, token: string) =>
    server.call('POST', '/team', { as: { token }, body: { email, role: 'developer' } });

  test('fill nobody’s mailbox: five an hour, whichever organisation invites, of 20 at once too', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) =>
        invite(
          index % 2 === 0 ? 'stranger@quay.example' : 'Stranger@Quay.example',
          index % 3 === 0 ? others.admin.token : server.tokens.admin,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ body }) => body.code === 'too_many_requests');
    expect(refused).toHaveLength(15);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { rows } = await server.scene.owner.query(
      `select count(*)::int as count from mails where recipient ilike 'stranger@%'`,
    );
    expect(rows).toEqual([{ count: 5 }]);
    // others are invited all the while
    expect((await invite('somebody@quay.example', server.tokens.admin)).status).toBe(201);
  });

  test('where the link is shown nothing is mailed, and nothing counts', async () => {
    const silent = await startTestServer();
    try {
      for (let round = 0; round < 8; round += 1) {
        const body = { email: 'again@quay.example', role: 'developer' };
        expect((await silent.call('POST', '/team', { as: 'admin', body })).body.data.link).toMatch(/^\/accept-invite/);
      }
    } finally {
      await silent.close();
    }
  });
});

test('ids of another organisation are found by none of the calls of people', async () => {
  const { developer } = server.users;
  const body = { name: 'theirs', expired_at: new Date(Date.now() + 86_400_000).toISOString(), scopes: ['read'] };
  const { _id: tokenId } = (await server.call('POST', '/user/tokens', { as: 'developer', body })).body.data;
  const [{ _id: sessionId }] = (await server.call('GET', '/user/sessions', { as: 'developer' })).body.data;
  const notice = { user_id: developer.id, notification_type: 'sla_due', title: 'Look' };
  expect((await server.call('POST', '/client/notifications', { as: 'admin', body: notice })).status).toBe(201);
  const [{ _id: noticeId }] = (await server.call('GET', '/client/notifications', { as: 'developer' })).body.data;
  const calls: [string, string, object?][] = [
    ['PUT', `/team/${developer.id}`, { role: 'admin' }],
    ['DELETE', `/team/${developer.id}`],
    ['DELETE', `/team/${developer.id}/sessions`],
    ['POST', `/team/${developer.id}/reset-2fa`],
    ['GET', `/users/${developer.id}/avatar`],
    ['DELETE', `/user/sessions/${sessionId}`],
    ['DELETE', `/user/tokens/${tokenId}`],
    ['PUT', `/client/notifications/${noticeId}`, { status: 'read' }],
    ['DELETE', `/client/notifications/${noticeId}`],
    ['POST', '/client/notifications', notice],
  ];
  const found = await Promise.all(
    calls.map(async ([method, path, sent]) => {
      const answer = await server.call(method, path, {
        as: others.admin,
        ...(sent === undefined ? {} : { body: sent }),
      });
      return `${answer.status} ${method} ${path}`;
    }),
  );
  expect(found).toEqual(calls.map(([method, path]) => `404 ${method} ${path}`));
  // an heir from elsewhere is none
  const left = await createUser(server.scene.database, server.users.clientId, 'developer');
  const heir = await server.call('DELETE', `/team/${left.id}?hand_over_to=${others.admin.id}`, { as: 'admin' });
  expect(heir.status).toBe(422);
  expect((await server.call('GET', '/session', { as: left })).status).toBe(200);
  expect((await server.call('GET', '/session', { as: 'developer' })).body.data.user.role).toBe('developer');
});

test('a borrowed Host is refused or ignored: the mailed link leads here', async () => {
  const { email } = server.users.admin;
  const status = await new Promise<number>((resolve, reject) => {
    const request = httpRequest(`${server.baseUrl}/api/v1/password-reset-request`, {
      method: 'POST',
      headers: {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'content-type': 'application/json',
      },
    });
    request.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(JSON.stringify({ email }));
  });
  expect([200, 400, 403, 421]).toContain(status);
  expect((await server.call('POST', '/password-reset-request', { body: { email } })).status).toBe(200);
  const { rows } = await server.scene.owner.query('select content::text as text from mails');
  expect(JSON.stringify(rows)).not.toContain('evil');
});
