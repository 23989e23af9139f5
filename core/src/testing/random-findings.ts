import { randomUUID } from 'node:crypto';
import { FINDING_TYPES, SEVERITIES, type Severity } from '@breakwater/sdk';
import type pg from 'pg';
import { FINDING_STATUSES, VERDICTS } from '../findings/model/states.ts';
import { PACKAGE_USES, type PackageUse } from '../reachability/model/package-use.ts';

/** A finding as the tests know it, to count by hand what the server counts from rollups. */
export interface KnownFinding {
  id: string;
  repository_id: string;
  repository_tags: string[];
  tool: string;
  type: string;
  category: string;
  language: string;
  severity: Severity;
  priority: number;
  status: string;
  verdict: string;
  is_duplicate: boolean;
  is_subfinding: boolean;
  needs_confirmation: boolean;
  kev: boolean;
  cvss: number | null;
  epss: number | null;
  issue_owner: string | null;
  developers: string[] | null;
  review_requested_by_id: string | null;
  effort: number | null;
  start_column: number | null;
  end_column: number | null;
  tags: string[];
  date: string;
  /** A day or more after its date: its tool had reported it before it was first imported here. */
  first_seen: string;
  path: string | null;
  resource: string | null;
  package_use: PackageUse | null;
  definition: KnownDefinition;
}

export interface KnownDefinition {
  title: string;
  rule_id: string;
  cve: string | null;
  cwe: number[];
  owasp: string | null;
  slsa_threats: string[];
  owasp_cicd: string[];
  component: string | null;
  fixed_version: string | null;
  aliases: string[];
  policy: { name?: string; category?: string; control?: string } | null;
}

export interface KnownRepository {
  id: string;
  nickname: string;
  owner: string | null;
  tags: string[];
}

/** Numbers that look random and are the same in every run. */
export const makeRandom = (start: number): (() => number) => {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const pick = <T>(random: () => number, values: readonly T[]): T => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('Nothing to pick from');
  return value;
};

const WORDS = ['Injection', 'Überlauf', '100% open', 'a_b', 'C:\\path', "O'Brien", 'select "x"', '漏洞'];

/** CJK signs, three bytes each. */
const makeLong = (signs: number): string => {
  const random = makeRandom(7);
  return Array.from({ length: signs }, () => String.fromCharCode(0x4e00 + Math.floor(random() * 20_000))).join('');
};

/** One is too long for a key of an index, in signs that no compression shortens much. */
export const RESOURCES = [
  'arn:aws:s3:::customer-data',
  'aws_s3_bucket.logs["a,b"]',
  'app:1.2 (debian 12)',
  makeLong(1000),
];

const makeDefinitions = (random: () => number): KnownDefinition[] =>
  Array.from({ length: 60 }, (_, n) => ({
    title: `${pick(random, WORDS)} number ${n}`,
    rule_id: `rule.${n % 17}`,
    cve: n % 3 === 0 ? `CVE-2024-${1000 + n}` : null,
    cwe: n % 4 === 0 ? [] : [79 + (n % 5), 200 + (n % 3)],
    owasp: n % 2 === 0 ? `A0${1 + (n % 5)}:2025` : null,
    slsa_threats: n % 5 === 0 ? ['D', 'E'].slice(n % 2) : [],
    owasp_cicd: n % 5 === 0 ? [`CICD-SEC-${1 + (n % 10)}`] : [],
    component: n % 3 === 0 ? `package-${n % 9}` : null,
    fixed_version: n % 6 === 0 ? '2.0' : null,
    aliases: n % 7 === 0 ? ['GHSA-1'] : [],
    policy: n % 8 === 0 ? { name: 'House rules', control: 'H-1' } : null,
  }));

interface Dictionaries {
  repositories: KnownRepository[];
  definitions: KnownDefinition[];
  users: string[];
}

/** How a repository uses the package of a definition: every use there is, and none, side by side. */
const packageUseOf = (
  { repositories, definitions }: Dictionaries,
  repository: KnownRepository,
  definition: KnownDefinition,
): PackageUse | null =>
  definition.component === null
    ? null
    : (PACKAGE_USES[(repositories.indexOf(repository) + definitions.indexOf(definition)) % 5] ?? null);

