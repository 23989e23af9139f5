import { FINDING_TYPES, SEVERITIES } from '@breakwater/sdk';
import { createTestDatabase, type TestDatabase } from '@breakwater/tools/testing/database.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_USES } from '../../../reachability/model/package-use.ts';
import { facetValues, isOpen, matching, sorted } from '../../../testing/known-findings.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import {
  insertRandomFindings,
  type KnownFinding,
  type KnownRepository,
  RESOURCES,
} from '../../../testing/random-findings.ts';
import { SORT_FIELDS } from '../../api/routes.ts';
import { FACET_KEYS, type FindingFilters } from '../../model/filter-catalogue.ts';
import { SLA_STATES } from '../../model/sla.ts';
import { FINDING_STATUSES, MITIGATIONS, REMEDIATION_TYPES, VISIBILITIES } from '../../model/states.ts';
import { readFacets } from '../counts/read-facets.ts';
import type { Viewer } from '../filter/viewer.ts';
import { findPage, findPageSoon, type PageCosts } from './find-page.ts';
import { readFindingRows } from './read-finding-rows.ts';

interface Side {
  users: TestUsers;
  findings: KnownFinding[];
  repositories: KnownRepository[];
}

let scene: TestDatabase;
let ours: Side;
let theirs: Side;

const fill = async (name: string, start: number): Promise<Side> => {
  const users = await createUsers(scene.database, name);
  const people = [users.developer.id, users.cyberoper.id];
  const made = await insertRandomFindings(scene.owner, { clientId: users.clientId, users: people, count: 400, start });
  return { users, ...made };
};

beforeAll(async () => {
  scene = await createTestDatabase();
  ours = await fill('Ours', 1);
  theirs = await fill('Theirs', 2);
});
afterAll(() => scene.drop());

const viewerOf = (side: Side, role: 'admin' | 'developer' = 'admin'): Viewer => ({
  clientId: side.users.clientId,
  userId: side.users[role].id,
  seesAll: role === 'admin',
});

/** Always look up, never look up, and as measured: all three must say the same. */
const WAYS: Record<string, PageCosts | undefined> = {
  measured: undefined,
  'always fetched and sorted': { row: 0, fewRows: 0, deep: 0 },
  'always scanned, in steps of the order': { row: Number.POSITIVE_INFINITY, fewRows: -1, deep: 0 },
  'always scanned': { row: Number.POSITIVE_INFINITY, fewRows: -1, deep: Number.POSITIVE_INFINITY },
};

const some = <T>(values: readonly T[]) =>
  fc.subarray([...values], { minLength: 1, maxLength: Math.min(3, values.length) });

