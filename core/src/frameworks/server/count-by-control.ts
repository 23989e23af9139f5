import { sql } from 'kysely';
import {
  allOf,
  cellConditions,
  countedCells,
  resolveFilter,
  setPlannerHints,
  type Viewer,
} from '../../findings/server/index.ts';
import { POSTURE_TOOL } from '../../platform/model/posture-checks.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ControlMatch } from '../../prioritisation/server/index.ts';

/** Findings of a key by severity. */
export interface ControlCount {
  key: string;
  /** 4 critical to 0 informational. */
  severity: number;
  /** What the list of open findings shows. */
  open: number;
  accepted_risk: number;
  false_positive: number;
  mitigated: number;
  /** All, decided or not. */
  total: number;
}

type Figures = Omit<ControlCount, 'key'>;

/** Findings that are alike in all that a control asks for. */
interface AlikeFindings extends Figures {
  type: string;
  cwe: readonly number[];
  /** Of findings about a setting: which. */
  setting: string | null;
}

/** Tests of one control, prepared for many findings. */
const testOf = ({ families, weaknesses, checks }: ControlMatch): ((findings: AlikeFindings) => boolean) => {
  const whole = new Set<string>(families);
  const settings = new Set<string>(checks);
  const rules = weaknesses.map((rule) => ({ families: new Set<string>(rule.families), cwe: new Set(rule.cwe) }));
  return ({ type, cwe, setting }) =>
    whole.has(type) ||
    (setting !== null && settings.has(setting)) ||
    rules.some((rule) => rule.families.has(type) && cwe.some((id) => rule.cwe.has(id)));
};

/**
 * Findings that the viewer may open, of default branches, put together by what controls ask for: hundreds of rows for any number of
 * findings. Reads aggregate_definitions by client, definitions by primary key; no row of findings.
 */
const countAlike = async (db: Db, viewer: Viewer): Promise<AlikeFindings[]> => {
  const { clientId } = viewer;
  const filter = await resolveFilter(db, { viewer, filters: {}, search: '' });
  await setPlannerHints(db, 'rollups');
  const counted = await sql<AlikeFindings>`
    select u.type, x.cwe, case when x.tool = ${POSTURE_TOOL} then x.rule_id end as setting, u.severity, sum(n.count)::bigint as total,
      coalesce(sum(n.count) filter (where u.is_listed), 0)::bigint as open,
      coalesce(sum(n.count) filter (where u.verdict = 'accepted_risk'), 0)::bigint as accepted_risk,
      coalesce(sum(n.count) filter (where u.verdict = 'false_positive'), 0)::bigint as false_positive,
      coalesce(sum(n.count) filter (where u.status = 'mitigated'), 0)::bigint as mitigated
    from aggregate_definitions n
    join (
      select c.cell, k.type, k.severity, s.status, s.verdict, s.status <> 'mitigated' and not s.is_duplicate
        and s.verdict not in ('duplicate', 'false_positive', 'accepted_risk') as is_listed
      from ${countedCells(clientId)}
      where c.client_id = ${clientId} and c.count > 0 and ${allOf(cellConditions(filter))}
    ) u on u.cell = n.cell
    join finding_definitions x on x.client_id = ${clientId} and x.id = n.definition_id
    where n.client_id = ${clientId} and n.count > 0
    group by 1, 2, 3, 4`.execute(db);
  await setPlannerHints(db, 'free');
  return counted.rows;
};

/** By control and severity: a finding counts once for a key, however many rules bring it there. */
export const countByControl = async (
  db: Db,
  request: { viewer: Viewer; matches: readonly ControlMatch[] },
): Promise<ControlCount[]> => {
  const alike = await countAlike(db, request.viewer);
  return request.matches.flatMap((match) => {
    const holds = testOf(match);
    return alike.filter(holds).map(({ severity, open, accepted_risk, false_positive, mitigated, total }) => ({
      key: match.key,
      ...{ severity, open, accepted_risk, false_positive, mitigated, total },
    }));
  });
};