const DAY_MS = 86_400_000;

/** Some of last September, some whose time is just running out; imported up to a week after they were reported. */
const dates = (random: () => number): Pick<KnownFinding, 'date' | 'first_seen'> => {
  const time =
    random() < 0.5
      ? Date.UTC(2026, 8, 1 + Math.floor(random() * 20), Math.floor(random() * 24))
      : Date.now() - Math.floor(random() * 100) * DAY_MS;
  const imported = Math.min(Date.now(), time + Math.floor(random() * 8) * DAY_MS);
  return { date: new Date(time).toISOString(), first_seen: new Date(imported).toISOString() };
};

const makeFinding = (random: () => number, from: Dictionaries): KnownFinding => {
  const repository = pick(random, from.repositories);
  const definition = pick(random, from.definitions);
  const verdict = random() < 0.6 ? 'none' : pick(random, VERDICTS);
  const days = dates(random);
  return {
    id: randomUUID(),
    repository_id: repository.id,
    repository_tags: repository.tags,
    tool: pick(random, ['opengrep', 'grype', 'trivy']),
    type: pick(random, FINDING_TYPES),
    category: pick(random, ['Injection', 'Vulnerable dependency', '']),
    language: pick(random, ['go', 'java', '']),
    severity: pick(random, SEVERITIES),
    // with parts of a point, as the tie-break gives them
    priority: Math.floor(random() * 20) * 5 + Math.floor(random() * 4) * 0.25,
    status: random() < 0.6 ? 'enriched' : pick(random, FINDING_STATUSES),
    verdict,
    needs_confirmation: verdict !== 'none' && random() < 0.3,
    is_duplicate: random() < 0.2,
    is_subfinding: random() < 0.1,
    kev: random() < 0.1,
    cvss: random() < 0.5 ? null : Math.round(random() * 100) / 10,
    epss: random() < 0.6 ? null : Math.round(random() * 20) / 20,
    issue_owner: random() < 0.1 ? pick(random, from.users) : null,
    developers: random() < 0.1 ? [pick(random, from.users)] : null,
    review_requested_by_id: random() < 0.1 ? pick(random, from.users) : null,
    effort: random() < 0.1 ? null : Math.floor(random() * 101),
    ...(random() < 0.3
      ? { start_column: null, end_column: null }
      : { start_column: 1 + Math.floor(random() * 3), end_column: 10 + Math.floor(random() * 3) }),
    tags: random() < 0.2 ? [pick(random, ['release', 'a,b', 'other']), 'all'] : [],
    ...days,
    path:
      random() < 0.1
        ? null
        : pick(random, ['src/a.go', 'src/b_c.java', 'lib/100%.js', 'src/überlauf/ä.go', 'rule.3/x']),
    resource: random() < 0.7 ? null : pick(random, RESOURCES),
    package_use: packageUseOf(from, repository, definition),
    definition,
  };
};

const INSERT_DICTIONARIES = `
  with repository as (
    insert into repositories (client_id, id, nickname, source_control, owner, tags)
    select $1, r.id, r.nickname, 'git', r.owner, r.tags
    from jsonb_to_recordset($2::jsonb) r (id uuid, nickname text, owner uuid, tags text[])
    returning id
  ),
  definition as (
    insert into finding_definitions (client_id, digest, tool, rule_id, title, cve, cwe, owasp_2025, component,
      slsa_threats, owasp_cicd, fixed_version, aliases, policy)
    select $1, md5(s.title)::uuid, 'x', s.rule_id, s.title, s.cve, array(select jsonb_array_elements_text(s.cwe)::integer), s.owasp, s.component,
      array(select jsonb_array_elements_text(s.slsa_threats)), array(select jsonb_array_elements_text(s.owasp_cicd)),
      s.fixed_version, array(select jsonb_array_elements_text(s.aliases)), nullif(s.policy, 'null')
    from jsonb_to_recordset($3::jsonb) s (title text, rule_id text, cve text, cwe jsonb, owasp text, component text,
      slsa_threats jsonb, owasp_cicd jsonb, fixed_version text, aliases jsonb, policy jsonb)
  ),
  file as (
    insert into finding_files (client_id, path) select $1, path from jsonb_array_elements_text($4::jsonb) path
  )
  insert into scan_scopes (client_id, repository_id, tool, last_seen_at) select $1, id, 'x', now() from repository`;