/** Filters of every kind, alone and together. Values of the other client are among them: they must find nothing. */
const requests = () =>
  fc.record({
    role: fc.constantFrom('admin' as const, 'developer' as const),
    search: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.constantFrom(
        'injection',
        'ÜBER',
        '100%',
        'a_b',
        'c:\\',
        "o'b",
        '漏洞',
        'rule.3',
        'package-3',
        'src/',
        'nothing',
        '_',
        '%',
      ),
    ),
    filters: fc.record({
      severity: some(SEVERITIES),
      status: some(FINDING_STATUSES),
      type: some(FINDING_TYPES),
      category: some(['Injection', 'Vulnerable dependency', 'unknown']),
      tool: some(['opengrep', 'grype', 'trivy']),
      repository: some([...ours.repositories, ...theirs.repositories].map((one) => one.id)),
      cwe: some([79, 80, 81, 200, 201, 999]),
      cve: some(['CVE-2024-1003', 'CVE-2024-1006', 'CVE-1999-1']),
      owasp: some(['A01:2025', 'A03:2025']),
      slsa_threats: some(['D', 'E']),
      owasp_cicd: some(['CICD-SEC-1', 'CICD-SEC-6']),
      language: some(['go', 'java']),
      file: some(['src/a.go', 'lib/100%.js', 'absent']),
      component: some(['package-0', 'package-3', 'package-6']),
      resource: some([...RESOURCES, 'absent']),
      issue_owner: some([ours.users.developer.id, theirs.users.developer.id]),
      first_scan: some([...ours.findings.slice(0, 3), ...theirs.findings.slice(0, 1)].map((one) => one.id)),
      cvssv3_score_gt: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
      cvssv3_score_lt: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
      priority_gt: fc.integer({ min: 0, max: 100 }),
      priority_lt: fc.integer({ min: 0, max: 100 }),
      date_gt: fc.constantFrom('2026-09-01', '2026-09-10'),
      date_lt: fc.constantFrom('2026-09-12', '2026-09-20'),
      kev: fc.constantFrom('only' as const, 'hide' as const, 'show' as const),
      false_positive: fc.constantFrom(...VISIBILITIES),
      accepted_risk: fc.constantFrom(...VISIBILITIES),
      is_duplicate: fc.constantFrom(...VISIBILITIES),
      is_subfinding: fc.constantFrom(...VISIBILITIES),
      developer: some([ours.users.developer.id, theirs.users.developer.id]),
      review_requested: some(['true', 'false'] as const),
      review_requested_by_id: some([ours.users.developer.id, theirs.users.developer.id]),
      vulnerability: some(['CVE-2024-1003', 'GHSA-1']),
      rule: some(['rule.1', 'rule.3', 'nothing']),
      policy_name: some(['OWASP Top 10 2025', 'OWASP CI/CD Top 10', 'House rules']),
      policy_category: some(['Injection', 'Broken Access Control']),
      policy_control: some(['A01:2025', 'CICD-SEC-6', 'H-1']),
      remediation_type: some(REMEDIATION_TYPES),
      mitigation: some(MITIGATIONS),
      provider: some(['git', 'github']),
      repository_tag: some(['web', 'a,b', 'absent']),
      tags: some(['release', 'a,b', 'absent']),
      excluded_file_types: some(['go', '.JS', 'java', 'none']),
      start_column: fc.constantFrom(1, 2, 9),
      end_column: fc.constantFrom(10, 11),
      package_use: some(PACKAGE_USES),
      sla: some(SLA_STATES),
      fixing_effort_gt: fc.integer({ min: 0, max: 100 }),
      fixing_effort_lt: fc.integer({ min: 0, max: 100 }),
      control: some(['asvs-5:V1.2', 'pci-dss-4:6.2.4', 'soc-2:CC7.1', 'nis2', 'nothing:1']),
    }),
  });

/** Few filters make results worth comparing: with all of them no finding is left. */
const fewFilters = () =>
  requests().chain(({ filters, ...request }) =>
    fc.subarray(Object.keys(filters), { minLength: 0, maxLength: 3 }).map((kept) => ({
      ...request,
      filters: Object.fromEntries(Object.entries(filters).filter(([key]) => kept.includes(key))) as FindingFilters,
    })),
  );

