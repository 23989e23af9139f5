import { rollupRepairs } from '@breakwater/core/findings/server/rollups/check-rollups.ts';
import type pg from 'pg';

/** What a seeded client holds. The shape (repositories, rules, skew) is the same at every size. */
export interface SeedOptions {
  findings: number;
  /** Name of the organisation, to tell several apart in one database. */
  name?: string;
  repositories?: number;
  /** An organisation that exists already; a new one without it. */
  clientId?: string;
}

export interface SeededClient {
  clientId: string;
  repositoryIds: string[];
  findings: number;
}

const DEFINITIONS = 3_000;
const FILES = 20_000;

/** Dictionary of what is wrong: five tools, rules and vulnerabilities, with the facts that follow from the rule. */
const DEFINITIONS_SQL = `
  create temp table seed_definitions on commit drop as
  select n, k.tool, k.type,
    case k.type when 'SAST' then (array['Injection', 'Broken Access Control', 'Cryptographic Failures', 'Security Misconfiguration',
      'Authentication Failures', 'Software or Data Integrity Failures'])[1 + n % 6] else k.category end as category,
    case k.type when 'SAST' then (array['javascript', 'python', 'java', 'go', 'typescript', 'csharp'])[1 + n % 6] else '' end as language,
    case when k.is_component then format('CVE-20%s-%s', lpad((10 + n % 16)::text, 2, '0'), 1000 + n * 7) end as cve,
    case when k.is_component then format('%s-%s', (array['lodash', 'express', 'log4j', 'requests', 'jackson', 'spring'])[1 + n % 6], n % 400) end as component,
    (array[79, 89, 22, 78, 352, 502, 798, 327, 611, 918, 200, 400])[1 + n % 12] as cwe,
    (array[4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 2])[1 + (n * 7) % 20]::smallint as severity,
    case when k.is_component then round((2 + random() * 8)::numeric, 1)::real end as cvss,
    case when k.is_component then power(random(), 6)::real end as epss,
    k.is_component and n % 145 = 0 as kev
  from generate_series(1, ${DEFINITIONS}) n
  join (values (0, 'opengrep', 'SAST', '', false), (1, 'grype', 'SCA', 'Vulnerable dependency', true),
    (2, 'trivy', 'Container', 'Vulnerable dependency', true), (3, 'gitleaks', 'Secrets', 'Exposed secret', false),
    (4, 'checkov', 'IaC', 'Misconfiguration', false)) k (i, tool, type, category, is_component)
    on k.i = case when n % 10 < 5 then 0 when n % 10 < 7 then 1 when n % 10 = 7 then 2 when n % 10 = 8 then 3 else 4 end`;

const STORE_DEFINITIONS_SQL = `
  insert into finding_definitions (client_id, digest, tool, rule_id, title, cve, cwe, component, component_version, ecosystem, owasp_2025, epss, package_key)
  select $1::uuid, md5($1::uuid::text || n)::uuid, tool, coalesce(cve, format('%s.security.rule-%s', nullif(language, ''), n), format('%s-rule-%s', tool, n)),
    case type when 'SAST' then format('Untrusted input reaches a dangerous call (%s, variant %s)', category, n)
      when 'Secrets' then format('Access key of provider %s in the source', n) when 'IaC' then format('Resource %s is open to everyone', n)
      else format('%s: crafted input exhausts memory (%s)', component, cve) end,
    cve, array[cwe], component, case when component is not null then format('%s.%s.0', 1 + n % 9, n % 20) end,
    case when component is not null then 'npm' end, case when type = 'SAST' then format('A%s:2025', lpad((1 + n % 10)::text, 2, '0')) end,
    epss, case when component is not null then md5(component || (n % 9))::uuid end
  from seed_definitions order by n`;

const STORE_FILES_SQL = `
  insert into finding_files (client_id, path)
  select $1, format('%s/%s/module-%s/%s-%s.%s', (array['src', 'lib', 'server', 'packages', 'test'])[1 + n % 5],
    (array['api', 'auth', 'billing', 'search', 'admin', 'core', 'data'])[1 + n % 7], n % 211,
    (array['handler', 'service', 'controller', 'view', 'util'])[1 + n % 5], n, (array['js', 'py', 'java', 'go', 'ts', 'cs'])[1 + n % 6])
  from generate_series(1, ${FILES}) n`;

const SCOPES_SQL = `
  insert into scan_scopes (client_id, repository_id, tool, last_seen_at)
  select $1, r.id, t.tool, now() from repositories r cross join (select distinct tool from seed_definitions) t where r.client_id = $1`;

