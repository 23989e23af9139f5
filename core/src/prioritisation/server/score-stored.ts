import type { FindingType, Severity } from '@breakwater/sdk';
import { exploitFacts, likelihoodOf } from '../model/enrich.ts';
import type { EpssEntry } from '../model/reference.ts';
import { type PackageUse, type Priority, packageUseOf, scorePriority, tieFactsOf } from '../model/score-priority.ts';
import { loadReferenceData } from './feeds/reference-data.ts';
import { FLOW_STEPS } from './settings/read-scored.ts';
import { type QueryRows, readPriorityRules } from './settings/stored-rules.ts';

/** A severity for a finding. What a person set counts alone; a report's gives way to its CVSS score. */
export interface ScoredSeverity {
  id: string;
  severity: Severity;
  isOwn: boolean;
}

interface StoredFacts {
  id: string;
  type: FindingType;
  cvss: number | null;
  cvss_vector: string | null;
  exposure: 'internet' | 'internal' | 'unknown';
  data_class: 'sensitive' | 'business' | 'public' | 'unknown';
  cve: string | null;
  aliases: string[];
  cwe: number[];
  owasp: string | null;
  epss: number | null;
  epss_percentile: number | null;
  epss_date: string | null;
  component: string | null;
  package_use: PackageUse | null;
  fixed_version: string | null;
  effort_for_fixing: number | null;
  path: string | null;
  flow_steps: number | null;
}

/** Reads findings and its dictionaries by primary key. */
const READ_FACTS = `
  select f.id, f.type, f.cvss, d.cvss_vector, r.exposure, r.data_class, x.cve, x.aliases, x.cwe,
    coalesce(x.owasp_2025, x.owasp_2021) as owasp, x.reported_epss as epss, x.reported_epss_percentile as epss_percentile,
    x.reported_epss_date as epss_date, x.component, u.use as package_use,
    x.fixed_version, f.effort_for_fixing, p.path, ${FLOW_STEPS} as flow_steps
  from unnest($2::uuid[]) w (id)
  join findings f on f.client_id = $1 and f.id = w.id
  join finding_definitions x on x.client_id = $1 and x.id = f.definition_id
  left join repository_branches b on b.client_id = $1 and b.id = f.repository_id
  join repositories r on r.client_id = $1 and r.id = coalesce(b.repository_id, f.repository_id)
  left join package_uses u on u.client_id = $1 and u.repository_id = r.id and u.definition_id = f.definition_id
  left join finding_files p on p.client_id = $1 and p.id = f.file_id
  left join finding_details d on d.client_id = $1 and d.finding_id = f.id`;

const reportedOf = (facts: StoredFacts): EpssEntry | undefined =>
  facts.epss === null
    ? undefined
    : {
        probability: facts.epss,
        ...(facts.epss_percentile === null ? {} : { percentile: facts.epss_percentile }),
        ...(facts.epss_date === null ? {} : { date: facts.epss_date }),
      };

/** Priorities of stored findings under given severities, by id; the rules are those of an import. */
export const scoreStored = async (
  query: QueryRows,
  clientId: string,
  severities: readonly ScoredSeverity[],
): Promise<Map<string, Priority>> => {
  if (severities.length === 0) return new Map();
  const reference = await loadReferenceData(async (statement) => ({ rows: await query(statement, []) }));
  const { rules } = await readPriorityRules(query, clientId);
  const wanted = new Map(severities.map((one) => [one.id, one]));
  const facts = await query<StoredFacts>(READ_FACTS, [clientId, [...wanted.keys()]]);
  return new Map(
    facts.flatMap((of): [string, Priority][] => {
      const own = wanted.get(of.id);
      if (own === undefined) return [];
      const names = { cve: of.cve ?? undefined, aliases: of.aliases, epss: reportedOf(of) };
      const priority = scorePriority(
        {
          ...exploitFacts(names, reference),
          severity: own.severity,
          cvssScore: own.isOwn ? undefined : (of.cvss ?? undefined),
          cvssVector: of.cvss_vector ?? undefined,
          likelihood: likelihoodOf(of.cwe, reference),
          type: of.type,
          exposure: of.exposure,
          dataClass: of.data_class,
          owasp: of.owasp ?? undefined,
          packageUse: packageUseOf(of.package_use, of.component),
          tie: tieFactsOf({
            ...of,
            fixedVersion: of.fixed_version,
            effort: of.effort_for_fixing,
            flowSteps: of.flow_steps,
          }),
        },
        rules,
      );
      return [[of.id, priority]];
    }),
  );
};
