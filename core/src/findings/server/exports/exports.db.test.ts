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
/** What the list shows in the cell of a title. */
const BELOW_TITLE = ['CVE', 'Component', 'Version', 'File', 'Line'];
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
      'package_use',
      'description',
    ]);
    const shown = parseCsv((await download('csv')).body)[0];
    expect(shown).toEqual([
      ...['Priority', 'Severity', 'Finding', 'Signals', 'Tool', 'Type', 'Status', 'Found here'],
      ...BELOW_TITLE,
    ]);
    await server.call('POST', '/findings-columns/save', {
      as: 'cyberoper',
      body: { columns: ['title', 'priority', 'cwe'] },
    });
    const chosen = parseCsv((await download('csv', '', 'cyberoper')).body)[0];
    expect(chosen).toEqual(['Finding', 'Priority', 'CWE', ...BELOW_TITLE]);
    expect((await download('html', '', 'cyberoper')).body).toContain('<th scope="col">CWE</th></tr>');
    expect((await listed(''))[0]?.attributes).not.toHaveProperty('description');
    expect((await listed('include=description,notes'))[0]?.attributes).toMatchObject({
      description: null,
      notes: null,
    });
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

describe('exports call things as the list does', () => {
  const FIELDS = 'fields=_id,title,status,verdict,tool,severity,cve,component,file_path,start_line,rule_id,kev';

  test('CSV: labels, short titles and where it is; the same values as JSON, which keeps them as stored', async () => {
    const { owner } = server.scene;
    const rule = 'javascript.express.audit.express-open-redirect';
    const [first, second] = await listed(
      'filters[status]=enriched&filters[false_positive]=hide&filters[accepted_risk]=hide&filters[is_duplicate]=hide',
    );
    await owner.query(
      `update finding_definitions x set title = $2, rule_id = $2, tool = 'opengrep', cve = null
       from findings f where f.id = $1 and x.client_id = f.client_id and x.id = f.definition_id`,
      [first?._id, rule],
    );
    await owner.query(`update findings set verdict = 'accepted_risk', status = 'pending_input' where id = $1`, [
      second?._id,
    ]);
    const csv = parseCsv((await download('csv', `?${FIELDS}`)).body);
    expect(csv[0]).toEqual(
      ['Id', 'Finding', 'Status', 'Verdict', 'Tool', 'Severity', 'CVE', 'Component', 'File', 'Line', 'Rule'].concat(
        'Known exploited',
      ),
    );
    const json = (await download('json', `?${FIELDS}`)).body;
    const { labels } = json.meta;
    expect(labels.columns).toMatchObject({ title: 'Finding', start_line: 'Line' });
    expect(labels.status).toMatchObject({ enriched: 'Open', pending_input: 'Needs input' });
    for (const [index, { _id, attributes }] of json.data.entries()) {
      const [id, title, status, verdict, , severity, , , file, line, ruleId, kev] = csv[index + 1] ?? [];
      expect([id, ruleId, file ?? '', line]).toEqual([
        _id,
        attributes.rule_id,
        attributes.file_path ?? '',
        String(attributes.start_line ?? ''),
      ]);
      expect(severity).toBe(labels.severity[attributes.severity]);
      expect(verdict).toBe(labels.verdict[attributes.verdict]);
      expect(kev).toBe(attributes.kev ? 'Yes' : 'No');
      if (_id === first?._id) expect(title).toBe('Express open redirect');
      if (_id === second?._id) expect([status, attributes.status]).toEqual(['Risk accepted', 'pending_input']);
    }
    const words = csv.slice(1).map(([, , status]) => status);
    expect(words).toContain('Open');
    expect(words.filter((word) => /[a-z]_[a-z]|^[a-z]/.test(word ?? ''))).toEqual([]);
    const sarif = (await download('sarif')).body;
    const [run] = (typeof sarif === 'string' ? JSON.parse(sarif) : sarif).runs;
    expect(run.properties.labels.status).toEqual(labels.status);
    expect(
      run.results.some((result: { properties: Row['attributes'] }) => result.properties['status'] === 'enriched'),
    ).toBe(true);
  });

  test('the printed report names its filters as chips do, and people and repositories by name', async () => {
    const { developer } = server.users;
    const [row] = await listed('');
    const open = 'enriched,pending_input,ready,pr_submitted,issued,pr_accepted,reopened';
    const query = [
      `filters[status]=${open}&filters[severity]=critical,high&filters[is_duplicate]=hide&filters[tool]=opengrep`,
      `filters[repository]=${row?.attributes['repository_id']}&filters[developer]=${developer.id}&search=a`,
    ].join('&');
    const { body } = await download('html', `?${query}`);
    const filters = [...body.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text);
    expect(filters).toEqual([
      'Status: open',
      'Severity: critical, high',
      'Tool: OpenGrep',
      `Repository: ${row?.attributes['repository']}`,
      expect.stringMatching(/^Developer: (?!unknown)[^0-9]/),
      'Duplicates: hidden',
      'Search: a',
    ]);
    expect((await download('html', '?filters[status]=enriched,pending_input')).body).toContain(
      '<li>Status: open (not reopened), needs input</li>',
    );
  });
});

