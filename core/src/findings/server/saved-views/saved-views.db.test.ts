import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestRequest, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUser, createUsers } from '../../../../../tools/testing/users.ts';
import { DEFAULT_COLUMNS } from '../../model/column-catalogue.ts';

type As = NonNullable<TestRequest['as']>;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate finding_view_settings, saved_finding_filters cascade'));

const call = (method: string, path: string, body?: unknown, as: As = 'developer') =>
  server.call(method, path, { as, ...(body === undefined ? {} : { body }) });
const save = (name: string, filters: unknown = [{ severity: 'critical,high' }], rest = {}, as: As = 'developer') =>
  call('POST', '/findings-filter/save', { name, filters, ...rest }, as);
const list = async (query = '', as: As = 'developer') =>
  (await call('GET', `/findings-filter/selected${query}`, undefined, as)).body;
const keys = (columns: { key: string }[]) => columns.map(({ key }) => key);

describe('columns', () => {
  const read = async (as: As = 'developer') =>
    (await call('GET', '/findings-columns/selected', undefined, as)).body.data;
  const choose = (body: unknown) => call('POST', '/findings-columns/save', body);

  test('are the default until somebody chooses; order and widths stay after signing out and are one person’s own', async () => {
    expect(keys((await read()).selected)).toEqual(DEFAULT_COLUMNS);
    const chosen = ['title', 'notes', 'priority', 'cvssv3_score'];
    const saved = await choose({ columns: chosen, widths: { notes: 300 } });
    expect(saved.body.success).toBe(true);
    expect(await read()).toEqual(saved.body.data);
    expect((await read()).selected).toMatchObject([
      { key: 'title', label: 'Finding', index: 0, width: null },
      { key: 'notes', sort: null, index: 1, width: 300 },
      { key: 'priority', sort: 'priority', index: 2 },
      { key: 'cvssv3_score', sort: 'cvssv3_score', index: 3 },
    ]);
    expect(keys((await read()).default)).toEqual(DEFAULT_COLUMNS);
    expect(keys((await read('cyberoper')).selected)).toEqual(DEFAULT_COLUMNS);
    await choose({ columns: chosen.slice(0, 3) });
    expect((await read()).selected[1]).toMatchObject({ key: 'notes', width: 300 });
    await choose({ columns: [] });
    expect(keys((await read()).selected)).toEqual(DEFAULT_COLUMNS);
  });

  test('what a row cannot be read without is always shown, and a stored column that is gone is left out', async () => {
    expect(keys((await choose({ columns: ['tool'] })).body.data.selected)).toEqual(['priority', 'title', 'tool']);
    await server.scene.owner.query(`update finding_view_settings set columns = '{gone,title,priority,tool,tool}'`);
    expect(keys((await read()).selected)).toEqual(['title', 'priority', 'tool']);
  });

  test.each([
    [{}],
    [{ columns: 'title' }],
    [{ columns: ['nothing'] }],
    [{ columns: ['title', 'title'] }],
    [{ columns: ['title'], other: 1 }],
    [{ columns: ['title'], widths: { title: 1 } }],
    [{ columns: ['title'], widths: { nothing: 100 } }],
    [{ columns: Array.from({ length: 5000 }, () => 'title') }],
  ])('%j is refused', async (body) => {
    expect((await choose(body)).status).toBe(422);
  });
});

