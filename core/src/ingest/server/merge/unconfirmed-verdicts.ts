import type { Match } from '../../model/match-leftovers.ts';
import { type MergeContext, run } from '../stage/merge-context.ts';

/**
 * Of pairs that only their position tells those whose finding has a verdict. A result without code that stands where it did says something
 * else where its title or message is another one. Indexes: primary keys.
 */
const ADD_POSITION_PAIRS = `
  insert into position_pairs (n, id)
  select m.n, m.id
  from unnest($2::integer[], $3::uuid[], $4::boolean[]) m (n, id, is_by_position)
  join findings f on f.client_id = $1 and f.id = m.id and f.verdict <> 'none'
  join stage_findings s on s.n = m.n
  where m.is_by_position or (s.is_vague and (
    (select u.title from stage_definitions u where u.n = s.definition_n),
    (select d.description from stage_details d where d.n = s.n)
  ) is distinct from (
    (select x.title from finding_definitions x where x.client_id = $1 and x.id = f.definition_id),
    (select d.description from finding_details d where d.client_id = $1 and d.finding_id = f.id)
  ))`;

/** Fills the table `position_pairs` with what of the matches a verdict would be carried over by. */
export const pairByPosition = async (context: MergeContext, matches: readonly Match[]): Promise<void> => {
  await run(context, ADD_POSITION_PAIRS, [
    context.clientId,
    matches.map((match) => match.n),
    matches.map((match) => match.id),
    matches.map((match) => match.isByPosition),
  ]);
};

/** What the report itself says of the result needs nobody's word. */
const WHERE_CARRIED = `
  where f.client_id = $1 and f.id = p.id and s.n = p.n and f.verdict <> 'none' and f.verdict <> s.verdict and not f.needs_confirmation`;

const RECORD = `
  insert into finding_events (client_id, finding_id, kind, scan_id, from_value, to_value, reason)
  select $1, f.id, 'verdict', $2, f.verdict, f.verdict, 'Carried over by its position alone' ||
    case when l.start_line <> s.start_line then format(' from line %s to %s', l.start_line, s.start_line) else '' end || ', please confirm'
  from position_pairs p
  join stage_findings s on s.n = p.n
  join findings f on f.client_id = $1 and f.id = p.id
  left join finding_locations l on l.client_id = $1 and l.finding_id = f.id
  ${WHERE_CARRIED}`;

const MARK = `
  update findings f set needs_confirmation = true
  from position_pairs p, stage_findings s
  ${WHERE_CARRIED}`;

/**
 * Marks findings whose verdict was carried over by position alone, so that a person confirms it or takes it back. They must be locked, and
 * their lines still those of the report before.
 */
export const markUnconfirmed = async (context: MergeContext): Promise<void> => {
  const { clientId, scanId } = context;
  await run(context, RECORD, [clientId, scanId]);
  await run(context, MARK, [clientId]);
};