describe.each(Object.entries(WAYS))('pages, %s', (_way, costs) => {
  test('are what a plain filter and sort of all findings gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fewFilters(),
        fc.constantFrom(...SORT_FIELDS),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.integer({ min: 0, max: 420 }),
        fc.constantFrom(1, 7, 50),
        async ({ role, search, filters }, sortField, direction, offset, limit) => {
          const request = { viewer: viewerOf(ours, role), filters, search };
          const page = await scene.database.forClient(ours.users.clientId, (db) =>
            findPage(db, { ...request, sortField, direction, offset, limit }, costs),
          );
          const expected = sorted(matching(ours, request), sortField, direction, ours.repositories).map(
            (finding) => finding.id,
          );
          expect(page.total).toBe(expected.length);
          expect(page.ids).toEqual(expected.slice(offset, offset + limit));
        },
      ),
      { numRuns: propertyRuns(25), seed: 7 },
    );
  });

  test('may come before they are counted, and are the same', async () => {
    let uncounted = 0;
    await fc.assert(
      fc.asyncProperty(
        fewFilters(),
        fc.constantFrom(...SORT_FIELDS),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.integer({ min: 0, max: 220 }),
        async ({ role, search, filters }, sortField, direction, offset) => {
          const request = { viewer: viewerOf(ours, role), filters, search };
          const page = await scene.database.forClient(ours.users.clientId, (db) =>
            findPageSoon(db, { ...request, sortField, direction, offset, limit: 7 }, costs),
          );
          const expected = sorted(matching(ours, request), sortField, direction, ours.repositories);
          expect(page.ids).toEqual(expected.slice(offset, offset + 7).map((finding) => finding.id));
          if (page.total === undefined) uncounted += 1;
          else expect(page.total).toBe(expected.length);
        },
      ),
      { numRuns: propertyRuns(25), seed: 11 },
    );
    // some hundred findings are looked up wherever that is allowed
    expect(uncounted > 0).toBe(costs?.fewRows === -1 || costs?.fewRows === 0);
  });

  test.each(SORT_FIELDS)('together hold every finding once, by %s, both ways', async (sortField) => {
    for (const direction of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (let offset = 0; offset < 400; offset += 97) {
        const page = await scene.database.forClient(ours.users.clientId, (db) =>
          findPage(
            db,
            { viewer: viewerOf(ours), filters: {}, search: '', sortField, direction, offset, limit: 97 },
            costs,
          ),
        );
        seen.push(...page.ids);
      }
      expect(seen).toEqual(sorted(ours.findings, sortField, direction, ours.repositories).map((finding) => finding.id));
    }
  });
});

const OMITTED: Record<string, string> = { status: 'status', verdict: 'verdict' };

