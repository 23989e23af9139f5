import { fieldNames } from '../../model/reported-fields.ts';
import { type MergeContext, run } from '../stage/merge-context.ts';
import { createFilled, fillTable } from '../stage/temporary-tables.ts';
import { type Closing, isChecked, isCovered, isOfScan } from './closing.ts';

/**
 * Locks the findings that the merge may change or close, in order of their ids, as decisions do: two that want the same rows then wait
 * for each other instead of locking each other out. What a decision changed meanwhile is seen by the statements that follow.
 */
const LOCK = `
  with wanted as materialized (
    select f.id
    from pairs p
    join stage_findings s on s.n = p.n
    join findings f on f.client_id = $1 and f.id = p.id
    where f.content <> s.content or f.status = 'mitigated' or (f.verdict = 'accepted_risk' and f.verdict_expires_at < now())
      or p.id in (select id from position_pairs)
    union all
    select f.id
    from findings f
    where $3 and f.client_id = $1 and f.scope_id = $2 and f.status <> 'mitigated'
      and not exists (select 1 from pairs where pairs.id = f.id) and ${isCovered('$4')} and ${isOfScan('$5')} and f.type <> all ($6::text[])
      and ${isChecked('$7')}
  )
  insert into locked_findings (id)
  select f.id from wanted w join findings f on f.client_id = $1 and f.id = w.id
  order by f.id for no key update of f`;

/** Fills the table `locked_findings`: findings in pairs, and those in none that are going to be closed. @returns how many. */
export const lockFindings = async (
  context: MergeContext,
  { closes, root, onlyOf, heldTypes, heldRules }: Closing,
): Promise<number> => {
  const { client, clientId, scopeId } = context;
  if (context.lastSeenAt === null) return 0;
  const locked = await createFilled(client, 'locked_findings', LOCK, [
    clientId,
    scopeId,
    closes,
    root,
    onlyOf,
    heldTypes,
    heldRules,
  ]);
  if (locked > 0) await client.query('analyze locked_findings');
  return locked;
};

/**
 * Rows of pairs that have to be written. `is_back`: was closed and counts again; a false positive or an accepted risk that
 * has not expired comes back as what it was decided to be. A verdict of the report counts until a person decides.
 * An edited result gets a new identity, and the next free ordinal of it.
 */
const FIND_CHANGES = fillTable(
  'changes',
  {
    n: 'c.n',
    id: 'c.id',
    is_changed: 'c.is_changed',
    was_closed: 'c.was_closed',
    verdict: 'c.verdict',
    is_expired: 'c.is_expired',
    is_back: `c.was_closed and (c.verdict not in ('false_positive', 'accepted_risk') or c.is_expired)`,
    new_ordinal: `case when c.keeps_identity then c.ordinal else coalesce((
        select max(o.ordinal) + 1 from findings o where o.client_id = $1 and o.scope_id = $2 and o.identity = c.identity
      ), 0) + row_number() over (partition by c.keeps_identity, c.identity order by c.n) - 1 end`,
    takes_verdict: `c.is_changed and c.verdict <> c.reported_verdict
      and c.verdict in ('none', 'false_positive', 'accepted_risk', 'mitigated_externally') and not exists (
        select 1 from finding_events e
        where e.client_id = $1 and e.finding_id = c.id and e.kind = 'verdict' and e.actor is not null
      )`,
  },
  `from (
    select p.n, p.id, f.content <> s.content as is_changed, f.status = 'mitigated' as was_closed, f.verdict, s.verdict as reported_verdict,
      coalesce(f.verdict = 'accepted_risk' and f.verdict_expires_at < now(), false) as is_expired,
      f.identity = s.identity as keeps_identity, s.identity, f.ordinal
    from locked_findings l
    join pairs p on p.id = l.id
    join stage_findings s on s.n = p.n
    join findings f on f.client_id = $1 and f.id = l.id
    where f.content <> s.content or f.status = 'mitigated' or (f.verdict = 'accepted_risk' and f.verdict_expires_at < now())
  ) c`,
);

