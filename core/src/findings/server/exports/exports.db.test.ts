import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestRequest, type TestServer } from '../../../../../tools/testing/server.ts';
import { createUsers } from '../../../../../tools/testing/users.ts';
import { insertRandomFindings } from '../../../testing/random-findings.ts';
import { SORT_FIELDS } from '../../api/routes.ts';

type As = NonNullable<TestRequest['as']>;
const FORMATS = ['json', 'csv', 'sarif', 'html'] as const;
const OPENGREP = new URL('../../../../data/demo-juice-shop/opengrep.semgrep-json.json', import.meta.url);
const GRYPE = new URL('../../../../data/demo-juice-shop/grype.json', import.meta.url);

let server: TestServer;
let other: string;
beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  const { users, scene } = server;
  const people = [users.developer.id, users.cyberoper.id];
  await insertRandomFindings(scene.owner, { clientId: users.clientId, users: people, count: 600, start: 3 });
  const elsewhere = await createUsers(scene.database, 'Other Organisation');
  await insertRandomFindings(scene.owner, {
    clientId: elsewhere.clientId,
    users: [elsewhere.developer.id],
    count: 50,
    start: 4,
  });
  other = elsewhere.admin.token;
});
afterAll(() => server.close());

const call = (method: string, path: string, as: As = 'admin') => server.call(method, path, { as });
const download = async (format: (typeof FORMATS)[number], query = '', as: As = 'admin') => {
  const answer = await call('POST', `/download_${format}_findings${query}`, as);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
};
interface Row {
  _id: string;
  attributes: Record<string, unknown>;
}
const listed = async (query: string, as: As = 'admin'): Promise<Row[]> =>
  (await call('GET', `/findings?pagination=false&${query}`, as)).body.data;

/** Reads RFC 4180 by hand: another reading than ours. The mark of UTF-8 is gone with the decoding. */
const parseCsv = (text: string): string[][] => {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
};

describe('exports hold what the list shows', () => {
  const QUERIES = [
    '',
    'filters[severity]=critical,high&sort_field=date&sort=asc',
    'filters[status]=enriched&filters[false_positive]=hide&filters[is_duplicate]=hide&sort_field=severity',
    'search=injection&sort_field=cvssv3_score',
    'search=src/&filters[priority_gt]=30&sort_field=cvssv3_score&sort=asc',
    'filters[cwe]=79,80&filters[cvssv3_score_gt]=2.5',
    'filters[kev]=only&sort_field=estimated_epss',
    'search=nothing-at-all',
    'filters[tool]=nobody',
  ];

  test.each(QUERIES)('%s: the same rows in the same order, for each role', async (query) => {
    for (const as of ['admin', 'developer', { token: other }] satisfies As[]) {
      const rows = await listed(query, as);
      const json = await download('json', `?${query}`, as);
      expect(json.body.data).toEqual(rows);
      expect(json.body.meta.total).toBe(rows.length);
      const csv = parseCsv((await download('csv', `?${query}&fields=_id,priority`, as)).body);
      expect(csv).toEqual([['Id', 'Priority'], ...rows.map((row) => [row._id, String(row.attributes['priority'])])]);
    }
  });

  test.each([...SORT_FIELDS])('every order is walked over its batches as the list goes: %s', async (field) => {
    for (const sort of ['asc', 'desc']) {
      const query = `sort_field=${field}&sort=${sort}`;
      const { body } = await download('json', `?${query}&fields=_id`);
      expect(body.data.map((row: Row) => row._id)).toEqual((await listed(query)).map((row) => row._id));
    }
  });

  test('more than one batch: each finding once', async () => {
    const { scene } = server;
    const big = await createUsers(scene.database, 'Big Organisation');
    await insertRandomFindings(scene.owner, {
      clientId: big.clientId,
      users: [big.developer.id],
      count: 4500,
      start: 7,
    });
    const as = { token: big.admin.token };
    // not by the list, which checks each of 4,500 whole rows against its contract
    const orders = {
      priority: 'priority desc',
      severity: 'severity desc, priority desc',
      cvssv3_score: 'cvss desc nulls last',
    };
    for (const [field, order] of Object.entries(orders)) {
      const { body } = await download('json', `?sort_field=${field}&fields=_id`, as);
      const stored = await scene.owner.query<{ id: string }>(
        `select id from findings where client_id = $1 order by ${order}, id desc`,
        [big.clientId],
      );
      expect(stored.rows).toHaveLength(4500);
      expect(body.data.map((row: Row) => row._id)).toEqual(stored.rows.map((row) => row.id));
    }
  });

  test('columns: those named, else those that the person sees; long texts only on demand', async () => {
    const [row] = (await download('json', '?fields=title,signals,description')).body.data;
    expect(Object.keys(row.attributes)).toEqual([
      'title',
      'kev',
      'kev_date_added',
      'estimated_epss',
      'epss_percentile',
      'epss_date',
      'description',
    ]);
    const shown = parseCsv((await download('csv')).body)[0];
    expect(shown).toEqual(['Priority', 'Severity', 'Finding', 'Signals', 'Tool', 'Type', 'Status', 'Seen']);
    await server.call('POST', '/findings-columns/save', {
      as: 'cyberoper',
      body: { columns: ['title', 'priority', 'cwe'] },
    });
    expect(parseCsv((await download('csv', '', 'cyberoper')).body)[0]).toEqual(['Finding', 'Priority', 'CWE']);
    expect((await download('html', '', 'cyberoper')).body).toContain('<th scope="col">CWE</th></tr>');
    expect((await listed(''))[0]?.attributes).not.toHaveProperty('description');
    expect((await listed('fields=description,notes'))[0]?.attributes).toMatchObject({ description: null, notes: null });
  });

  test.each(FORMATS)('%s: wrong queries are refused, names and types are those of a download', async (format) => {
    for (const query of [
      'filters[nothing]=1',
      'fields=nothing',
      'sort_field=nothing',
      'other=1',
      'filters[priority_gt]=x',
    ]) {
      expect((await call('POST', `/download_${format}_findings?${query}`)).status).toBe(422);
    }
    const { headers } = await download(format);
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="?findings-[-\\d]{10}\\.${format}"?$`),
    );
    expect((await call('POST', `/download_${format}_findings`, 'superadmin')).status).toBe(403);
  });
});

describe('one finding', () => {
  test('is a file with its id in the name; what is not theirs is not found', async () => {
    const [row] = await listed('');
    const answer = await call('POST', `/findings/${row?._id}/report`);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=finding-${row?._id}.json`);
    expect(answer.body).toEqual((await call('GET', `/findings/${row?._id}`)).body);
    expect((await call('POST', `/findings/${row?._id}/report`, { token: other })).status).toBe(404);
    expect((await call('POST', `/findings/${randomUUID()}/report`)).body.code).toBe('finding_not_found');
    const theirs = new Set((await listed('', 'developer')).map(({ _id }) => _id));
    const foreign = (await listed('')).find(({ _id }) => !theirs.has(_id));
    expect((await call('POST', `/findings/${foreign?._id}/report`, 'developer')).status).toBe(404);
  });
});