test('facets count what each value would leave, under all filters but their own', async () => {
  await fc.assert(
    fc.asyncProperty(fewFilters(), some(FACET_KEYS), async ({ role, search, filters }, keys) => {
      const request = { viewer: viewerOf(ours, role), filters, search };
      const facets = await scene.database.forClient(ours.users.clientId, (db) => readFacets(db, request, keys));
      for (const key of keys) {
        const counts = new Map<string, number>();
        for (const finding of matching(ours, request, OMITTED[key] ?? key)) {
          for (const value of facetValues(finding, key)) counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        expect([key, new Map(facets[key]?.map(({ value, count }) => [value, count]))]).toEqual([key, counts]);
        const numbers = facets[key]?.map(({ count }) => count) ?? [];
        expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
      }
    }),
    { numRuns: propertyRuns(40), seed: 11 },
  );
});

test('facets speak the words of people', async () => {
  const facets = await scene.database.forClient(ours.users.clientId, (db) =>
    readFacets(db, { viewer: viewerOf(ours), filters: {}, search: '' }, [
      'severity',
      'cwe',
      'repository',
      'kev',
      'owasp',
      'slsa_threats',
      'owasp_cicd',
      'status',
    ]),
  );
  const labelOf = (key: string, value: string) => facets[key]?.find((option) => option.value === value)?.label;
  expect(labelOf('severity', 'critical')).toBe('Critical');
  expect(labelOf('cwe', '79')).toMatch(/^CWE-79 Improper Neutralization/);
  expect(labelOf('repository', ours.repositories[0]?.id ?? '')).toBe('service-0');
  expect(labelOf('kev', 'only')).toBe('Known exploited');
  expect(labelOf('owasp', 'A01:2025')).toBe('A01:2025 Broken Access Control');
  expect(labelOf('slsa_threats', 'D')).toBe('D Use compromised dependency');
  expect(labelOf('owasp_cicd', 'CICD-SEC-6')).toBe('CICD-SEC-6 Insufficient Credential Hygiene');
  expect(labelOf('status', 'pr_submitted')).toBe('In review');
});

test('rows are those of the ids, in their order, and never of another client', async () => {
  const ids = [...ours.findings.slice(0, 20), ...theirs.findings.slice(0, 5)].map((finding) => finding.id);
  const rows = await scene.database.forClient(ours.users.clientId, (db) =>
    readFindingRows(db, { clientId: ours.users.clientId, ids }),
  );
  expect(rows.map((row) => row._id)).toEqual(ids.slice(0, 20));
  expect(rows.map((row) => row.attributes.title)).toEqual(ours.findings.slice(0, 20).map((of) => of.definition.title));
});

const HOSTILE = [
  '%',
  '_',
  '\\',
  '%_%',
  '\\%',
  "'",
  '"',
  "';drop table findings;--",
  '\0',
  'a\0b',
  '{}',
  '$1',
  '%%%%%%%%%%%%%%%%',
  '_'.repeat(200),
  '\\'.repeat(199),
  '漏洞',
  '\u{1f600}',
  '\ud800',
  'İ',
  '(((((',
  '.*',
  ' ',
  'x'.repeat(10_000),
  '%a'.repeat(5000),
  '‮',
  '\n\t',
];

test.each(HOSTILE.map((search) => [JSON.stringify(search).slice(0, 40), search]))(
  'hostile text %s is only text',
  async (_name, search) => {
    const request = { viewer: viewerOf(ours), filters: {}, search };
    const { page, facets } = await scene.database.forClient(ours.users.clientId, async (db) => ({
      page: await findPage(db, { ...request, sortField: 'priority', direction: 'desc', offset: 0, limit: 200 }),
      facets: await readFacets(db, request, ['tool']),
    }));
    // PostgreSQL makes İ an i, JavaScript an i with a dot
    const expected = matching(ours, { ...request, search: search.replaceAll('\0', '').replaceAll('İ', 'i') });
    expect(page.total).toBe(expected.length);
    expect(facets['tool']?.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
  },
);

test('hostile values of filters find nothing and break nothing', async () => {
  for (const value of ['\0', "'", '{"a","b"}', '\\', '}', 'x'.repeat(500)]) {
    const filters = {
      tool: [value],
      category: [value],
      cve: [value],
      owasp: [value],
      component: [value],
      file: [value],
    };
    for (const [key, values] of Object.entries(filters)) {
      const page = await scene.database.forClient(ours.users.clientId, (db) =>
        findPage(db, {
          viewer: viewerOf(ours),
          filters: { [key]: values },
          search: '',
          sortField: 'date',
          direction: 'asc',
          offset: 0,
          limit: 50,
        }),
      );
      expect(page).toEqual({ ids: [], total: 0 });
    }
  }
});

test('rollups follow every change of a finding', async () => {
  const { clientId } = theirs.users;
  await scene.owner.query(`update findings set status = 'mitigated' where client_id = $1 and severity = 4`, [clientId]);
  await scene.owner.query(`update findings set severity = 3, priority = 99 where client_id = $1 and severity = 2`, [
    clientId,
  ]);
  await scene.owner.query(`delete from findings where client_id = $1 and severity = 1`, [clientId]);
  const left = theirs.findings.flatMap((finding): KnownFinding[] => {
    if (finding.severity === 'critical') return [{ ...finding, status: 'mitigated' }];
    if (finding.severity === 'medium') return [{ ...finding, severity: 'high', priority: 99 }];
    return finding.severity === 'low' ? [] : [finding];
  });
  const now = { ...theirs, findings: left };
  for (const filters of [
    {},
    { severity: ['high' as const] },
    { status: ['mitigated' as const] },
    { cwe: [79] },
    { priority_gt: 99 },
  ]) {
    const request = { viewer: viewerOf(theirs), filters, search: '' };
    const page = await scene.database.forClient(clientId, (db) =>
      findPage(
        db,
        { ...request, sortField: 'severity', direction: 'desc', offset: 3, limit: 50 },
        WAYS['always scanned'],
      ),
    );
    const expected = sorted(matching(now, request), 'severity', 'desc').map((finding) => finding.id);
    expect([page.total, page.ids]).toEqual([expected.length, expected.slice(3, 53)]);
  }
  const open = await scene.owner.query(
    `select (select coalesce(sum(c.count), 0) from aggregate_cells c join aggregate_dispositions s using (client_id, disposition) where client_id = $1 and s.is_open) as cells,
       (select coalesce(sum(b.count), 0) from aggregate_buckets b join aggregate_dispositions s using (client_id, disposition) where b.client_id = $1 and field = 'priority' and s.is_open) as priorities,
       (select coalesce(sum(b.count), 0) from aggregate_buckets b join aggregate_dispositions s using (client_id, disposition) where b.client_id = $1 and field = 'date' and s.is_open) as dates,
       (select coalesce(sum(d.delta), 0) from aggregate_changes d join aggregate_dispositions s using (client_id, disposition) where d.client_id = $1 and s.is_open) as days`,
    [clientId],
  );
  const expected = left.filter(isOpen).length;
  expect(open.rows.map(({ cells, priorities, dates, days }) => [cells, priorities, dates, days].map(Number))).toEqual([
    Array(4).fill(expected),
  ]);
});

test('text that names thousands of definitions and files finds them all, however they are looked up', async () => {
  const users = await createUsers(scene.database, 'Many');
  const { clientId } = users;
  const repository = '00000000-0000-4000-8000-00000000000a';
  await scene.owner.query(
    `insert into repositories (client_id, id, nickname, source_control) values ($1, $2, 'many', 'git')`,
    [clientId, repository],
  );
  await scene.owner.query(`insert into scan_scopes (client_id, repository_id, tool) values ($1, $2, 'x')`, [
    clientId,
    repository,
  ]);
  await scene.owner.query(
    `insert into finding_definitions (client_id, digest, tool, rule_id, title)
     select $1, md5(n::text)::uuid, 'x', 'r', case when n % 3 = 0 then 'bulk ' else 'other ' end || n from generate_series(1, 4000) n`,
    [clientId],
  );
  await scene.owner.query(
    `insert into finding_files (client_id, path) select $1, case when n % 2 = 0 then 'bulk/' else 'lib/' end || n from generate_series(1, 4000) n`,
    [clientId],
  );
  await scene.owner.query(
    `insert into findings (client_id, id, repository_id, scope_id, definition_id, file_id, identity, severity, severity_numerical, priority,
       tool, type, category, first_scan_id, date, first_seen)
     select $1, new_id(), $2, (select id from scan_scopes where client_id = $1), x.id, p.id, md5(x.id::text)::uuid, 1, 30, x.id % 50,
       'x', 'SAST', '', $2, now(), now()
     from (select id, row_number() over (order by id) as n from finding_definitions where client_id = $1) x
     join (select id, row_number() over (order by id) as n from finding_files where client_id = $1) p on p.n = x.n`,
    [clientId, repository],
  );
  const viewer = { clientId, userId: users.admin.id, seesAll: true };
  const ids = new Set<string>();
  const find = (search: string, offset: number, filters: FindingFilters, costs?: PageCosts) =>
    scene.database.forClient(clientId, (db) =>
      findPage(db, { viewer, filters, search, sortField: 'severity', direction: 'desc', offset, limit: 500 }, costs),
    );
  for (const costs of Object.values(WAYS)) {
    for (let offset = 0; offset < 3000; offset += 500) {
      const page = await find('bulk', offset, {}, costs);
      expect(page.total).toBe(2667);
      for (const id of page.ids) ids.add(id);
    }
    expect(ids.size).toBe(2667);
    expect((await find('r', 3900, {}, costs)).ids).toHaveLength(100);
    expect((await find('bulk', 0, { priority_gt: 25, tool: ['x'] }, costs)).total).toBeLessThan(1500);
    expect((await find('bulk', 0, { tool: ['y'] }, costs)).total).toBe(0);
    const filters: FindingFilters = { rule: ['r'] };
    const broad = { viewer, filters, search: '', sortField: 'severity', direction: 'desc' } as const;
    const [soon, exact] = await scene.database.forClient(clientId, async (db) => [
      await findPageSoon(db, { ...broad, offset: 50, limit: 100 }, costs),
      await findPage(db, { ...broad, offset: 50, limit: 100 }, costs),
    ]);
    expect(soon).toEqual({ ids: exact?.ids, total: undefined });
    expect(exact?.total).toBe(4000);
  }
  const facets = await scene.database.forClient(clientId, (db) =>
    readFacets(db, { viewer, filters: {}, search: 'bulk' }, ['tool', 'file']),
  );
  expect(facets['tool']).toEqual([{ value: 'x', label: 'x', count: 2667 }]);
});
