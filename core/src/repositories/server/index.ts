import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { severityOfRank } from '../../platform/model/severity.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import { ownedOnly } from '../../platform/server/owned-only.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import type { PlanLimits } from '../../platform/server/plan-limits.ts';
import {
  createRepositories,
  deleteRepository,
  getRepository,
  listRepositories as listRepositoriesRoute,
  type RepositoryAttributes,
} from '../api/routes.ts';
import { countOpenByRepository } from './queries/count-open-by-repository.ts';
import { countRepositories, listRepositories, type RepositoryRow } from './queries/list-repositories.ts';
import { upsertRepository } from './queries/upsert-repository.ts';
import { removeRepository } from './remove-repository.ts';
import './tables.ts';

export { branchesOf, hasBranches } from './queries/find-branches.ts';
export { upsertRepository } from './queries/upsert-repository.ts';
export { removeRepository } from './remove-repository.ts';

type Attributes = Static<typeof RepositoryAttributes>;

const NONE = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };

const withCounts = async (
  db: Db,
  clientId: string,
  rows: RepositoryRow[],
): Promise<{ _id: string; attributes: Attributes }[]> => {
  const counts = await countOpenByRepository(db, { clientId, repositoryIds: rows.map((row) => row.id) });
  const byRepository = new Map(rows.map((row) => [row.id, { ...NONE }]));
  for (const { repository_id, severity, count } of counts) {
    const sums = byRepository.get(repository_id);
    if (sums !== undefined) sums[severityOfRank(severity)] = count;
  }
  return rows.map(({ id, last_scan_at, ...attributes }) => ({
    _id: id,
    attributes: {
      ...attributes,
      last_scan: last_scan_at?.toISOString() ?? null,
      counts: byRepository.get(id) ?? NONE,
    },
  }));
};

const byId = (db: Db, caller: Caller, ids: string[]) =>
  listRepositories(
    db,
    { clientId: caller.clientId, onlyOwnedBy: ownedOnly(caller), ids },
    { offset: 0, pageSize: ids.length, sortField: '_id', sort: 'asc' },
  );

/** An owner must be a user of the same client; row-level security hides all others. */
const requireOwners = async (db: Db, owners: string[]): Promise<void> => {
  if (owners.length === 0) return;
  const known = await db.selectFrom('users').select('id').where('id', 'in', owners).execute();
  const missing = owners.filter((owner) => !known.some((user) => user.id === owner));
  if (missing.length === 0) return;
  throw new AppError('validation_failed', undefined, {
    faults: missing.map((owner) => ({
      loc: ['body', 'data', 'owner'],
      msg: `There is no user ${owner} here.`,
      type: 'unknown_user',
    })),
  });
};

/** Repositories and applications of the organisation. */
export const createRepositoriesEndpoints = ({ limits }: { limits: PlanLimits }): Endpoint[] => [
  tenantEndpoint(createRepositories)(async ({ db, caller, body }) => {
    const { clientId } = caller;
    await limits.check(db, { clientId, kind: 'repositories', adding: body.data.length });
    await requireOwners(db, [...new Set(body.data.flatMap(({ owner }) => owner ?? []))]);
    const ids: string[] = [];
    for (const one of body.data) {
      const { id, isNew } = await upsertRepository(db, {
        clientId,
        nickname: one.nickname,
        url: one.url,
        sourceControl: body.source_control ?? 'github',
        branch: one.repository_branch ?? 'main',
        externalId: one.external_id ?? null,
        tags: one.tags ?? [],
        owner: one.owner ?? null,
      });
      ids.push(id);
      if (isNew) await publish(db, { clientId, type: 'repository.added', data: { repository_id: id } });
    }
    const items = await withCounts(db, clientId, await byId(db, caller, ids));
    const wanted = new Map(items.map((item) => [item._id, item]));
    return { success: true, data: ids.flatMap((id) => wanted.get(id) ?? []) };
  }),
  tenantEndpoint(listRepositoriesRoute)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const filter = {
      clientId: caller.clientId,
      onlyOwnedBy: ownedOnly(caller),
      ...(query.search === undefined ? {} : { search: query.search }),
      ...(query.filters?.status === undefined ? {} : { statuses: query.filters.status }),
      ...(query.filters?.source_control === undefined ? {} : { sourceControls: query.filters.source_control }),
    };
    const rows = await listRepositories(db, filter, {
      offset: paging.offset,
      pageSize: paging.pageSize,
      sortField: query.sort_field ?? 'nickname',
      sort: query.sort ?? 'asc',
    });
    const total = await countRepositories(db, filter);
    return { data: await withCounts(db, caller.clientId, rows), meta: pageMeta(total, paging) };
  }),
  tenantEndpoint(getRepository)(async ({ db, caller, params }) => {
    const [item] = await withCounts(db, caller.clientId, await byId(db, caller, [params.id]));
    if (item === undefined) throw new AppError('repository_not_found');
    return { data: item };
  }),
  tenantEndpoint(deleteRepository)(async ({ db, caller, params }) => {
    const { clientId } = caller;
    await removeRepository(db, { clientId, id: params.id });
    await publish(db, { clientId, type: 'repository.removed', data: { repository_id: params.id } });
    return { success: true };
  }),
];
