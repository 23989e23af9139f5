import type { Coverage } from '../stage/coverage.ts';
import type { MergeContext } from '../stage/merge-context.ts';

/** Which open findings a report that does not have them closes. */
export interface Closing {
  /** Nothing else is closed where this is false. */
  closes: boolean;
  /** Only findings of files in this folder; '' for all. */
  root: string;
  /** Set where an import is taken back: only what that scan brought or reopened. */
  onlyOf: string | null;
}

/** Held back: what would have been closed, until somebody confirms it. */
export interface HeldBack {
  findings: number;
  components: number;
}

export const NOTHING_HELD: HeldBack = { findings: 0, components: 0 };
const CLOSES_NOTHING: Closing = { closes: false, root: '', onlyOf: null };

/** Whether the file of a finding lies where the scan looked; one without a file lies everywhere. Index: primary key. */
export const isCovered = (root: string): string => `(
  ${root} = '' or f.file_id is null or exists (
    select from finding_files p
    where p.client_id = f.client_id and p.id = f.file_id and (p.path = ${root} or starts_with(p.path, ${root} || '/'))
  ))`;

/** Brought or reopened by one scan. Index: finding_events by finding. */
export const isOfScan = (scan: string): string => `(
  ${scan}::uuid is null or f.first_scan_id = ${scan} or exists (
    select from finding_events e
    where e.client_id = f.client_id and e.finding_id = f.id and e.scan_id = ${scan} and e.from_value = 'mitigated'
      and e.kind in ('reopened', 'status')
  ))`;

/** A finding is surely gone where its folder was looked at: its file was scanned, or is no longer there. */
const COUNT_GONE = `
  select count(*)::integer as open, count(*) filter (where is_gone)::integer as gone,
    count(*) filter (where is_gone and not is_sure)::integer as unsure
  from (
    select not exists (select from pairs where pairs.id = f.id) and ${isCovered('$3')} as is_gone,
      coalesce((
        select regexp_replace(p.path, '/?[^/]*$', '') = any($4::text[]) from finding_files p
        where p.client_id = f.client_id and p.id = f.file_id
      ), false) as is_sure
    from findings f
    where f.client_id = $1 and f.scope_id = $2 and f.status <> 'mitigated'
  ) known`;

const COUNT_GONE_COMPONENTS = `
  select count(*)::integer as open, count(*) filter (where digest not in (select digest from stage_components))::integer as unsure
  from components where client_id = $1 and scope_id = $2 and removed_at is null`;

interface Gone {
  open: number;
  gone: number;
  unsure: number;
}

const isMost = ({ open, unsure }: Pick<Gone, 'open' | 'unsure'>): boolean => unsure * 2 > open;

export interface ClosingRequest {
  /** Nothing is missing from the report that the scan should have had. */
  isWhole: boolean;
  /** The report or its sender says what it is about, or a person has confirmed that it is about all of its scope. */
  isPartKnown: boolean;
  coverage: Coverage;
  /** Set where an import is taken back. */
  undoes: string | undefined;
}

/**
 * What the report may close. Where it does not say what it is about and would close more than half of what is open in its scope, it may
 * be about another part of it: then nothing is closed until a person decides. To be asked after `matchFindings`.
 */
export const decideClosing = async (
  { client, clientId, scopeId, lastSeenAt }: MergeContext,
  { isWhole, isPartKnown, coverage, undoes }: ClosingRequest,
): Promise<{ closing: Closing; held: HeldBack }> => {
  if (undoes !== undefined) return { closing: { closes: true, root: '', onlyOf: undoes }, held: NOTHING_HELD };
  if (!isWhole) return { closing: CLOSES_NOTHING, held: NOTHING_HELD };
  const root = coverage.root ?? '';
  const closing = { closes: true, root, onlyOf: null };
  if (isPartKnown || lastSeenAt === null) return { closing, held: NOTHING_HELD };
  const { rows } = await client.query<Gone>(COUNT_GONE, [clientId, scopeId, root, coverage.folders]);
  const components = await client.query<Omit<Gone, 'gone'>>(COUNT_GONE_COMPONENTS, [clientId, scopeId]);
  const [found = { open: 0, gone: 0, unsure: 0 }] = rows;
  const [listed = { open: 0, unsure: 0 }] = components.rows;
  if (!isMost(found) && !isMost(listed)) return { closing, held: NOTHING_HELD };
  return { closing: CLOSES_NOTHING, held: { findings: found.gone, components: listed.unsure } };
};