const HOSTILE = [
  `=HYPERLINK("http://evil.example","a")`,
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '<script>alert(1)</script>"\'&',
  '</td><img src=x onerror=alert(1)>',
];

test('texts of reports are harmless in a spreadsheet and in the printed report', async () => {
  const { owner } = server.scene;
  const { rows } = await owner.query('select id from finding_definitions where client_id = $1 order by id limit 7', [
    server.users.clientId,
  ]);
  for (const [n, { id }] of rows.entries()) {
    await owner.query('update finding_definitions set title = $2 where id = $1', [id, HOSTILE[n]]);
  }
  const csv = parseCsv((await download('csv', '?fields=title')).body).flat();
  for (const text of HOSTILE.slice(0, 5)) expect(csv).toContain(`'${text}`);
  expect(csv.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  const { body, headers } = await download('html', `?fields=title,severity&search=${encodeURIComponent('<')}`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(body).toContain(`content="${headers.get('content-security-policy')}"`);
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  expect(body).not.toMatch(/<(script|img|link|iframe|object|svg|a)\b/i);
});

describe('SARIF', () => {
  const addRepository = async (nickname: string): Promise<string> => {
    const body = { source_control: 'git', data: [{ nickname, url: '' }] };
    return (await server.call('POST', '/create_repository_with_list', { as: 'admin', body })).body.data[0]._id;
  };
  const upload = async (repository: string, file: Buffer, tool = 'auto') =>
    server.call('POST', `/upload_scan/${repository}?wait=60`, {
      as: 'admin',
      body: { tool, ext: 'json', file: file.toString('base64') },
    });
  const facts = (rows: Row[]) =>
    rows
      .map(({ attributes: of }) =>
        JSON.stringify([
          of['title'],
          of['severity'],
          of['file_path'],
          of['start_line'],
          of['end_line'],
          of['cve'],
          of['cwe'],
          of['component'],
        ]),
      )
      .sort();

  test('is read by our own importer and says the same', async () => {
    const first = await addRepository('first');
    for (const file of [OPENGREP, GRYPE]) expect((await upload(first, await readFile(file))).status).toBeLessThan(300);
    const { body } = await download('sarif', `?filters[repository]=${first}`);
    const log = typeof body === 'string' ? JSON.parse(body) : body;
    const [run] = log.runs;
    const ids = run.tool.driver.rules.map((rule: { id: string }) => rule.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(run.results.every((result: { ruleId: string }) => ids.includes(result.ruleId))).toBe(true);
    const second = await addRepository('second');
    const answer = await upload(second, Buffer.from(JSON.stringify(log)));
    expect(answer.body.data).toMatchObject({ status: 'done', unreadable: [] });
    const before = await listed(`filters[repository]=${first}`);
    const after = await listed(`filters[repository]=${second}`);
    expect(before.length).toBeGreaterThan(100);
    expect(after).toHaveLength(before.length);
    expect(facts(after)).toEqual(facts(before));
  });
});
