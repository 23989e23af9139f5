import { type ExistingFinding, matchLeftovers, type ReportedFinding } from '../../model/match-leftovers.ts';
import { type MergeContext, run } from '../stage/merge-context.ts';
import { createFilled, createTable, fillTable } from '../stage/temporary-tables.ts';

/** The same tool, target and part (or one from before the part was known) on other branches of the repository, the default one first. Index: scan_scopes_speaks_for. */
const SIBLINGS = `
  select s.id, coalesce(b.name, r.repository_branch) as branch
  from scan_scopes own
  join scan_scopes s on s.client_id = own.client_id and s.repository_id = own.repository_id and s.tool = any($3::text[])
    and (s.target = own.target or s.part = '' and own.target = ltrim(left(s.target, 350) || ' part:' || own.part)) and s.id <> own.id
  join repositories r on r.client_id = own.client_id and r.id = own.repository_id
  left join repository_branches b on b.client_id = s.client_id and b.id = s.branch_id
  where own.client_id = $1 and own.id = $2 and s.last_seen_at is not null
  order by s.branch_id is not null, s.last_seen_at desc`;

/**
 * What a person decided there and what still counts; a tool's own suppression is not carried. One statement reads all of a decision, so
 * that one that is made at the same moment is carried over as a whole or not at all. Index: findings_identity.
 */
const FIND_DECIDED = fillTable(
  'decided',
  {
    id: 'f.id',
    scope_id: 'f.scope_id',
    identity: 'f.identity',
    verdict: 'f.verdict',
    verdict_expires_at: 'f.verdict_expires_at',
    issue_owner: 'f.issue_owner',
    actor: 'e.actor',
    at: 'e.at',
    verdict_reason: 'd.verdict_reason',
    notes: 'd.notes',
  },
  `from findings f
  cross join lateral (
    select e.actor, e.at from finding_events e
    where e.client_id = f.client_id and e.finding_id = f.id and e.kind = 'verdict' and e.actor is not null
    order by e.at desc, e.id desc limit 1
  ) e
  left join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
  where f.client_id = $1 and f.scope_id = any($2::bigint[])
    and f.verdict in ('valid', 'false_positive', 'accepted_risk', 'mitigated_externally')
    and (f.verdict_expires_at is null or f.verdict_expires_at > now())`,
);

/** All that share an identity with a decision, so that of equal results each finds its own. Index: findings_identity. */
const OF_SIBLING = `
  select f.id, f.identity, u.digest as definition, f.file_id as file, coalesce(l.start_line, 0) as line, f.status <> 'mitigated' as "isOpen",
    null as "ruleAndFile"
  from findings f
  join finding_definitions u on u.client_id = f.client_id and u.id = f.definition_id
  left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
  where f.client_id = $1 and f.scope_id = $2 and f.identity in (select identity from decided)`;

const OF_REPORT = `
  select s.n, s.identity, s.is_vague as "isVague", u.digest as definition, p.id as file, coalesce(s.start_line, 0) as line, null as "ruleAndFile"
  from stage_findings s
  join stage_definitions u on u.n = s.definition_n
  left join stage_files p on p.n = s.file_n
  where s.verdict = 'none' and s.identity in (select identity from decided)
    and not exists (select 1 from pairs where pairs.n = s.n)`;

const CARRY_OVER = `
  insert into carried_over (n, from_id, branch, is_by_position)
  select m.n, d.id, $3, m.is_by_position
  from unnest($1::integer[], $2::uuid[], $4::boolean[]) m (n, id, is_by_position) join decided d on d.id = m.id`;

/** Before the new findings are written, so that they are counted as what they are. */
const STAGE_VERDICTS = `
  update stage_findings s set verdict = d.verdict
  from carried_over t join decided d on d.id = t.from_id where s.n = t.n`;
const STAGE_REASONS = `
  update stage_details s set verdict_reason = d.verdict_reason
  from carried_over t join decided d on d.id = t.from_id where s.n = t.n`;

interface Sibling {
  id: number;
  branch: string;
}

/**
 * Gives new results the verdict that a person gave the same result on another branch: a false positive stays one when its branch is
 * merged. The default branch is asked first, then the others, the one imported last first; the first that has the result says. @returns how many took one over.
 */
export const carryOverVerdicts = async (context: MergeContext): Promise<number> => {
  const { client, clientId, scopeId, toolIds } = context;
  const siblings = (await client.query<Sibling>(SIBLINGS, [clientId, scopeId, toolIds])).rows;
  if (siblings.length === 0) return 0;
  const decided = await createFilled(client, 'decided', FIND_DECIDED, [
    clientId,
    siblings.map((sibling) => sibling.id),
  ]);
  if (decided === 0) return 0;
  await client.query(createTable('carried_over'));
  let carriedOver = 0;
  let waiting = (await client.query<ReportedFinding>(OF_REPORT)).rows;
  for (const sibling of siblings) {
    if (waiting.length === 0) break;
    const existing = await client.query<ExistingFinding>(OF_SIBLING, [clientId, sibling.id]);
    const matches = matchLeftovers(existing.rows, waiting);
    carriedOver += await run(context, CARRY_OVER, [
      matches.map((of) => of.n),
      matches.map((of) => of.id),
      sibling.branch,
      matches.map((of) => of.isByPosition),
    ]);
    // what a nearer branch has undecided stays undecided
    const met = new Set(matches.map((of) => of.n));
    waiting = waiting.filter((of) => !met.has(of.n));
  }
  if (carriedOver === 0) return 0;
  await run(context, STAGE_VERDICTS, []);
  await run(context, STAGE_REASONS, []);
  return carriedOver;
};

const WRITE_REST = `
  update findings f set verdict_expires_at = d.verdict_expires_at, issue_owner = d.issue_owner, needs_confirmation = t.is_by_position
  from carried_over t join decided d on d.id = t.from_id join stage_findings s on s.n = t.n
  where f.client_id = $1 and f.id = s.id and (d.verdict_expires_at is not null or d.issue_owner is not null or t.is_by_position)`;

const WRITE_NOTES = `
  update finding_details n set notes = d.notes
  from carried_over t join decided d on d.id = t.from_id join stage_findings s on s.n = t.n
  where n.client_id = $1 and n.finding_id = s.id and d.notes is not null`;

/** With the name of who decided, so that it counts as a person's word here too. */
const RECORD = `
  insert into finding_events (client_id, finding_id, kind, actor, scan_id, from_value, to_value, reason)
  select $1, s.id, 'verdict', d.actor, $2, 'none', d.verdict,
    'Taken over from branch ' || t.branch || case when t.is_by_position then ' by its position alone, please confirm' else '' end || coalesce(': ' || nullif(d.verdict_reason, ''), '')
  from carried_over t join decided d on d.id = t.from_id join stage_findings s on s.n = t.n`;

/** What goes with the verdicts that new findings took over: until when, whose they are, notes, and where it comes from. */
export const writeCarriedOver = async (context: MergeContext): Promise<void> => {
  const { clientId, scanId } = context;
  await run(context, WRITE_REST, [clientId]);
  await run(context, WRITE_NOTES, [clientId]);
  await run(context, RECORD, [clientId, scanId]);
};
