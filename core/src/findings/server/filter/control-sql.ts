import { sql } from 'kysely';
import { POSTURE_TOOL } from '../../../platform/model/posture-checks.ts';
import type { ControlMatch, Frameworks } from '../../../prioritisation/server/index.ts';
import type { Condition } from './conditions.ts';

/** What keys of controls match; unknown ones match nothing. */
export const matchesOf = ({ match }: Frameworks, keys: readonly string[]): ControlMatch[] =>
  keys.flatMap((key) => match(key) ?? []);

/** Cells of families. Index: primary keys of aggregate_cells and aggregate_sources. */
const inFamilies = (column: string, families: readonly string[]): Condition => sql<boolean>`${sql.ref(column)} in (
  select c.cell from aggregate_cells c
  join aggregate_sources k on k.client_id = current_client() and k.source = c.source
  where c.client_id = current_client() and k.type = any(${[...families]}::text[]))`;

/** Definitions that a condition on `x` holds of. Reads the client's definitions by primary key. */
const inDefinitions = (column: string, condition: Condition): Condition => sql<boolean>`${sql.ref(column)} in (
  select x.id from finding_definitions x where x.client_id = current_client() and ${condition})`;

/**
 * Whether a row speaks of one of the controls, by its cell and its definition, which every index of findings holds.
 * @param table findings `f`, or aggregate_definitions `sc`
 */
export const ofControls = (table: 'f' | 'sc', matches: readonly ControlMatch[]): Condition => {
  const [cell, definition] = [`${table}.cell`, `${table}.definition_id`];
  const families = [...new Set(matches.flatMap((match) => match.families))];
  const checks = [...new Set(matches.flatMap((match) => match.checks))];
  const conditions = [
    ...(families.length === 0 ? [] : [inFamilies(cell, families)]),
    ...byFamilies(matches).map(
      (rule) =>
        sql<boolean>`(${inFamilies(cell, rule.families)} and ${inDefinitions(definition, sql`x.cwe && ${rule.cwe}::integer[]`)})`,
    ),
    ...(checks.length === 0
      ? []
      : [inDefinitions(definition, sql`x.tool = ${POSTURE_TOOL} and x.rule_id = any(${checks}::text[])`)]),
  ];
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`((${sql.join(conditions, sql` or `)}) is true)`;
};

/** Weaknesses of rules with the same families together: one look-up for many controls. */
const byFamilies = (matches: readonly ControlMatch[]): { families: readonly string[]; cwe: number[] }[] => {
  const rules = new Map<string, { families: readonly string[]; cwe: Set<number> }>();
  for (const { families, cwe } of matches.flatMap(({ weaknesses }) => weaknesses)) {
    const key = [...families].sort().join();
    const rule = rules.get(key) ?? { families, cwe: new Set() };
    for (const id of cwe) rule.cwe.add(id);
    rules.set(key, rule);
  }
  return [...rules.values()].map(({ families, cwe }) => ({ families, cwe: [...cwe] }));
};