const WORD = (value: string): string => `(array['informational', 'low', 'medium', 'high', 'critical'])[${value} + 1]`;

const RECORD_CHANGES = `
  insert into finding_events (client_id, finding_id, kind, scan_id, from_value, to_value, reason)
  select $1, c.id, e.kind, $2, e.from_value, e.to_value, e.reason
  from changes c
  join stage_findings s on s.n = c.n
  join findings f on f.client_id = $1 and f.id = c.id
  left join stage_files now on now.n = s.file_n
  left join finding_files was on was.client_id = $1 and was.id = f.file_id and was.id <> now.id
  cross join lateral (values
    ('reopened', 'mitigated', 'reopened', 'Reported again', c.is_back),
    ('status', 'mitigated', 'enriched', 'Reported again', c.was_closed and not c.is_back),
    ('verdict', f.verdict, 'none', 'The acceptance has expired', c.is_expired),
    ('verdict', f.verdict, s.verdict, 'As the report says', c.takes_verdict and not c.is_expired),
    ('severity', ${WORD('f.severity')}, ${WORD('s.severity')}, null, f.reported_severity is null and f.severity <> s.severity),
    ('priority', floor(f.priority)::text, floor(s.priority)::text, null,
      f.reported_severity is null and floor(f.priority) <> floor(s.priority)),
    ('moved', was.path, now.path, 'The file has another name', was.path <> now.path)
  ) e (kind, from_value, to_value, reason, applies)
  where e.applies`;

const newest = (name: string): string => `${name} = s.${name}`;
/** A severity that a person set stays, and so does what follows from it. */
const unlessOverridden = (row: string) => (name: string) =>
  `${name} = case when f.reported_severity is null then s.${name} else ${row}.${name} end`;

/** Status, owner, tags and notes are a person's: they stay. */
const WRITE_CHANGES = `
  update findings f
  set definition_id = u.id, tool = u.tool, file_id = p.id, identity = s.identity, ordinal = c.new_ordinal, content = s.content,
    ${fieldNames('findings', 'unless_overridden').map(unlessOverridden('f')).join(', ')},
    reported_severity = case when f.reported_severity is null then null else s.severity end,
    reported_severity_numerical = case when f.reported_severity is null then null else s.severity_numerical end,
    ${fieldNames('findings', 'report').map(newest).join(', ')},
    status = case when c.is_back then 'reopened' when c.was_closed then 'enriched' else f.status end,
    verdict = case when c.is_expired then 'none' when c.takes_verdict then s.verdict else f.verdict end,
    verdict_expires_at = case when c.is_expired then null else f.verdict_expires_at end,
    needs_confirmation = f.needs_confirmation and not c.is_expired and not c.takes_verdict,
    closed_at = null, last_seen = null
  from changes c
  join stage_findings s on s.n = c.n
  join stage_definitions u on u.n = s.definition_n
  left join stage_files p on p.n = s.file_n
  where f.client_id = $1 and f.id = c.id`;

const WRITE_DETAILS = `
  update finding_details d
  set ${fieldNames('finding_details', 'report').map(newest).join(', ')},
    ${fieldNames('finding_details', 'unless_overridden').map(unlessOverridden('d')).join(', ')},
    verdict_reason = case when c.takes_verdict then s.verdict_reason else d.verdict_reason end
  from changes c
  join stage_details s on s.n = c.n
  join findings f on f.client_id = $1 and f.id = c.id
  where c.is_changed and d.client_id = $1 and d.finding_id = c.id`;

const PLACE = fieldNames('finding_locations');
const placeOf = (row: string): string => PLACE.map((name) => `${row}.${name}`).join(', ');