/** Draws every finding once; what is random is drawn here so that later joins cannot draw it again. */
const DRAW_SQL = `
  create temp table seed_draw on commit drop as
  select i, new_id() as id, 1 + floor(power(random(), 2) * ${DEFINITIONS})::integer as definition, floor(random() * ${FILES})::integer as file,
    1 + floor(power(random(), 1.5) * $1)::integer as repository, 1 + floor(random() * 2000)::integer as line,
    random() as fate, random() as doubt, now() - power(random(), 1.3) * interval '365 days' as first_seen
  from generate_series(1, $2::integer) i`;

const FINDINGS_SQL = `
  insert into findings (client_id, id, repository_id, scope_id, definition_id, file_id, identity, ordinal, severity, severity_numerical, priority,
    tool, type, category, language, status, verdict, is_duplicate, duplicate_of, kev, cvss, epss, start_column, end_column,
    effort_for_fixing, exploitability, impact, first_scan_id, date, first_seen, last_seen, closed_at)
  select $1::uuid, d.id, r.id, c.id, u.id, f.id, md5(d.i::text || $1::uuid::text)::uuid, 0, s.severity, (array[10, 30, 50, 75, 95])[s.severity + 1],
    case when s.kev then 90 + d.i % 10 else least(89, (s.severity * 12 + d.i % 13 + coalesce(s.epss, 0) * 20))::integer end,
    s.tool, s.type, s.category, s.language,
    case when d.fate < 0.12 then 'mitigated' when d.fate < 0.14 then 'reopened' when d.fate < 0.16 then 'ready' else 'enriched' end,
    case when d.doubt < 0.05 then 'false_positive' when d.doubt < 0.06 then 'accepted_risk' when d.doubt < 0.08 then 'valid' else 'none' end,
    d.doubt > 0.92, case when d.doubt > 0.92 then lag(d.id) over (order by d.i) end,
    s.kev, s.cvss, s.epss, 1 + d.i % 40, 41 + d.i % 80,
    5 + (d.definition * 13 + d.i % 9) % 90, (d.definition * 7) % 101, (d.definition * 11) % 101, $2, d.first_seen, d.first_seen,
    case when d.fate < 0.12 then d.first_seen + (now() - d.first_seen) * d.doubt end,
    case when d.fate < 0.12 then d.first_seen + (now() - d.first_seen) * d.doubt end
  from seed_draw d
  join seed_definitions s on s.n = d.definition
  join (select row_number() over (order by id) as n, id from finding_definitions where client_id = $1) u on u.n = d.definition
  join (select row_number() over (order by id) - 1 as n, id from finding_files where client_id = $1) f on f.n = d.file
  join (select row_number() over (order by id) as n, id from repositories where client_id = $1) r on r.n = d.repository
  join scan_scopes c on c.client_id = $1 and c.repository_id = r.id and c.tool = s.tool`;

const LOCATIONS_SQL = `
  insert into finding_locations (client_id, finding_id, start_line, end_line) select $1, id, line, line + i % 4 from seed_draw`;

const DETAILS_SQL = `
  insert into finding_details (client_id, finding_id, description, code, priority_parts)
  select $1, id, 'Data from a request is used without being checked. An attacker who controls it can change what the statement does.',
    format('const value = request.query.field%s;%srun(value);', line, chr(10)),
    '[{"key":"severity","points":30,"of":40,"reason":"severity high"}]'
  from seed_draw`;

/**
 * A year of changes, which cannot be counted from the findings: a mitigated finding was an open one until it was closed. The rest is
 * filled by the statements of rebuild-rollups.
 */
const HISTORY_SQL = [
  `create temp table seed_history on commit drop as
   select ((case when status = 'mitigated' then closed_at else first_seen end) at time zone 'UTC')::date as day, k.source,
     aggregate_key(disposition_dimensions(status, verdict, is_duplicate, is_subfinding, issue_owner, null, null)) as disposition,
     (first_seen at time zone 'UTC')::date as first_day, status, verdict, is_duplicate, is_subfinding,
     aggregate_key(disposition_dimensions('enriched', verdict, is_duplicate, is_subfinding, issue_owner, null, null)) as when_open
   from findings
   cross join lateral (select aggregate_key(source_dimensions(repository_id, tool, type, category, language, severity, kev,
     cvss is not null, epss is not null)) as source) k
   where client_id = $1`,
  `insert into aggregate_changes (client_id, day, source, disposition, delta)
   select $1::uuid, day, source, disposition, sum(delta) from (
     select day, source, disposition, 1 as delta from seed_history
     union all
     select e.day, h.source, h.when_open, e.delta
     from seed_history h cross join lateral (values (h.first_day, 1), (h.day, -1)) e (day, delta) where h.status = 'mitigated'
   ) change group by 1, 2, 3, 4 having sum(delta) <> 0`,
  `insert into aggregate_dispositions (client_id, disposition, status, verdict, is_duplicate, is_subfinding, is_open)
   select distinct $1::uuid, when_open, 'enriched', verdict, is_duplicate, is_subfinding,
     verdict in ('none', 'valid') and not is_duplicate and not is_subfinding
   from seed_history where status = 'mitigated' on conflict do nothing`,
];

