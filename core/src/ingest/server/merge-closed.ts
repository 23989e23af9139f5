import { type MergeContext, run } from './merge-context.ts';

/** Open findings of this scope alone: what another tool or target reports is not for this report to close. Index: findings_identity. */
const FIND_GONE = `
  create temp table gone on commit drop as
  select f.id, f.file_id, f.definition_id, f.status
  from findings f
  where f.client_id = $1 and f.scope_id = $2 and f.status <> 'mitigated'
    and not exists (select 1 from pairs where pairs.id = f.id)`;

const RECORD_GONE = `
  insert into finding_events (client_id, finding_id, kind, scan_id, from_value, to_value, reason)
  select $1, id, 'closed', $2, status, 'mitigated', 'No longer reported' from gone`;

const CLOSE_GONE = `
  update findings f set status = 'mitigated', closed_at = now(), last_seen = $2
  from gone g where f.client_id = $1 and f.id = g.id`;

/** Closes what the report no longer has. @returns how many. */
export const mergeClosed = async (context: MergeContext): Promise<number> => {
  if (context.lastSeenAt === null) return 0;
  const gone = await run(context, FIND_GONE, [context.clientId, context.scopeId]);
  if (gone === 0) return 0;
  await run(context, RECORD_GONE, [context.clientId, context.scanId]);
  await run(context, CLOSE_GONE, [context.clientId, context.lastSeenAt]);
  return gone;
};
