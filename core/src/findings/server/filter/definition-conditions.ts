import { type RawBuilder, sql } from 'kysely';
import { storable } from '../../../platform/server/database.ts';
import type { ReferenceData } from '../../../prioritisation/server/index.ts';
import type { FindingFilters } from '../../model/filter-catalogue.ts';
import type { Condition, NamedCondition } from './conditions.ts';

/** What the policy fields of a definition `x` read where the tool names no policy: as `estimatedPolicy` says it. */
const CONTROL = sql<string>`coalesce(x.owasp_2025, x.owasp_cicd[1])`;

/** Names of OWASP categories and CI/CD risks by their id. */
const titlesOf = (reference: ReferenceData): string => {
  const ids = [
    ...Array.from({ length: 10 }, (_, index) => `A${String(index + 1).padStart(2, '0')}:2025`),
    ...Array.from({ length: 10 }, (_, index) => `CICD-SEC-${index + 1}`),
  ];
  return JSON.stringify(
    Object.fromEntries(ids.map((id) => [id, reference.owaspTitle(id) ?? reference.supplyChainTitle(id) ?? null])),
  );
};

/** Text of a policy field of a definition `x`: what the tool says, else the estimate that the page of a finding shows. */
export const policySql = (field: 'name' | 'category' | 'control', reference: ReferenceData): RawBuilder<string> => {
  const estimate = {
    name: sql`case when x.owasp_2025 is not null then 'OWASP Top 10 2025' when x.owasp_cicd <> '{}' then 'OWASP CI/CD Top 10' end`,
    category: sql`${titlesOf(reference)}::jsonb ->> ${CONTROL}`,
    control: CONTROL,
  }[field];
  return sql<string>`case when x.policy is not null then x.policy ->> ${field}::text else ${estimate} end`;
};

/** Which of the mitigations removes a definition `x`. */
export const MITIGATION_SQL = sql<string>`case when x.fixed_version is not null then 'update' when x.component is not null then 'no_fix' else 'change' end`;

/** The name under which a vulnerability of a definition `x` is grouped; null where it names none. */
export const VULNERABILITY_SQL = sql<string>`coalesce(x.cve, x.aliases[1])`;

const isSet = <T>(values: readonly T[] | undefined): values is readonly T[] =>
  values !== undefined && values.length > 0;

const among = (expression: RawBuilder<string>, values: readonly string[]): Condition =>
  sql<boolean>`${expression} = any(${storable(values)}::text[])`;

const policyConditions = (filters: FindingFilters, reference: ReferenceData): NamedCondition[] =>
  (['name', 'category', 'control'] as const).flatMap((field) => {
    const wanted = filters[`policy_${field}`];
    return isSet(wanted) ? [{ key: `policy_${field}`, sql: among(policySql(field, reference), wanted) }] : [];
  });

/** Conditions on finding_definitions as `x`: thousands of rows, read once. Index: primary key. */
export const definitionConditions = (filters: FindingFilters, reference: ReferenceData): NamedCondition[] => {
  const conditions = policyConditions(filters, reference);
  const put = (key: string, of: Condition): void => void conditions.push({ key, sql: of });
  if (isSet(filters.component)) put('component', among(sql<string>`x.component`, filters.component));
  if (isSet(filters.vulnerability)) put('vulnerability', among(VULNERABILITY_SQL, filters.vulnerability));
  if (isSet(filters.rule)) put('rule', among(sql<string>`x.rule_id`, filters.rule));
  if (isSet(filters.mitigation)) put('mitigation', among(MITIGATION_SQL, filters.mitigation));
  if (isSet(filters.cwe)) put('cwe', sql<boolean>`x.cwe && ${[...filters.cwe]}::integer[]`);
  if (isSet(filters.cve)) {
    const names = storable(filters.cve).map((name) => (/^cve-/i.test(name) ? name.toUpperCase() : name));
    put('cve', sql<boolean>`(x.cve = any(${names}::text[]) or x.aliases && ${names}::text[])`);
  }
  if (isSet(filters.owasp)) {
    const names = storable(filters.owasp);
    put('owasp', sql<boolean>`(x.owasp_2025 = any(${names}::text[]) or x.owasp_2021 = any(${names}::text[]))`);
  }
  for (const key of ['slsa_threats', 'owasp_cicd'] as const) {
    const wanted = filters[key];
    if (isSet(wanted)) put(key, sql<boolean>`x.${sql.ref(key)} && ${storable(wanted)}::text[]`);
  }
  return conditions;
};
