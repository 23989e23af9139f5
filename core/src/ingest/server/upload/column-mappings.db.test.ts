import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../../../tools/testing/server.ts';

/** A table of a scanner that no importer knows. */
const TABLE = 'Problem Name;Sev;Where;Ln\nXSS;S1;src/a.js;3\nWeak hash;S3;src/b.js;4\n';
const COLUMNS = ['Problem Name', 'Sev', 'Where', 'Ln'];
const MAPPING = {
  tool: 'Acme scanner',
  separator: ';',
  fields: [
    { field: 'title', column: 'Problem Name' },
    { field: 'severity', column: 'Sev' },
    { field: 'file_path', column: 'Where' },
    { field: 'start_line', column: 'Ln' },
    { field: 'type', value: 'SAST' },
  ],
  severities: [
    { word: 's1', severity: 'critical' },
    { word: 'S3', severity: 'low' },
  ],
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
});
afterAll(() => server.close());

const addRepository = async (nickname: string): Promise<string> => {
  const body = { source_control: 'git', data: [{ nickname, url: '' }] };
  return (await server.call('POST', '/create_repository_with_list', { as: 'admin', body })).body.data[0]._id;
};

const upload = async (repository: string, text: string, fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([text]), 'acme.csv');
  const answer = await fetch(`${server.baseUrl}/api/v1/upload_scan/${repository}?wait=120`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.tokens.admin}` },
    body: form,
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

const preview = (text: string, mapping?: object) => {
  const body = {
    head: Buffer.from(text).toString('base64'),
    is_whole: true,
    ...(mapping === undefined ? {} : { mapping }),
  };
  return server.call('POST', '/upload_preview', { as: 'admin', body });
};

describe('a table of a scanner that is not known', () => {
  it('is refused with a code of its own, until somebody says what its columns are', async () => {
    const repository = await addRepository('unmapped');
    for (const tool of ['auto', 'breakwater']) {
      const refused = await upload(repository, TABLE, { tool });
      expect([refused.status, refused.body.code], tool).toEqual([422, 'report_unmapped']);
    }
    expect((await upload(repository, 'neither table nor JSON')).body.code).toBe('report_unrecognised');
  });

  it('is shown with a proposal and what its rows become', async () => {
    const { status, body } = await preview(TABLE);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ separator: ';', columns: COLUMNS, saved: [] });
    expect(body.data.rows[0]).toEqual(['XSS', 'S1', 'src/a.js', '3']);
    expect(body.data.fields.map(({ name }: { name: string }) => name)).toContain('fixed_version');
    const mapped = await preview(TABLE, MAPPING);
    expect(mapped.body.data.findings).toMatchObject([
      { title: 'XSS', severity: 'critical', file_path: 'src/a.js', start_line: 3 },
      { title: 'Weak hash', severity: 'low' },
    ]);
    const none = await preview('{"a":1}');
    expect([none.status, none.body.code]).toEqual([422, 'report_wrong_tool']);
    const wrong = await preview(TABLE, {
      ...MAPPING,
      fields: [{ field: 'title', column: 'Problem Name', value: 'x' }],
    });
    expect(wrong.status).toBe(422);
  });

  it('is imported by its mapping; the next report of the scanner closes what it does not list, another one nothing', async () => {
    const repository = await addRepository('mapped');
    const mapping = JSON.stringify(MAPPING);
    const first = await upload(repository, TABLE, { mapping });
    expect(first.body.data).toMatchObject({ status: 'done', tool: 'breakwater', counts: { total: 2, new: 2 } });
    const tools = await server.call('GET', `/findings?filters[repository][0]=${repository}`, { as: 'admin' });
    expect(tools.body.data[0].attributes.tool).toBe('Acme scanner');
    const other = await upload(repository, TABLE.split('\n').slice(0, 2).join('\n'), {
      mapping: JSON.stringify({ ...MAPPING, tool: 'Beta scanner' }),
    });
    expect(other.body.data.counts).toMatchObject({ new: 1, closed: 0 });
    const fixed = TABLE.replace('Weak hash;S3;src/b.js;4\n', 'Weak salt;S3;src/b.js;9\n');
    const next = await upload(repository, fixed, { mapping, tool: 'breakwater' });
    expect(next.body.data.counts).toMatchObject({ total: 2, new: 1, unchanged: 1, closed: 1 });
    const undone = await server.call('POST', `/scans/${next.body.data.scan_id}/undo`, { as: 'admin' });
    expect(undone.status).toBe(202);
    await expect
      .poll(
        async () =>
          (await server.call('GET', `/scans/${undone.body.data.scan_id}`, { as: 'admin' })).body.data.attributes,
        {
          timeout: 120_000,
        },
      )
      .toMatchObject({ status: 'done', counts: { total: 2, reopened: 1, closed: 1 } });
  });

  it('a row that cannot be read is listed, and nothing is closed by such a report', async () => {
    const repository = await addRepository('wrong row');
    const mapping = JSON.stringify(MAPPING);
    await upload(repository, TABLE, { mapping });
    const { body } = await upload(repository, TABLE.replace(';S3;', ';S9;'), { mapping });
    expect(body.data).toMatchObject({ counts: { total: 1, closed: 0, unreadable: 1 } });
    expect(body.data.unreadable[0]).toMatchObject({ where: 'row 3', why: expect.stringContaining('column “Sev”') });
  });

  it.each([
    ['{"tool":"x"}', /mapping must say tool/],
    ['{broken', /not valid JSON/],
    ['nobody saved this', /no saved mapping named/],
    [JSON.stringify({ ...MAPPING, tool: ' ' }), /name the scanner/],
    [JSON.stringify({ ...MAPPING, severities: [{ word: 'x', severity: 'worst' }] }), /mapping must say tool/],
  ])('a mapping that is none is refused: %s', async (mapping, message) => {
    const { status, body } = await upload(await addRepository(`refused ${mapping.length}`), TABLE, { mapping });
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(JSON.stringify(body.detail)).toMatch(message);
  });

  it('a mapping of another tool is refused', async () => {
    const fields = { mapping: JSON.stringify(MAPPING), tool: 'trivy' };
    const { status, body } = await upload(await addRepository('trivy'), TABLE, fields);
    expect([status, JSON.stringify(body.detail)]).toEqual([422, expect.stringMatching(/leave tool out/)]);
  });
});

describe('mappings that an organisation keeps', () => {
  const save = (name: string, as: 'admin' | 'developer' = 'admin') =>
    server.call('PUT', '/column_mappings', { as, body: { name, columns: COLUMNS, mapping: MAPPING } });

  it('are offered for tables with the same columns, and named by an upload', async () => {
    const first = await save('Acme weekly');
    expect(first.status).toBe(200);
    expect((await save('ACME weekly')).body.data).toEqual(first.body.data);
    const { saved } = (await preview(TABLE)).body.data;
    expect(saved).toMatchObject([
      { attributes: { name: 'ACME weekly', mapping: MAPPING, changed_by: expect.any(String) } },
    ]);
    expect((await preview('Problem Name;Sev\na;b\n')).body.data.saved).toEqual([]);
    const { body } = await upload(await addRepository('by name'), TABLE, { mapping: 'acme WEEKLY' });
    expect(body.data).toMatchObject({ status: 'done', counts: { total: 2 } });
    const id = first.body.data._id;
    expect((await server.call('DELETE', `/column_mappings/${id}`, { as: 'admin' })).status).toBe(200);
    expect((await server.call('DELETE', `/column_mappings/${id}`, { as: 'admin' })).body.code).toBe(
      'column_mapping_not_found',
    );
    expect((await server.call('GET', '/column_mappings', { as: 'admin' })).body.data).toEqual([]);
  });

  it('are not saved by developers', async () => {
    expect((await save('Mine', 'developer')).status).toBe(403);
  });
});

describe('schema and templates', () => {
  it('can be downloaded, and the templates imported', async () => {
    const tools = (await server.call('GET', '/upload_tools', { as: 'admin' })).body.data;
    const own = tools.find(({ _id }: { _id: string }) => _id === 'breakwater');
    const names = own.attributes.files.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['template.csv', 'template.json', 'schema.json']);
    const repository = await addRepository('template');
    for (const name of names) {
      const answer = await fetch(`${server.baseUrl}/api/v1/upload_tools/breakwater/files/${name}`, {
        headers: { authorization: `Bearer ${server.tokens.admin}` },
      });
      expect(answer.status).toBe(200);
      const text = await answer.text();
      if (name === 'schema.json') expect(JSON.parse(text).$schema).toMatch(/2020-12/);
      else expect((await upload(repository, text)).body.data.counts).toMatchObject({ total: 2 });
    }
    const none = await server.call('GET', '/upload_tools/breakwater/files/passwd', { as: 'admin' });
    expect([none.status, none.body.code]).toEqual([404, 'format_file_not_found']);
  });

  it("the product's JSON export is imported with the same identities each time", async () => {
    const source = await addRepository('exported');
    await upload(source, TABLE, { mapping: JSON.stringify(MAPPING) });
    const exported = async (repository: string) => {
      const answer = await fetch(
        `${server.baseUrl}/api/v1/download_json_findings?filters[repository][0]=${repository}`,
        { method: 'POST', headers: { authorization: `Bearer ${server.tokens.admin}` } },
      );
      return answer.text();
    };
    const target = await addRepository('imported');
    const first = await upload(target, await exported(source));
    expect(first.body.data).toMatchObject({ status: 'incomplete', counts: { total: 2, new: 2 } });
    const again = await upload(target, await exported(target));
    expect(again.body.data.counts).toMatchObject({ total: 2, new: 0, unchanged: 2, closed: 0 });
  });
});