const INSERT_FINDINGS = `
  insert into findings (client_id, id, repository_id, scope_id, definition_id, file_id, identity, severity, severity_numerical, priority,
    tool, type, category, language, status, verdict, is_duplicate, is_subfinding, kev, cvss, epss, issue_owner, developers, review_requested_by_id,
    effort_for_fixing, start_column, end_column, tags, needs_confirmation, first_scan_id, date, first_seen)
  select $1, f.id, f.repository_id, o.id, x.id, p.id, f.id, 4 - array_position($3::text[], f.severity) + 1, 50, f.priority,
    f.tool, f.type, f.category, f.language, f.status, f.verdict, f.is_duplicate, f.is_subfinding, f.kev, f.cvss, f.epss, f.issue_owner, f.developers, f.review_requested_by_id,
    f.effort, f.start_column, f.end_column, array(select jsonb_array_elements_text(f.tags)), f.needs_confirmation, f.id, f.date, f.first_seen
  from jsonb_to_recordset($2::jsonb) f (id uuid, repository_id uuid, tool text, type text, category text, language text, severity text,
    priority real, status text, verdict text, is_duplicate boolean, is_subfinding boolean, kev boolean, cvss real, epss real,
    issue_owner uuid, developers uuid[], review_requested_by_id uuid, effort smallint, start_column integer, end_column integer, tags jsonb, needs_confirmation boolean, date timestamptz, first_seen timestamptz, path text, definition jsonb)
  join finding_definitions x on x.client_id = $1 and x.title = f.definition ->> 'title'
  join scan_scopes o on o.client_id = $1 and o.repository_id = f.repository_id
  left join finding_files p on p.client_id = $1 and p.path = f.path`;

/** Fills a client with findings of every kind. Takes a connection of the owner. */
export const insertRandomFindings = async (
  owner: pg.Pool,
  options: { clientId: string; users: string[]; count: number; start: number },
): Promise<{ findings: KnownFinding[]; repositories: KnownRepository[] }> => {
  const { clientId, users, count } = options;
  const random = makeRandom(options.start);
  const repositories = Array.from({ length: 4 }, (_, n) => ({
    id: randomUUID(),
    nickname: `service-${n}`,
    owner: n === 0 ? (users[0] ?? null) : null,
    tags: [['web'], [], ['web', 'a,b'], ['internal']][n] ?? [],
  }));
  const definitions = makeDefinitions(random);
  const from = { repositories, definitions, users };
  const findings = Array.from({ length: count }, () => makeFinding(random, from));
  const paths = [...new Set(findings.flatMap((finding) => finding.path ?? []))];
  await owner.query(INSERT_DICTIONARIES, [
    clientId,
    JSON.stringify(repositories),
    JSON.stringify(definitions),
    JSON.stringify(paths),
  ]);
  await owner.query(INSERT_FINDINGS, [clientId, JSON.stringify(findings), SEVERITIES]);
  await owner.query(
    `insert into finding_details (client_id, finding_id, resource)
     select $1, id, resource from jsonb_to_recordset($2::jsonb) f (id uuid, resource text)`,
    [clientId, JSON.stringify(findings)],
  );
  const uses = repositories.flatMap((repository) =>
    definitions.map((definition) => {
      const use = packageUseOf(from, repository, definition);
      return { repository_id: repository.id, title: definition.title, use };
    }),
  );
  await owner.query(
    `insert into package_uses (client_id, repository_id, definition_id, use)
     select $1, u.repository_id, x.id, u.use from jsonb_to_recordset($2::jsonb) u (repository_id uuid, title text, use text)
     join finding_definitions x on x.client_id = $1 and x.title = u.title where u.use is not null`,
    [clientId, JSON.stringify(uses)],
  );
  return { findings, repositories };
};