test('the resource of a finding is in every format', async () => {
  const [row] = await listed('');
  const resource = 'arn:aws:s3:::customer-data';
  await server.scene.owner.query(
    `insert into finding_details (client_id, finding_id, resource) values ($1, $2, $3)
     on conflict (client_id, finding_id) do update set resource = excluded.resource`,
    [server.users.clientId, row?._id, resource],
  );
  expect(parseCsv((await download('csv', '?fields=resource')).body).flat()).toContain(resource);
  expect((await download('html', '?fields=title,resource')).body).toContain(`<td>${resource}</td>`);
  const json = (await download('json', '?fields=resource')).body.data;
  expect(json.find(({ _id }: Row) => _id === row?._id).attributes).toEqual({ resource });
  const { body } = await download('sarif');
  const { results } = (typeof body === 'string' ? JSON.parse(body) : body).runs[0];
  expect(results.find(({ guid }: { guid: string }) => guid === row?._id).properties.resource).toBe(resource);
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
  for (const text of HOSTILE.slice(0, 4)) expect(csv).toContain(`'${text}`);
  // the second for readers who separate by tabs
  expect(csv).toContain(`'\t'=1`);
  expect(csv.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  const { body, headers } = await download('html', `?fields=title,severity&search=${encodeURIComponent('<')}`);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(body).toContain(`content="${headers.get('content-security-policy')}"`);
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  expect(body).not.toMatch(/<(script|img|link|iframe|object|svg|a)\b/i);
});

describe('uploaded reports', () => {
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

  const CANARY = 'c4nary-S3cret';
  const nuclei = (sent: string) => ({
    'template-id': 'login-check',
    info: { name: 'Weak login', severity: 'high', description: `The server repeats ${CANARY}.` },
    host: 'https://a.example',
    'matched-at': 'https://a.example/login',
    request: `POST /login HTTP/1.1\r\nAuthorization: Bearer ${CANARY}\r\nDate: ${sent}\r\n\r\nuser=ann&password=${CANARY}`,
    response: `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${CANARY}; HttpOnly\r\n\r\nHello ann`,
    'curl-command': `curl -H 'Authorization: Bearer ${CANARY}' -d 'user=ann' 'https://a.example/login'`,
  });

  test('what a scanner sent and got is a field of the finding, without its secrets', async () => {
    const repository = await addRepository('running');
    const send = async (sent: string) =>
      (await upload(repository, Buffer.from(JSON.stringify([nuclei(sent)])), 'nuclei')).body.data;
    expect(await send('Mon')).toMatchObject({ status: 'done', counts: { new: 1 } });
    const [row] = await listed(`filters[repository]=${repository}`);
    const expected = {
      http_request:
        'POST /login HTTP/1.1\r\nAuthorization: Bearer ********\r\nDate: Mon\r\n\r\nuser=ann&password=********',
      http_response: 'HTTP/1.1 200 OK\r\nSet-Cookie: sid=********; HttpOnly\r\n\r\nHello ann',
      curl_command: `curl -H 'Authorization: Bearer ********' -d 'user=ann' 'https://a.example/login'`,
    };
    const detail = await call('GET', `/findings/${row?._id}`);
    expect(detail.body.data.attributes).toMatchObject({ ...expected, description: 'The server repeats ********.' });
    expect((await call('POST', `/findings/${row?._id}/report`)).body.data.attributes).toMatchObject(expected);
    const query = `?filters[repository]=${repository}&fields=http_request,http_response,curl_command`;
    expect((await download('json', query)).body.data[0].attributes).toEqual(expected);
    expect(parseCsv((await download('csv', query)).body)[1]).toEqual(Object.values(expected));
    const stored = await server.scene.owner.query('select row_to_json(d)::text as text from finding_details d');
    expect(stored.rows.filter(({ text }: { text: string }) => text.includes(CANARY))).toEqual([]);
    // a date in it changes nothing of the finding but what is shown
    expect(await send('Tue')).toMatchObject({ status: 'done', counts: { new: 0, closed: 0, unchanged: 1 } });
    const again = (await call('GET', `/findings/${row?._id}`)).body.data.attributes;
    expect(again.http_request).toContain('Date: Tue');
  });

  test('the tool of a SARIF report is the one that wrote it: in list, filter, facets, detail and exports', async () => {
    const repository = await addRepository('linted');
    const name = 'Lint, "Inc." =1';
    const results = [{ ruleId: 'no-eval', level: 'error', message: { text: 'eval is evil' } }];
    const log = { version: '2.1.0', runs: [{ tool: { driver: { name } }, results }] };
    expect((await upload(repository, Buffer.from(JSON.stringify(log)))).body.data.status).toBe('done');
    const of = `filters[repository]=${repository}`;
    const [row, ...others] = await listed(`${of}&filters[tool][]=${encodeURIComponent(name)}`);
    expect([row?.attributes.tool, others]).toEqual([name, []]);
    expect(await listed(`${of}&filters[tool]=sarif`)).toEqual([]);
    const facets = (await call('GET', `/filter/findings?filter_key=tool&${of}`)).body;
    expect(JSON.stringify(facets)).toContain(JSON.stringify(name));
    expect((await call('GET', `/findings/${row?._id}`)).body.data.attributes.tool).toBe(name);
    expect(parseCsv((await download('csv', `?${of}&fields=tool`)).body)[1]).toEqual([name]);
    expect((await download('json', `?${of}&fields=tool`)).body.data[0].attributes).toEqual({ tool: name });
    const exported = (await download('sarif', `?${of}`)).body;
    const [run] = (typeof exported === 'string' ? JSON.parse(exported) : exported).runs;
    expect(run.results[0].properties.tool).toBe(name);
  });

  test('SARIF is read by our own importer and says the same', async () => {
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