/** Results in pairs that stand elsewhere now, or at the same line on other ways. */
const FIND_MOVED = fillTable(
  'moved',
  { n: 'n', id: 'id', start_line: 'start_line', end_line: 'end_line', places: 'places' },
  `from (
    select null::integer as n, id, ${PLACE.join(', ')} from stage_moved
    union all
    select case when l.places is distinct from s.places then s.n end, p.id, ${placeOf('s')}
    from stage_findings s
    join pairs p on p.n = s.n
    left join finding_locations l on l.client_id = $1 and l.finding_id = p.id
    where (${placeOf('l')}) is distinct from (${placeOf('s')})
  ) elsewhere order by id`,
);

/** An import alone writes these, and holds the lock of its repository: rows of findings are not touched. Index: primary key. */
const MOVE = `
  update finding_locations l set ${PLACE.map((name) => `${name} = m.${name}`).join(', ')}
  from moved m where l.client_id = $1 and l.finding_id = m.id`;

/** Findings that had no place before. */
const ADD_PLACES = `
  insert into finding_locations (client_id, finding_id, ${PLACE.join(', ')})
  select $1, m.id, ${placeOf('m')} from moved m
  on conflict (client_id, finding_id) do nothing`;

const WRITE_PLACES = `
  update finding_details d set ${fieldNames('finding_details', 'place').map(newest).join(', ')}
  from moved m join stage_details s on s.n = m.n
  where d.client_id = $1 and d.finding_id = m.id`;

/**
 * Writes where findings stand now. That a line moved is no change of the finding: it leaves no entry in its history.
 * Fills the table `moved`. @returns how many.
 */
export const mergeMoved = async (context: MergeContext): Promise<number> => {
  const { client, clientId } = context;
  if (context.lastSeenAt === null) return 0;
  const moved = await createFilled(client, 'moved', FIND_MOVED, [clientId]);
  if (moved === 0) return 0;
  await client.query('create index on moved (id); analyze moved');
  const known = await run(context, MOVE, [clientId]);
  if (known < moved) await run(context, ADD_PLACES, [clientId]);
  await run(context, WRITE_PLACES, [clientId]);
  return moved;
};

/** Writes what changed in findings that the report has again. Rows without a change are not touched. @returns how many came back. */
export const mergeChanges = async (context: MergeContext): Promise<{ changed: number; reopened: number }> => {
  const { client, clientId, scopeId, scanId } = context;
  const changed = await createFilled(client, 'changes', FIND_CHANGES, [clientId, scopeId]);
  if (changed === 0) return { changed: 0, reopened: 0 };
  await client.query('analyze changes');
  await run(context, RECORD_CHANGES, [clientId, scanId]);
  await run(context, WRITE_DETAILS, [clientId]);
  await run(context, WRITE_CHANGES, [clientId]);
  const reopened = await client.query<{ count: number }>(
    'select count(*)::integer as count from changes where is_back',
  );
  return { changed, reopened: reopened.rows[0]?.count ?? 0 };
};

/** Open findings of this scope alone: what another tool or target reports is not for this report to close. */
const FIND_GONE = fillTable(
  'gone',
  { id: 'f.id', file_id: 'f.file_id', definition_id: 'f.definition_id', status: 'f.status' },
  `from locked_findings l
  join findings f on f.client_id = $1 and f.id = l.id
  where f.status <> 'mitigated' and not exists (select 1 from pairs where pairs.id = f.id)`,
);

const RECORD_GONE = `
  insert into finding_events (client_id, finding_id, kind, scan_id, from_value, to_value, reason)
  select $1, id, 'closed', $2, status, 'mitigated', 'No longer reported' from gone`;

const CLOSE_GONE = `
  update findings f set status = 'mitigated', closed_at = now(), last_seen = $2
  from gone g where f.client_id = $1 and f.id = g.id`;

/** Closes what the report no longer has. @returns how many. */
export const mergeClosed = async (context: MergeContext): Promise<number> => {
  const gone = await createFilled(context.client, 'gone', FIND_GONE, [context.clientId]);
  if (gone === 0) return 0;
  await run(context, RECORD_GONE, [context.clientId, context.scanId]);
  await run(context, CLOSE_GONE, [context.clientId, context.lastSeenAt]);
  return gone;
};