const createClient = async (connection: pg.ClientBase, name: string): Promise<string> => {
  const client = await connection.query<{ id: string }>(
    'insert into clients (organization_name) values ($1) returning id',
    [name],
  );
  return client.rows[0]?.id ?? '';
};

const createRepositories = async (connection: pg.ClientBase, clientId: string, repositories: number): Promise<void> => {
  await connection.query(
    `insert into repositories (client_id, nickname, url, source_control, status, last_scan_at)
     select $1, 'service-' || n, 'https://git.example/team/service-' || n, 'git', 'enriched', now() from generate_series(1, $2::integer) n`,
    [clientId, repositories],
  );
};

/** Secondary indexes are dropped and made again: loading a million rows through twelve of them would take minutes. */
const withoutIndexes = async (connection: pg.ClientBase, work: () => Promise<void>): Promise<void> => {
  const indexes = await connection.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename = 'findings' and indexname <> 'findings_pkey'`,
  );
  for (const index of indexes.rows) await connection.query(`drop index ${index.name}`);
  await work();
  for (const index of indexes.rows) await connection.query(index.definition);
};

const fill = async (
  connection: pg.ClientBase,
  clientId: string,
  count: number,
  repositories: number,
): Promise<void> => {
  await connection.query('select setseed(0.42)');
  await connection.query(DEFINITIONS_SQL);
  await connection.query(STORE_DEFINITIONS_SQL, [clientId]);
  await connection.query(STORE_FILES_SQL, [clientId]);
  await connection.query(SCOPES_SQL, [clientId]);
  await connection.query(DRAW_SQL, [repositories, count]);
  await connection.query(
    'analyze seed_draw, seed_definitions, finding_definitions, finding_files, repositories, scan_scopes',
  );
  await connection.query('alter table findings disable trigger user');
  const scan = await connection.query<{ id: string }>('select new_id() as id');
  await withoutIndexes(connection, async () => {
    await connection.query(FINDINGS_SQL, [clientId, scan.rows[0]?.id]);
  });
  await connection.query('alter table findings enable trigger user');
  await connection.query(LOCATIONS_SQL, [clientId]);
  await connection.query(DETAILS_SQL, [clientId]);
  for (const statement of HISTORY_SQL) await connection.query(statement, [clientId]);
};

/** Counts the findings of a client into every rollup that is not right yet. */
export const fillRollups = async (connection: pg.ClientBase, clientId: string): Promise<void> => {
  for (const statement of rollupRepairs()) await connection.query(statement, [clientId]);
  await connection.query(
    'vacuum analyze aggregate_sources, aggregate_dispositions, aggregate_cells, aggregate_definitions, aggregate_definition_dispositions, aggregate_buckets, aggregate_changes, aggregate_files, aggregate_extensions, aggregate_dates, aggregate_days',
  );
};

/**
 * Fills a client with findings of a realistic spread: 20 repositories, five tools, 3,000 definitions, 20,000 files, skewed.
 * Needs a connection of the owner; takes about a minute for 1,000,000. Nothing is imported: rollups are counted at the end.
 */
export const seedFindings = async (connection: pg.ClientBase, options: SeedOptions): Promise<SeededClient> => {
  const repositories = options.repositories ?? 20;
  await connection.query('begin');
  const clientId =
    options.clientId ?? (await createClient(connection, options.name ?? `Seeded with ${options.findings}`));
  await createRepositories(connection, clientId, repositories);
  await connection.query('set local max_parallel_workers_per_gather = 0');
  await fill(connection, clientId, options.findings, repositories);
  await connection.query('commit');
  // without statistics the rollups would be joined row by row, for many minutes
  await connection.query('vacuum analyze findings, finding_details, finding_definitions, finding_files');
  await fillRollups(connection, clientId);
  const ids = await connection.query<{ id: string }>('select id from repositories where client_id = $1 order by id', [
    clientId,
  ]);
  return { clientId, repositoryIds: ids.rows.map((row) => row.id), findings: options.findings };
};
