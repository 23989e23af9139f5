import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { StatedVerdict } from '../../model/vex-state.ts';

interface VexPage {
  clientId: string;
  repositoryId: string;
  /** Key of the last row of the page before; the first page has none. */
  after: string | undefined;
  limit: number;
}

/** Findings `f` of definition `b` that are statements of their own: a duplicate is spoken for by its original. */
const speaks = (repositoryId: string): RawBuilder<boolean> => sql<boolean>`
  f.client_id = b.client_id and f.definition_id = b.id and f.repository_id = ${repositoryId}
  and f.verdict <> 'duplicate' and not f.is_duplicate and not f.is_subfinding
`;

/** Known vulnerabilities of packages: what has an advisory and a component. */
const isVulnerability = sql<boolean>`
  b.component is not null and b.package_key is not null
  and (b.cve is not null or b.rule_id ~ '^(CVE|GHSA|OSV|PYSEC|RUSTSEC|GO|RHSA|DSA|USN|SNYK|ALAS)-' or cardinality(b.aliases) > 0)
`;

export interface VexComponent {
  package_key: string;
  name: string;
  version: string | null;
  purl: string | null;
}

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The next affected packages by key, each once. Reads finding_definitions_package, then findings_by_definition; `limit` keeps the planner from
 * joining with all findings of the organisation instead, once a page.
 */
export const exportVexComponents = async (db: Db, page: VexPage): Promise<VexComponent[]> => {
  const { clientId, repositoryId, after, limit } = page;
  const { rows } = await sql<VexComponent>`
    select b.package_key, min(b.component) as name, min(b.component_version) as version, min(b.purl) as purl
    from finding_definitions b
    cross join lateral (select 1 from findings f where ${speaks(repositoryId)} limit 1) w
    where b.client_id = ${clientId} and ${isVulnerability} and b.package_key > ${after ?? FIRST}::uuid
    group by b.package_key order by b.package_key limit ${limit}
  `.execute(db);
  return rows;
};

export interface VexVulnerability {
  definition_id: number;
  id: string;
  /** CVE, else the tool's id of the advisory. */
  name: string;
  title: string;
  aliases: string[];
  cwe: number[];
  package_key: string;
  component_version: string | null;
  fixed_version: string | null;
  /** 4 critical to 0 informational. */
  severity: number;
  cvss: number | null;
  cvss_vector: string | null;
  verdict: StatedVerdict;
  is_closed: boolean;
  verdict_reason: string | null;
  verdict_expires_at: Date | null;
}

/**
 * The next vulnerabilities of an application, one per advisory and package. Where its findings are judged differently the one that says
 * most danger counts: open before decided before closed. Reads the key of finding_definitions, then findings_by_definition.
 */
export const exportVulnerabilities = async (db: Db, page: VexPage): Promise<VexVulnerability[]> => {
  const { clientId, repositoryId, after, limit } = page;
  const { rows } = await sql<VexVulnerability>`
    select b.id as definition_id, w.id, coalesce(b.cve, b.rule_id) as name, b.title, b.aliases, b.cwe, b.package_key, b.component_version,
      b.fixed_version, w.severity, w.cvss, d.cvss_vector, w.verdict, w.status = 'mitigated' as is_closed, d.verdict_reason, w.verdict_expires_at
    from finding_definitions b
    cross join lateral (
      select f.id, f.severity, f.cvss, f.verdict, f.status, f.verdict_expires_at from findings f where ${speaks(repositoryId)}
      order by f.status = 'mitigated', array_position(array['valid', 'none', 'accepted_risk', 'mitigated_externally', 'false_positive'], f.verdict), f.id
      limit 1
    ) w
    left join finding_details d on d.client_id = b.client_id and d.finding_id = w.id
    where b.client_id = ${clientId} and ${isVulnerability} and b.id > ${after ?? '0'}::bigint
    order by b.id limit ${limit}
  `.execute(db);
  return rows;
};

/** What the statements say, as a fingerprint: equal for equal statements. Reads the findings of all packages once. */
export const readVexFingerprint = async (
  db: Db,
  request: { clientId: string; repositoryId: string },
): Promise<string> => {
  const { rows } = await sql<{ fingerprint: string | null }>`
    select sum(('x' || left(h, 16))::bit(64)::bigint)::text || ':' || sum(('x' || right(h, 16))::bit(64)::bigint)::text as fingerprint
    from (
      select md5(concat_ws(chr(31), b.digest, b.fixed_version, f.severity, f.cvss, f.verdict, f.status = 'mitigated', d.verdict_reason,
        extract(epoch from f.verdict_expires_at))) as h
      from finding_definitions b
      join findings f on ${speaks(request.repositoryId)}
      left join finding_details d on d.client_id = b.client_id and d.finding_id = f.id
      where b.client_id = ${request.clientId} and ${isVulnerability}
    ) statements
  `.execute(db);
  return rows[0]?.fingerprint ?? '';
};
