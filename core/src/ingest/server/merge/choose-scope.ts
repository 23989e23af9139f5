import type pg from 'pg';
import type { ToolIds } from '../stage/tool-ids.ts';

/** Whether the report that is staged has a finding again, in whichever scope it stands. */
export const IS_REPEATED = `(
  f.identity in (select identity from stage_findings) or f.identity in (select identity from stage_equal)
    or f.identity in (select identity from stage_moved))`;

/** Scopes of a target, under any id of the importer: of no known part, and those of parts. Index: scan_scopes_speaks_for. */
export const OF_TARGET = `
  s.client_id = $1 and s.repository_id = $2 and s.tool = any($3::text[]) and s.branch_id is not distinct from $5
    and (s.target = $4 or s.part <> '' and s.target = ltrim(left($4, 350) || ' part:' || s.part))`;

/** How much of what stands open in a scope the report has. Index: findings_identity. */
const COUNT_REPEATED = `
  select count(*)::integer as open, count(*) filter (where is_repeated)::integer as repeated
  from (
    select ${IS_REPEATED} as is_repeated from findings f
    where f.client_id = $1 and f.scope_id = $2 and f.status <> 'mitigated'
    union all
    select c.digest in (select digest from stage_components) from components c
    where c.client_id = $1 and c.scope_id = $2 and c.removed_at is null
  ) known`;

const CANDIDATES = `
  select s.id, s.tool, s.is_split as "isSplit", s.part <> '' and s.target <> $4 and not s.is_split as "isOfPart",
    s.last_seen_at is not null as "wasSeen" from scan_scopes s`;

/** Of no part, those that a person split off, and those of parts that other reports name. */
const FIND_OF_TARGET = `${CANDIDATES} where ${OF_TARGET} order by s.id`;
/** Scopes of exactly this target, under any id of the importer. Index: scan_scopes_speaks_for. */
const OF_EXACT_TARGET = `
  s.client_id = $1 and s.repository_id = $2 and s.tool = any($3::text[]) and s.target = $4 and s.branch_id is not distinct from $5`;

/** Of one target and part. */
const FIND_OF_PART = `${CANDIDATES} where ${OF_EXACT_TARGET} order by s.id`;
/** The same, of ids that have nothing of the part ($6) yet. */
const FIND_BEFORE_PART = `${CANDIDATES}
  where ${OF_EXACT_TARGET}
    and not exists (
      select from scan_scopes o
      where o.client_id = s.client_id and o.repository_id = s.repository_id and o.tool = s.tool and o.target = $6
        and o.branch_id is not distinct from s.branch_id
    )
  order by s.id`;

interface Candidate {
  id: number;
  tool: string;
  isSplit: boolean;
  /** Of a part that the report does not name. */
  isOfPart: boolean;
  wasSeen: boolean;
}

export interface Choice {
  client: pg.ClientBase;
  clientId: string;
  repositoryId: string;
  toolIds: ToolIds;
  branchId: string | null;
  /** Results and components of the report. */
  reported: number;
}

interface Repeated {
  open: number;
  repeated: number;
}

export const countRepeatedIn = async (client: pg.ClientBase, clientId: string, scopeId: number): Promise<Repeated> =>
  (await client.query<Repeated>(COUNT_REPEATED, [clientId, scopeId])).rows[0] ?? { open: 0, repeated: 0 };

const isSame = ({ open, repeated }: Repeated, reported: number): boolean =>
  repeated > 0 && (repeated * 2 >= open || repeated * 2 >= reported);

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);

/**
 * By what is repeated: of an id that says something else of a report, or of a part that the format of the report does not say, only a scope
 * that has most of it.
 */
const chooseByEvidence = async (
  { client, clientId, toolIds, reported }: Choice,
  candidates: readonly Candidate[],
): Promise<Candidate | undefined> => {
  let best: { candidate: Candidate; repeated: number } | undefined;
  for (const candidate of candidates) {
    const counted = await countRepeatedIn(client, clientId, candidate.id);
    const isNear = toolIds.alike.includes(candidate.tool) && !candidate.isOfPart;
    const isEnough = isNear ? counted.repeated > 0 : isSame(counted, reported);
    if (isEnough && counted.repeated > (best?.repeated ?? 0)) best = { candidate, repeated: counted.repeated };
  }
  return best?.candidate;
};

/**
 * The scope among those that the same report may have been imported into before, under whichever id: the one whose findings it repeats,
 * else the one of its own id, else the only one of an id that says the same.
 */
const choose = async (choice: Choice, candidates: readonly Candidate[]): Promise<number | undefined> => {
  const { own, alike } = choice.toolIds;
  const whole = candidates.filter(({ isSplit, isOfPart }) => !isSplit && !isOfPart);
  const isOwn = ({ tool }: Candidate): boolean => tool === own;
  const preferred = whole.find(isOwn) ?? only(whole.filter(({ tool }) => alike.includes(tool)));
  if (candidates.length === 0 || (candidates.length === 1 && preferred !== undefined)) return preferred?.id;
  // of equally good ones the first
  const rank = (candidate: Candidate): number =>
    (isOwn(candidate) ? 0 : 2) + (candidate.isSplit || candidate.isOfPart ? 1 : 0);
  const ranked = candidates.toSorted((a, b) => rank(a) - rank(b));
  return ((await chooseByEvidence(choice, ranked)) ?? preferred)?.id;
};

const find = async (choice: Choice, text: string, target: string, ...more: string[]): Promise<Candidate[]> => {
  const { client, clientId, repositoryId, toolIds, branchId } = choice;
  return (await client.query<Candidate>(text, [clientId, repositoryId, toolIds.all, target, branchId, ...more])).rows;
};

/**
 * Of a report that has neither results nor components: where its target has one scope only, it is about that one. A format may take
 * the part from what it lists.
 */
const chooseForEmpty = async (choice: Choice, target: string): Promise<number | undefined> => {
  const seen = (await find(choice, FIND_OF_TARGET, target)).filter(({ wasSeen }) => wasSeen);
  const { own, alike } = choice.toolIds;
  const ofOwn = seen.filter(({ tool }) => tool === own);
  return (ofOwn.length > 0 ? only(ofOwn) : only(seen.filter(({ tool }) => alike.includes(tool))))?.id;
};

/**
 * For a report that does not say its part: it belongs to the part whose findings it repeats, where a person has split the scope off or
 * another format of the tool names it.
 */
export const chooseWithoutPart = async (choice: Choice, target: string): Promise<number | undefined> => {
  const empty = choice.reported === 0 ? await chooseForEmpty(choice, target) : undefined;
  return empty ?? choose(choice, await find(choice, FIND_OF_TARGET, target));
};

/** @param target with its part. */
export const chooseOfPart = async (choice: Choice, target: string): Promise<number | undefined> =>
  choose(choice, await find(choice, FIND_OF_PART, target));

/** The scope that findings of a part stand in that was not known before. @param part the target with it. */
export const chooseBeforePart = async (choice: Choice, target: string, part: string): Promise<number | undefined> =>
  choose(choice, await find(choice, FIND_BEFORE_PART, target, part));
