import { readFile } from 'node:fs/promises';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import {
  createUser,
  createUsers,
  TEST_PASSWORD,
  type TestUser,
  type TestUsers,
} from '../../../../tools/testing/users.ts';

const REPORT = new URL('../../../data/demo-juice-shop/opengrep.semgrep-json.json', import.meta.url);
const FORMER = 'Former member';

let server: TestServer;
let other: TestUsers;
let repository: string;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  other = await createUsers(server.scene.database, 'Other Organisation');
  const { body } = await call(server.users.admin, 'POST', '/create_repository_with_list', {
    source_control: 'git',
    data: [{ nickname: 'shop', url: 'https://git.example.test/shop.git' }],
  });
  repository = body.data[0]._id;
  const file = (await readFile(REPORT)).toString('base64');
  await call(server.users.admin, 'POST', `/upload_scan/${repository}?wait=100`, { tool: 'auto', file });
});
afterAll(() => server.close());

const raw = (as: { token: string }, method: string, path: string, body?: unknown) =>
  server.call(method, path, { as, ...(body === undefined ? {} : { body }) });
const call = async (as: { token: string }, method: string, path: string, body?: unknown) => {
  const answer = await raw(as, method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer;
};
const sql = async (text: string, values: unknown[] = []) => (await server.scene.owner.query(text, values)).rows;
const newUser = (role: 'admin' | 'cyberoper' | 'developer', clientId = server.users.clientId) =>
  createUser(server.scene.database, clientId, role);
const remove = (user: TestUser, more: object = {}) =>
  raw(user, 'DELETE', '/user', { email: user.email, password: TEST_PASSWORD, ...more });

interface Known {
  user: TestUser;
  /** All that they are or were called. */
  names: string[];
  finding: string;
}

/** What is decided again as it was is no event. */
const verdicts = ['valid', 'false_positive'];

/** A person of whom something lies wherever the product keeps something of people. */
const livedIn = async (): Promise<Known> => {
  const user = await newUser('cyberoper');
  const { admin, clientId } = server.users;
  const tag = user.id.slice(-8);
  const names = [user.email, user.username, `Zacharias.${tag}`, `Zoe ${tag} (she) "Z"`];
  for (const username of names.slice(2)) await call(user, 'PUT', '/user/profile', { username, language: 'de' });
  const findings = await call(user, 'GET', '/findings?pagination[pageSize]=3');
  const [first, second] = findings.body.data.map(({ _id }: { _id: string }) => _id);
  await call(user, 'PUT', `/findings/${first}`, { issue_owner: user.id, notes: 'Looks real' });
  await call(user, 'PUT', `/findings/${first}`, {
    verdict: { value: verdicts.pop(), reason: 'Reached from the shop' },
  });
  await call(admin, 'PUT', `/findings/${second}`, { issue_owner: user.id });
  await call(user, 'PUT', `/repositories/${repository}`, { owner: user.id });
  await call(user, 'POST', '/findings-filter/save', { name: `Mine ${tag}`, filters: [{ severity: 'high' }] });
  await call(user, 'POST', '/findings-filter/save', { name: `Ours ${tag}`, filters: [{ severity: 'low' }] });
  const [shared] = await sql('select id from saved_finding_filters where user_id = $1 and name = $2', [
    user.id,
    `Ours ${tag}`,
  ]);
  await call(user, 'PUT', '/findings-filter/share', { id: shared.id, shared: true });
  await call(user, 'POST', '/findings-columns/save', { columns: ['title', 'notes'] });
  await call(user, 'POST', '/feedback', { title: `A darker mode ${tag}` });
  await call(user, 'POST', '/user/tokens', {
    name: `laptop ${tag}`,
    scopes: ['read'],
    expired_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await call(admin, 'PUT', `/team/${user.id}`, { role: 'admin' });
  const [session] = await sql('select count(*)::int as count from sessions where user_id = $1', [user.id]);
  expect(session.count).toBe(0);
  const signedIn = await server.call('POST', '/login', {
    body: { email: user.email, password: TEST_PASSWORD },
    headers: { accept: 'application/vnd.breakwater.token+json' },
  });
  user.token = signedIn.body.data.access_token;
  await server.call('POST', '/login', { body: { email: user.email, password: 'wrong' } });
  await call(user, 'POST', '/team', { email: `guest-${tag}@example.test`, role: 'developer' });
  await call(user, 'PUT', '/connectors/gitlab/enabled', { enabled: false, reason: 'Not used' }).catch(() => undefined);
  const own = [clientId, user.id];
  const [, , , name = ''] = names;
  const life = "now() + interval '1 day'";
  await sql(
    `insert into provisioned_users (client_id, user_id, user_name, email, document) values ($1, $2, $3, $4, '{}')`,
    [...own, name, user.email],
  );
  await sql('insert into google_identities (client_id, user_id, subject, email, name) values ($1, $2, $3, $4, $5)', [
    ...own,
    tag,
    user.email,
    name,
  ]);
  await sql('insert into single_sign_on_identities (client_id, user_id, issuer, subject) values ($1, $2, $3, $4)', [
    ...own,
    'https://idp.example.test',
    user.email,
  ]);
  await sql(
    `insert into avatars (client_id, user_id, email_hash, image, media_type) values ($1, $2, 'aa', 'picture', 'image/png')`,
    own,
  );
  await sql(
    `insert into account_links (client_id, token_hash, purpose, user_id, email, expires_at) values ($1, $3::text::bytea, 'reset', $2, $4, ${life})`,
    [...own, tag, user.email],
  );
  await sql(
    `insert into connector_switches (client_id, connector_id, is_enabled, actor, actor_name) values ($1, $3, true, $2, $4)`,
    [...own, `x-${tag}`, name],
  );
  const mail = 'insert into mails (client_id, recipient, subject, content, is_secret, expires_at) values';
  await sql(`${mail} ($1, $2, 'Hello', '{"paragraphs":["x"]}', false, ${life})`, [clientId, user.email]);
  await sql(`${mail} (null, $1, 'Your registration', null, true, ${life})`, [user.email]);
  const paragraphs = JSON.stringify({ paragraphs: [`${name} (${user.email}) asks you.`, 'Nothing else.'] });
  await sql(`${mail} ($1, 'boss@example.test', $2, $3, false, ${life})`, [clientId, `${name} asks`, paragraphs]);
  const said = JSON.stringify({ title: { text: '{username} asks', values: { username: name } } });
  await sql(
    `insert into notifications (client_id, user_id, notification_type, title, said) values ($1, $2, 'finding_assigned', $3, $4)`,
    [clientId, admin.id, `${name} asks`, said],
  );
  return { user, names, finding: first };
};

/** Tables and columns in which any of the texts stands, in whatever letters. */
const traces = async (texts: readonly string[]): Promise<string[]> => {
  const columns = await sql(
    `select table_schema as schema, table_name as "table", column_name as "column" from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  );
  expect(columns.length).toBeGreaterThan(500);
  const found = [];
  for (const { schema, table, column } of columns) {
    const patterns = texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]).map((text) => `%${text}%`);
    const [row] = await sql(
      `select count(*)::int as count from "${schema}"."${table}" where "${column}"::text ilike any ($1::text[])`,
      [patterns],
    );
    if (row.count > 0) found.push(`${table}.${column}`);
  }
  return found.sort();
};

test('whoever deletes their account leaves no name and no address in any table, and what others need stays', async () => {
  const { user, names, finding } = await livedIn();
  const { admin, clientId } = server.users;
  expect((await traces(names)).length).toBeGreaterThan(12);
  const [before] = await sql('select count(*)::int as count from audit_entries where client_id = $1', [clientId]);
  const otherRows = await sql('select * from audit_entries where client_id = $1 order by id', [other.clientId]);

  expect((await remove(user)).status).toBe(200);

  expect(await traces(names)).toEqual([]);
  expect(await sql('select * from audit_entries where client_id = $1 order by id', [other.clientId])).toEqual(
    otherRows,
  );
  const [after] = await sql('select count(*)::int as count from audit_entries where client_id = $1', [clientId]);
  expect(after.count).toBe(before.count + 1);
  for (const table of [
    'sessions',
    'avatars',
    'recovery_codes',
    'google_identities',
    'single_sign_on_identities',
    'provisioned_users',
    'notification_preferences',
    'notifications',
    'finding_view_settings',
    'saved_filter_marks',
    'account_links',
  ])
    expect([table, await sql(`select 1 from ${table} where user_id = $1`, [user.id])]).toEqual([table, []]);
  expect(await sql('select 1 from api_tokens where owner_id = $1', [user.id])).toEqual([]);
  expect((await server.call('GET', '/session', { as: { token: user.token } })).status).toBe(401);
  const again = await server.call('POST', '/login', { body: { email: user.email, password: TEST_PASSWORD } });
  expect(again.status).toBe(401);

  await expect
    .poll(() => sql('select 1 from findings where client_id = $1 and issue_owner = $2', [clientId, user.id]), {
      timeout: 30_000,
    })
    .toEqual([]);
  const history = (await call(admin, 'GET', `/findings/${finding}/history`)).body.data.map(
    ({ attributes }: { attributes: object }) => attributes,
  );
  expect(history).toContainEqual(expect.objectContaining({ kind: 'owner', from: FORMER, to: null, actor: FORMER }));
  expect(history).toContainEqual(
    expect.objectContaining({ kind: 'verdict', actor: FORMER, reason: 'Reached from the shop' }),
  );
  const log = (await call(admin, 'GET', `/audit?filters[actor]=${user.id}&pagination_pageSize=200`)).body.data;
  expect(new Set(log.map((entry: { attributes: { actor: string } }) => entry.attributes.actor))).toEqual(
    new Set([FORMER]),
  );
  expect(log[0].attributes).toMatchObject({ kind: 'account.deleted', subject: '' });
  expect((await call(admin, 'GET', '/feedback')).body.data[0].attributes.author.name).toBe(FORMER);
  const views = (await call(admin, 'GET', '/findings-filter/selected')).body;
  expect(JSON.stringify(views)).toContain(FORMER);
  const people = await call(admin, 'GET', '/team');
  expect(JSON.stringify(people.body)).not.toContain(user.id);
});

test('two people who deleted their account have the same name, and somebody may take the name and address that were theirs', async () => {
  const [one, two] = [await newUser('developer'), await newUser('developer')];
  expect([(await remove(one)).status, (await remove(two)).status]).toEqual([200, 200]);
  expect(await sql('select username from users where id = any($1)', [[one.id, two.id]])).toEqual([
    { username: FORMER },
    { username: FORMER },
  ]);
  await sql(
    `insert into users (client_id, email, username, password_hash, role) values ($1, $2, $3, '', 'developer')`,
    [...[other.clientId, one.email, one.username]],
  );
  expect(await sql('select client_id from users where email = $1', [one.email])).toEqual([
    { client_id: other.clientId },
  ]);
});

test('of two deletions at once one succeeds; nothing is left half done', async () => {
  const user = await newUser('developer');
  const statuses = await Promise.all([remove(user), remove(user), remove(user)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  const [row] = await sql(
    `select count(*)::int as count from audit_entries where kind = 'account.deleted' and actor_id = $1`,
    [user.id],
  );
  expect(row.count).toBe(1);
});

test('a deletion whose connection dies half way changes nothing, and can be repeated', async () => {
  const user = await newUser('developer');
  await server.scene.owner.query('begin');
  await server.scene.owner.query('lock table feedback_posts in access exclusive mode');
  const answer = remove(user);
  // inside a transaction what was read of the activity stays
  const waiting = async () => {
    await sql('select pg_stat_clear_snapshot()');
    return sql(`select pid from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%feedback_posts%' and pid <> pg_backend_pid()
      and datname = current_database()`);
  };
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1);
  const [{ pid }] = await waiting();
  await sql('select pg_terminate_backend($1)', [pid]);
  await server.scene.owner.query('commit');
  expect((await answer).status).toBeGreaterThanOrEqual(500);
  expect((await call(user, 'GET', '/session')).body.data.user.username).toBe(user.username);
  expect(await sql('select status, erased_at from users where id = $1', [user.id])).toEqual([
    { status: 'active', erased_at: null },
  ]);
  expect((await remove(user)).status).toBe(200);
});

test('the last admin, the last person and a superadmin are told what to do instead', async () => {
  const alone = await createUsers(server.scene.database, 'Alone');
  const first = await remove(alone.admin);
  expect([first.status, first.body.detail]).toEqual([409, expect.stringContaining('last admin')]);
  for (const user of [alone.cyberoper, alone.developer]) expect((await remove(user)).status).toBe(200);
  const last = await remove(alone.admin);
  expect([last.status, last.body.detail]).toEqual([409, expect.stringContaining('Delete the organisation')]);
  expect((await remove(alone.superadmin)).status).toBe(409);
  expect((await raw(alone.admin, 'GET', '/session')).status).toBe(200);
});

test('an account is deleted only by its owner, who proves it: address, password, second factor or a recent sign-in', async () => {
  const user = await newUser('developer');
  const refusals: [object, string][] = [
    [{ email: 'somebody@example.test' }, 'email'],
    [{ password: 'wrong' }, 'password'],
    [{ password: undefined }, 'password'],
  ];
  for (const [more, field] of refusals) {
    const answer = await remove(user, more);
    expect([answer.status, answer.body.detail[0].loc.at(-1)]).toEqual([422, field]);
  }
  const victim = await newUser('developer');
  expect((await raw(user, 'DELETE', '/user', { email: victim.email, password: TEST_PASSWORD })).status).toBe(422);
  expect((await server.call('DELETE', '/user', { body: { email: victim.email } })).status).toBe(401);
  const { secret } = (await call(user, 'POST', '/user/configure-2fa')).body.data.otp_data;
  const codeNow = () => generateSync({ secret });
  await call(user, 'POST', '/user/save-2fa', { otp_code: codeNow() });
  await sql('update users set two_factor_step = 0 where id = $1', [user.id]);
  expect((await call(user, 'GET', '/user/proofs')).body.data).toEqual({
    password: true,
    two_factor: true,
    is_fresh: true,
  });
  expect((await remove(user)).body.detail[0].loc).toEqual(['body', 'otp_code']);
  expect((await remove(user, { otp_code: '000000' })).status).toBe(422);
  expect((await remove(user, { otp_code: codeNow() })).status).toBe(200);

  await sql(`update users set password_hash = '' where id = $1`, [victim.id]);
  await sql(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [victim.id]);
  expect((await remove(victim)).status).toBe(409);
  await sql(`update sessions set created_at = now() where user_id = $1`, [victim.id]);
  expect((await remove(victim)).status).toBe(200);
});

test('the audit log itself can be changed by nothing but the deletion of an account', async () => {
  const { database } = server.scene;
  const { clientId, admin } = server.users;
  await expect(
    database.forClient(clientId, (db) => db.updateTable('audit_entries').set({ actor: 'x' }).execute()),
  ).rejects.toThrow('permission denied');
  const gone = await newUser('developer');
  expect((await remove(gone)).status).toBe(200);
  const erase = (id: string, client: string) =>
    database.forClient(client, async (db) => {
      const { sql: text } = await import('kysely');
      await text`select erase_from_audit_log(${id})`.execute(db);
    });
  await expect(erase(gone.id, clientId)).rejects.toThrow('deleted already');
  await expect(erase(admin.id, other.clientId)).rejects.toThrow('no such account');
});

test('a person downloads all that is kept of them and nothing of others; no secret is in it', async () => {
  const { user, names } = await livedIn();
  const answer = await call(user, 'GET', '/user/export');
  expect(answer.headers.get('content-disposition')).toContain('breakwater-personal-data-');
  const document = answer.body;
  expect(document.format).toBe('breakwater-personal-data');
  expect(document.account).toEqual([expect.objectContaining({ email: user.email, username: names[3], role: 'admin' })]);
  expect(document.memberships).toEqual([
    expect.objectContaining({ organization: server.users.organizationName, role: 'admin' }),
  ]);
  expect(document.saved_views).toHaveLength(2);
  expect(document.api_tokens).toHaveLength(1);
  expect(document.sessions.length).toBeGreaterThan(0);
  expect(document.feedback).toHaveLength(1);
  expect(document.decisions_and_comments).toContainEqual(expect.objectContaining({ comment: 'Reached from the shop' }));
  expect(document.audit_entries.length).toBeGreaterThan(5);
  expect(JSON.stringify(document)).not.toMatch(/argon2|token_hash|password_hash|secret_hash/);
  expect(JSON.stringify(document)).not.toContain(server.users.admin.email);
  const foreign = (await call(other.developer, 'GET', '/user/export')).body;
  expect(JSON.stringify(foreign)).not.toContain(user.id);
  expect(foreign.decisions_and_comments).toEqual([]);
  expect((await server.call('GET', '/user/export')).status).toBe(401);
  const [entry] = await sql(`select kind, subject from audit_entries where actor_id = $1 order by id desc`, [user.id]);
  expect(entry).toEqual({ kind: 'account.exported', subject: names[3] });
});
