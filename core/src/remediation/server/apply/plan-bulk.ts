import { sql } from 'kysely';
import type { Connections } from '../../../connectors/server/index.ts';
import { type FixFacts, readManyFixFacts, type Viewer } from '../../../findings/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { ProcessingStatus } from '../../model/states.ts';
import { groupBranchOf, orderDigest } from './group-branch.ts';

interface Target {
  repository: string;
  branch: string;
  findings: number;
  can_open: boolean;
  /** Fixes that are ready. */
  ready: number;
  fix_branch: string;
  ready_fix_branch: string | null;
}

interface Plan {
  targets: Target[];
  ready: string[];
  opened: number;
}

interface State {
  id: string;
  findingId: string;
  status: ProcessingStatus;
  submission: number;
}

/** Index: remediations_finding. */
const readStates = async (db: Db, clientId: string, findingIds: readonly string[]) => {
  const found = await sql<State>`
    select m.id, m.finding_id as "findingId", m.processing_status as status, m.submission
    from unnest(${[...findingIds]}::uuid[]) wanted (id)
    cross join lateral (select * from remediations where client_id = ${clientId} and finding_id = wanted.id offset 0) m`.execute(
    db,
  );
  return found.rows;
};

/** As many as `readManyFixFacts` takes. */
const PAGE = 500;

const readFacts = async (db: Db, viewer: Viewer, ids: readonly string[]): Promise<FixFacts[]> => {
  const wanted = [...new Set(ids)];
  const facts: FixFacts[] = [];
  for (let at = 0; at < wanted.length; at += PAGE)
    facts.push(...(await readManyFixFacts(db, { viewer, ids: wanted.slice(at, at + PAGE) })));
  return facts;
};

const OPEN: readonly ProcessingStatus[] = ['pr_submitted', 'issued', 'applied'];

/** Where the fixes of findings would be opened, before anything is. Findings that the viewer may not see are left out. */
export const planBulk = async (
  db: Db,
  connections: Pick<Connections, 'capability'>,
  { viewer, ids }: { viewer: Viewer; ids: readonly string[] },
): Promise<Plan> => {
  const facts = await readFacts(db, viewer, ids);
  const states = await readStates(
    db,
    viewer.clientId,
    facts.map(({ id }) => id),
  );
  const byFinding = new Map(states.map((state) => [state.findingId, state]));
  const ready = states.filter(({ status }) => status === 'ready').map(({ id }) => id);
  const orders = { all: orderDigest(ids), ready: orderDigest(ready) };
  const canOpen = async ({ sourceControl, externalId }: FixFacts): Promise<boolean> => {
    if (externalId === null) return false;
    const connectionKey = { clientId: viewer.clientId, connectorId: sourceControl };
    return (await connections.capability(connectionKey, 'scm', db)) !== null;
  };
  const targetOf = async (found: readonly FixFacts[]): Promise<Target[]> => {
    const [first] = found;
    if (first === undefined) return [];
    const { repository, repositoryId, branch } = first;
    const known = found.flatMap(({ id }) => byFinding.get(id) ?? []);
    const isReady = known.filter(({ status }) => status === 'ready');
    const fixBranch = (order: string, some: readonly State[]): string => {
      const submission = Math.max(1, ...some.map((state) => state.submission));
      return groupBranchOf({ order, repositoryId, target: branch, submission }).branch;
    };
    return [
      {
        ...{ repository, branch, findings: found.length, ready: isReady.length },
        can_open: await canOpen(first),
        fix_branch: fixBranch(orders.all, known),
        ready_fix_branch: isReady.length === 0 ? null : fixBranch(orders.ready, isReady),
      },
    ];
  };
  const grouped = Map.groupBy(facts, ({ repositoryId, branch }) => JSON.stringify([repositoryId, branch]));
  const targets: Target[] = [];
  for (const found of grouped.values()) targets.push(...(await targetOf(found)));
  return {
    targets: targets.toSorted((a, b) => b.findings - a.findings),
    ready,
    opened: states.filter(({ status }) => OPEN.includes(status)).length,
  };
};
