import type { FindingType } from '@breakwater/sdk';
import { sql } from 'kysely';
import { severityOfRank } from '../../../platform/model/severity.ts';
import type { Db } from '../../../platform/server/database.ts';
import { likelihoodOf } from '../../model/enrich.ts';
import type { ReferenceData } from '../../model/reference.ts';
import { type PackageUse, type PriorityFacts, packageUseOf, tieFactsOf } from '../../model/score-priority.ts';

interface ScoredRow {
  id: string;
  title: string;
  type: FindingType;
  severity: number;
  priority: number;
  cvss: number | null;
  cvss_vector: string | null;
  is_own_severity: boolean;
  exposure: 'internet' | 'internal' | 'unknown';
  data_class: 'sensitive' | 'business' | 'public' | 'unknown';
  cwe: number[];
  owasp: string | null;
  epss: number | null;
  epss_percentile: number | null;
  epss_date: string | null;
  kev_added: string | null;
  component: string | null;
  package_use: PackageUse | null;
  cve: string | null;
  aliases: string[];
  fixed_version: string | null;
  effort_for_fixing: number | null;
  path: string | null;
  flow_steps: number | null;
}

/** Steps of the shortest data flow of the details `d`; null without one. */
export const FLOW_STEPS = '(select min(jsonb_array_length(w)) from jsonb_array_elements(d.code_flows) w)';

/** A stored finding: its priority, and all that the priority rests on. */
export interface ScoredFinding {
  id: string;
  title: string;
  priority: number;
  facts: PriorityFacts;
}

const factsOf = (row: ScoredRow, reference: Pick<ReferenceData, 'cwe'>): PriorityFacts => ({
  severity: severityOfRank(row.severity),
  type: row.type,
  // what a person says of the severity counts alone
  cvssScore: row.is_own_severity ? undefined : (row.cvss ?? undefined),
  cvssVector: row.cvss_vector ?? undefined,
  kev: row.kev_added === null ? undefined : { dateAdded: row.kev_added },
  epss:
    row.epss === null
      ? undefined
      : {
          probability: row.epss,
          ...(row.epss_percentile === null ? {} : { percentile: row.epss_percentile }),
          ...(row.epss_date === null ? {} : { date: row.epss_date }),
        },
  likelihood: likelihoodOf(row.cwe, reference),
  exposure: row.exposure,
  dataClass: row.data_class,
  owasp: row.owasp ?? undefined,
  packageUse: packageUseOf(row.package_use, row.component),
  tie: tieFactsOf({
    ...row,
    fixedVersion: row.fixed_version,
    effort: row.effort_for_fixing,
    flowSteps: row.flow_steps,
  }),
});

/**
 * Findings by their ids, in this order. EPSS and KEV are those that the definition
 * holds: feeds keep them current, see rescore.ts. Indexes: primary keys.
 */
export const readScored = async (
  db: Db,
  request: { clientId: string; ids: readonly string[]; reference: Pick<ReferenceData, 'cwe'> },
): Promise<ScoredFinding[]> => {
  const { clientId, ids, reference } = request;
  const { rows } = await sql<ScoredRow>`
    select f.id, x.title, f.type, f.severity, f.priority, f.cvss, d.cvss_vector, f.reported_severity is not null as is_own_severity,
      r.exposure, r.data_class, x.cwe, coalesce(x.owasp_2025, x.owasp_2021) as owasp, x.epss, x.epss_percentile, x.epss_date, x.kev_added,
      x.component, u.use as package_use, x.cve, x.aliases, x.fixed_version, f.effort_for_fixing, p.path, ${sql.raw(FLOW_STEPS)} as flow_steps
    from unnest(${[...ids]}::uuid[]) wanted (id)
    -- by join, not by "any": PostgreSQL 18 would skip through another index that ends in the id
    join findings f on f.client_id = ${clientId} and f.id = wanted.id
    join finding_definitions x on x.client_id = ${clientId} and x.id = f.definition_id
    left join finding_files p on p.client_id = ${clientId} and p.id = f.file_id
    left join finding_details d on d.client_id = ${clientId} and d.finding_id = f.id
    left join repository_branches b on b.client_id = ${clientId} and b.id = f.repository_id
    join repositories r on r.client_id = ${clientId} and r.id = coalesce(b.repository_id, f.repository_id)
    left join package_uses u on u.client_id = ${clientId} and u.repository_id = r.id and u.definition_id = f.definition_id
    order by f.id`.execute(db);
  return rows.map((row) => ({ id: row.id, title: row.title, priority: row.priority, facts: factsOf(row, reference) }));
};
