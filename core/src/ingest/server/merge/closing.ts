import type { Coverage } from '../stage/coverage.ts';
import { type MergeContext, readingWholeScope } from '../stage/merge-context.ts';

/** Which open findings a report that does not have them closes. */
export interface Closing {
  /** Nothing else is closed where this is false. */
  closes: boolean;
  /** Only findings of files in this folder; '' for all. */
  root: string;
  /** Set where an import is taken back: only what that scan brought or reopened. */
  onlyOf: string | null;
  /** Kinds of findings that are not closed. */
  heldTypes: readonly string[];
  /** Rules whose findings are not closed: they were not evaluated. */
  heldRules: readonly string[];
}

/** Held back: what would have been closed, until somebody confirms it. */
export interface HeldBack {
  findings: number;
  components: number;
}

export const NOTHING_HELD: HeldBack = { findings: 0, components: 0 };
const ALL: Closing = { closes: true, root: '', onlyOf: null, heldTypes: [], heldRules: [] };
const CLOSES_NOTHING: Closing = { closes: false, root: '', onlyOf: null, heldTypes: [], heldRules: [] };

/** Whether the file of a finding lies where the scan looked; one without a file lies everywhere. Index: primary key. */
export const isCovered = (root: string): string => `(
  ${root} = '' or f.file_id is null or exists (
    select from finding_files p
    where p.client_id = f.client_id and p.id = f.file_id and (p.path = ${root} or starts_with(p.path, ${root} || '/'))
  ))`;

/** Whether the rule of a finding was evaluated; `rules` are those that were not. Index: primary key of finding_definitions. */
export const isChecked = (rules: string): string => `(
  cardinality(${rules}::text[]) = 0 or not exists (
    select from finding_definitions d
    where d.client_id = f.client_id and d.id = f.definition_id and d.rule_id = any(${rules}::text[])
  ))`;

/** Brought or reopened by one scan. Index: finding_events by finding. */
export const isOfScan = (scan: string): string => `(
  ${scan}::uuid is null or f.first_scan_id = ${scan} or exists (
    select from finding_events e
    where e.client_id = f.client_id and e.finding_id = f.id and e.scan_id = ${scan} and e.from_value = 'mitigated'
      and e.kind in ('reopened', 'status')
  ))`;

/**
 * A finding is surely gone where its folder was looked at: its file was scanned, or is no longer there. `offset` keeps the planner from working
 * each column out as often as it is counted. Index: findings_identity.
 */
const COUNT_GONE = `
  select type, count(*)::integer as open, count(*) filter (where is_gone)::integer as gone,
    count(*) filter (where is_gone and not is_sure)::integer as unsure,
    count(*) filter (where is_paired)::integer + (select count(*) from stage_findings s where s.type = known.type)::integer as reported
  from (
    select f.type, pairs.id is not null as is_paired, pairs.id is null and ${isCovered('$3')} and ${isChecked('$5')} as is_gone,
      pairs.id is null and cardinality($4::text[]) > 0 and coalesce((
        select regexp_replace(p.path, '/?[^/]*$', '') = any($4::text[]) from finding_files p
        where p.client_id = f.client_id and p.id = f.file_id
      ), false) as is_sure
    from findings f left join pairs on pairs.id = f.id
    where f.client_id = $1 and f.scope_id = $2 and f.status <> 'mitigated'
    offset 0
  ) known
  group by type`;

const COUNT_GONE_COMPONENTS = `
  select count(*)::integer as open, count(*) filter (where digest not in (select digest from stage_components))::integer as unsure
  from components where client_id = $1 and scope_id = $2 and removed_at is null`;

interface Gone {
  type: string;
  reported: number;
  open: number;
  gone: number;
  unsure: number;
}

const isMost = ({ open, unsure }: Pick<Gone, 'open' | 'unsure'>): boolean => unsure * 2 > open;

const sum = (rows: readonly Gone[], key: 'open' | 'gone' | 'unsure'): number =>
  rows.reduce((total, row) => total + row[key], 0);

export interface ClosingRequest {
  /** Nothing is missing from the report that the scan should have had. */
  isWhole: boolean;
  /** The report says what it is about. */
  isPartKnown: boolean;
  /** The sender says what it is about, or a person has confirmed that it is about all of its scope. */
  isAsserted: boolean;
  /** Results of the report. */
  results: number;
  coverage: Coverage;
  /** Set where an import is taken back. */
  undoes: string | undefined;
}

/**
 * What the report may close. Where it does not say what it is about and would close more than half of what is open in its scope, it may
 * be about another part of it: then nothing is closed until a person decides. Nor is all of one kind of findings (secrets, packages) of which
 * the report has none while it has others: that kind may not have been looked for. To be asked after `matchFindings`.
 */
export const decideClosing = async (
  context: MergeContext,
  { isWhole, isPartKnown, isAsserted, coverage, results, undoes }: ClosingRequest,
): Promise<{ closing: Closing; held: HeldBack }> => {
  const { client, clientId, scopeId, lastSeenAt } = context;
  if (undoes !== undefined) return { closing: { ...ALL, onlyOf: undoes }, held: NOTHING_HELD };
  if (!isWhole) return { closing: CLOSES_NOTHING, held: NOTHING_HELD };
  const root = coverage.root ?? '';
  const whole = { ...ALL, root, heldRules: coverage.unchecked };
  if (isAsserted || lastSeenAt === null) return { closing: whole, held: NOTHING_HELD };
  const folders = isPartKnown ? [] : coverage.folders;
  const { rows } = await readingWholeScope(context, () =>
    client.query<Gone>(COUNT_GONE, [clientId, scopeId, root, folders, coverage.unchecked]),
  );
  const unsought = rows.filter((row) => results > 0 && row.reported === 0 && !coverage.types.includes(row.type));
  const closing = { ...whole, heldTypes: unsought.map(({ type }) => type) };
  const held = { findings: sum(unsought, 'gone'), components: 0 };
  if (isPartKnown) return { closing, held };
  const components = await client.query<Pick<Gone, 'open' | 'unsure'>>(COUNT_GONE_COMPONENTS, [clientId, scopeId]);
  const [listed = { open: 0, unsure: 0 }] = components.rows;
  const sought = rows.filter((row) => !unsought.includes(row));
  const found = { open: sum(sought, 'open'), unsure: sum(sought, 'unsure') };
  if (!isMost(found) && !isMost(listed)) return { closing, held };
  return { closing: CLOSES_NOTHING, held: { findings: sum(rows, 'gone'), components: listed.unsure } };
};