describe('saved filters', () => {
  test('created, activated, updated and activated, deleted: with the notices of the specification', async () => {
    const filters = [{ severity: 'critical,high' }, { cwe: [79, 89] }, { search: 'login' }, { priority_gt: 50 }];
    const made = await save(' Injection ', filters);
    expect(made.body).toEqual({
      success: true,
      data: {
        ...{ _id: expect.any(String), name: 'Injection', scope: 'app', active: false, filters },
        ...{ shared: false, starred: false, own: true, owner: expect.any(String), editable: true },
      },
      message: 'Success save filter findings!',
    });
    const { _id: id } = made.body.data;
    const second = (await save('second')).body.data;

    const activated = await call('POST', '/findings-filter/activate', { id });
    expect(activated.body.message).toBe('Success activate filter findings!');
    await call('POST', '/findings-filter/activate', { id: second._id });
    expect((await list()).data.map((one: { active: boolean }) => one.active)).toEqual([false, true]);

    const changed = [{ severity: 'low' }];
    const updated = await call('PUT', '/findings-filter/INJECTION/update-activate', { name: 'Low', filters: changed });
    expect(updated.body).toMatchObject({
      data: { _id: id, name: 'Low', active: true, filters: changed },
      message: 'Success update filter findings!',
    });
    expect((await list()).data).toMatchObject([{ name: 'Low' }, { name: 'second', active: false }]);

    const removed = await call('DELETE', '/findings-filter/delete', { id });
    expect(removed.body).toEqual({ success: true, message: 'Success remove filter findings!' });
    expect((await call('DELETE', `/findings-filter/delete?id=${second._id}`)).status).toBe(200);
    expect((await list()).data).toEqual([]);
  });

  test('saving under a name that exists replaces that one; each scope has its own names and its own active one', async () => {
    const first = (await save('Mine')).body.data;
    const again = await save('mine', [{ kev: 'only' }]);
    expect(again.body).toMatchObject({ data: { _id: first._id }, message: 'Success update filter findings!' });
    const cloud = await call('POST', '/findings-filter/save?scope=cloud', { name: 'Mine', filters: [] });
    expect(cloud.body.data).toMatchObject({ scope: 'cloud', name: 'Mine' });
    expect(cloud.body.data._id).not.toBe(first._id);
    for (const id of [first._id, cloud.body.data._id]) await call('POST', '/findings-filter/activate', { id });
    expect((await list('?scope=cloud')).data).toMatchObject([{ scope: 'cloud', active: true }]);
    expect((await list()).data).toMatchObject([{ active: true }, { active: true }]);
    const path = '/findings-filter/Mine/update-activate?scope=cloud';
    expect((await call('PUT', path, { name: 'Mine', filters: [{ tool: 'aws' }] })).body.data.scope).toBe('cloud');
    expect(
      (await call('PUT', '/findings-filter/Mine/update-activate?scope=scm', { name: 'x', filters: [] })).status,
    ).toBe(404);
    await save('Other');
    expect((await call('PUT', '/findings-filter/Mine/update-activate', { name: 'other', filters: [] })).status).toBe(
      409,
    );
  });

  test('belong to one person: nobody else reads, activates, changes or deletes them', async () => {
    const { _id: id } = (await save('Mine')).body.data;
    const elsewhere = await createUsers(server.scene.database, 'Other Organisation');
    const colleague = await createUser(server.scene.database, server.users.clientId, 'developer');
    for (const as of ['admin', { token: colleague.token }, { token: elsewhere.admin.token }] satisfies As[]) {
      expect((await list('', as)).data).toEqual([]);
      expect((await call('POST', '/findings-filter/activate', { id }, as)).status).toBe(404);
      expect((await call('DELETE', '/findings-filter/delete', { id }, as)).body.code).toBe('saved_filter_not_found');
      const update = call('PUT', '/findings-filter/Mine/update-activate', { name: 'Mine', filters: [] }, as);
      expect((await update).status).toBe(404);
    }
    expect((await list()).data).toMatchObject([{ _id: id, active: false }]);
  });

  test('what a later version no longer knows is still shown, and the toggle is kept', async () => {
    await save('Old');
    await server.scene.owner.query(
      `update saved_finding_filters set filters = '[{"gone": "x"}, {"severity": "fatal"}]'`,
    );
    expect((await list()).data[0].filters).toEqual([{ gone: 'x' }, { severity: 'fatal' }]);
    expect((await list()).meta.use_saved_filter).toBe(true);
    await call('PUT', '/findings-filter/use', { use_saved_filter: false });
    expect((await list()).meta.use_saved_filter).toBe(false);
    expect((await list('', 'admin')).meta.use_saved_filter).toBe(true);
  });

  test('saved and activated by many at once: one of each name, one active', async () => {
    await Promise.all(Array.from({ length: 8 }, () => save('Same')));
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(name)));
    await Promise.all(all.map(({ body }) => call('POST', '/findings-filter/activate', { id: body.data._id })));
    const { data } = await list();
    expect(data).toHaveLength(5);
    expect(data.filter((one: { active: boolean }) => one.active)).toHaveLength(1);
  });

  test('names and values of every kind come back as they were, but for what the database cannot hold', async () => {
    const name = `'"; drop table findings; -- 漏洞 <b>`;
    const made = await save(name, [{ search: `a\0b\ud800 %_\\ ${'ü'.repeat(500)}` }]);
    expect(made.body.data.name).toBe(name);
    expect(made.body.data.filters[0].search).toBe(`ab\ufffd %_\\ ${'ü'.repeat(500)}`);
    const path = `/findings-filter/${encodeURIComponent(name)}/update-activate`;
    expect((await call('PUT', path, { name: 'plain', filters: [] })).status).toBe(200);
    expect((await call('PUT', '/findings-filter/%00x/update-activate', { name: 'plain', filters: [] })).status).toBe(
      404,
    );
  });

  test.each([
    ['POST', '/findings-filter/save', { name: 'x' }],
    ['POST', '/findings-filter/save', { name: '', filters: [] }],
    ['POST', '/findings-filter/save', { name: ' \0', filters: [] }],
    ['POST', '/findings-filter/save', { name: 'x'.repeat(101), filters: [] }],
    ['POST', '/findings-filter/save', { name: 'x', filters: [{ nothing: 'a' }] }],
    ['POST', '/findings-filter/save', { name: 'x', filters: [{ severity: 'low', tool: 'a' }] }],
    ['POST', '/findings-filter/save', { name: 'x', filters: [{}] }],
    ['POST', '/findings-filter/save', { name: 'x', filters: [{ severity: { deep: 1 } }] }],
    ['POST', '/findings-filter/save', { name: 'x', filters: [{ search: 'x'.repeat(8001) }] }],
    ['POST', '/findings-filter/save', { name: 'x', filters: [], scope: 'other' }],
    ['POST', '/findings-filter/activate', { id: 'x' }],
    ['POST', '/findings-filter/activate', { id: randomUUID(), more: true }],
    ['DELETE', '/findings-filter/delete', {}],
    ['DELETE', '/findings-filter/delete?id=x', undefined],
    ['GET', '/findings-filter/selected?scope=all', undefined],
    ['PUT', '/findings-filter/use', { use_saved_filter: 'yes' }],
  ])('%s %s %j is refused', async (method, path, body) => {
    expect((await call(method, path, body)).status).toBe(422);
  });

  test('there is an end to them', async () => {
    await server.scene.owner.query(
      `insert into saved_finding_filters (client_id, user_id, scope, name, filters)
       select $1, $2, 'app', 'n' || n, '[]' from generate_series(1, 200) n`,
      [server.users.clientId, server.users.developer.id],
    );
    expect((await save('one more')).status).toBe(409);
    expect((await save('N7')).status).toBe(200);
  });
});
