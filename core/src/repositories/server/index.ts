import type { Static } from 'typebox';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { readInsideClient } from '../../platform/server/client-access.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import {
  type Caller,
  callerEndpoint,
  type Endpoint,
  fileEndpoint,
  ownedOnly,
  tenantEndpoint,
} from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import type { PlanLimits } from '../../platform/server/limits.ts';
import { getManagedRepository, listManagedRepositories } from '../api/managed-routes.ts';
import { linkRepository } from '../api/provider-routes.ts';
import {
  createRepositories,
  deleteRepository,
  downloadRepositories,
  getRepository,
  listRepositories,
  listRepositoryBranches,
  listRepositoryEvents,
  listRepositoryTags,
  type NewRepositories,
  SOURCE_CONTROLS,
  updateRepository as updateRepositoryRoute,
} from '../api/routes.ts';
import { cloneUrlIssue } from '../model/clone-url.ts';
import { keptTags } from '../model/repository-fields.ts';
import { lockAdding, type RepositoryRemoval, removeRepository, upsertRepository } from './change-repositories.ts';
import { linkToSource } from './link-repository.ts';
import { withProviderIds } from './provider-names.ts';
import { findAtProvider, providerEndpoints, type SourceControls } from './provider-repositories.ts';
import { readBranches, readEvents, readTags, repositoriesFile } from './repository-lists.ts';
import {
  type RepositoryItem,
  type RepositoryViewer,
  readRepositoriesById,
  readRepositoriesPage,
  readRepository,
} from './repository-queries.ts';
import { addRepositoryEvents, requireOwners, updateRepository } from './update-repository.ts';
import './tables.ts';

export { SOURCE_CONTROLS } from '../api/routes.ts';
export { type RepositoryRemoval, removeRepository, upsertRepository } from './change-repositories.ts';
export { repositoryPersonalData } from './personal-data.ts';
export type { SourceControlState, SourceControls } from './provider-repositories.ts';
export { branchesOf, hasBranches, readRepository } from './repository-queries.ts';
export { addRepositoryEventOnce, handOverRepositories } from './update-repository.ts';

const viewerOf = (caller: Caller): RepositoryViewer => ({
  clientId: caller.clientId,
  onlyOwnedBy: ownedOnly(caller),
});

/** @throws validation_failed where nothing can come from it */
const requireSourceControl = async (
  { sourceControls }: RepositoriesDependencies,
  clientId: string,
  sourceControl: string,
): Promise<void> => {
  const msg = await sourceControls.refusal(clientId, sourceControl);
  if (msg === null) return;
  const issues = [{ loc: ['body', 'source_control'], msg, type: 'source_control' }];
  throw new AppError('validation_failed', undefined, { issues });
};

/** @throws validation_failed, naming every address that nothing can be cloned from */
const requireCloneable = async (
  deps: RepositoriesDependencies,
  body: Static<typeof NewRepositories>,
): Promise<void> => {
  const isLocal = body.source_control === 'local';
  const issues: FieldIssue[] = [];
  for (const [index, { url }] of body.data.entries()) {
    const msg = isLocal ? await deps.localFolderIssue(url) : cloneUrlIssue(url);
    if (msg !== undefined) issues.push({ loc: ['body', 'data', index, 'url'], msg, type: 'clone_url' });
  }
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
};

export interface RepositoriesDependencies {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
  sourceControls: SourceControls;
  limits: PlanLimits;
  /** What is wrong with the address of a folder of this server; undefined for one that may be read. */
  localFolderIssue(folder: string): Promise<string | undefined>;
  /** What the slices that keep something of a repository offer, in the order in which they have to run. */
  removals: readonly RepositoryRemoval[];
}

/** Adds what a body names, each once. @returns their ids, in its order */
const addRepositories = async (
  db: Db,
  { deps, caller, body }: { deps: RepositoriesDependencies; caller: Caller; body: Static<typeof NewRepositories> },
): Promise<string[]> => {
  const { clientId } = caller;
  const owners = [...new Set(body.data.flatMap(({ owner }) => owner ?? []))];
  await requireOwners(db, owners, ['body', 'data', 'owner']);
  await lockAdding(db, clientId);
  const sourceControl = body.source_control ?? 'github';
  const ids: string[] = [];
  let added = 0;
  for (const one of body.data) {
    const { id, isNew } = await upsertRepository(db, {
      clientId,
      nickname: one.nickname,
      url: one.url,
      sourceControl,
      branch: one.repository_branch ?? 'main',
      externalId: one.external_id === undefined || one.external_id === '' ? null : one.external_id,
      tags: keptTags(one.tags ?? []),
      owner: one.owner ?? null,
    });
    ids.push(id);
    if (isNew) {
      added += 1;
      const event = { field: 'added', from: null, to: one.nickname } as const;
      await addRepositoryEvents(db, [{ clientId, repositoryId: id, actor: caller, ...event }]);
      const audience = { repositoryIds: [id] };
      await publish(db, { clientId, type: 'repository.added', data: { repository_id: id }, audience });
    }
  }
  // only new ones count, and they are counted in this transaction
  if (added > 0) await deps.limits.check(db, { clientId, kind: 'repositories', adding: 0 });
  return ids;
};

/** Repositories with the titles of source controls that only their organisation has. */
const withTitles = async (
  { sourceControls }: Pick<RepositoriesDependencies, 'sourceControls'>,
  db: Db,
  clientId: string,
  items: RepositoryItem[],
): Promise<RepositoryItem[]> => {
  const isOurs = ({ attributes }: RepositoryItem) => SOURCE_CONTROLS.some((id) => id === attributes.source_control);
  if (items.every(isOurs)) return items;
  const titles = await sourceControls.addedTitles(db, clientId);
  return items.map(({ _id, attributes }) => ({
    _id,
    attributes: { ...attributes, source_control_title: titles.get(attributes.source_control) ?? null },
  }));
};

/** @throws repository_not_found */
const readTitled = async (
  deps: Pick<RepositoriesDependencies, 'sourceControls'>,
  db: Db,
  viewer: RepositoryViewer,
  id: string,
): Promise<RepositoryItem> => {
  const item = await readRepository(db, viewer, id);
  const [titled = item] = await withTitles(deps, db, viewer.clientId, [item]);
  return titled;
};

const createEndpoint = (deps: RepositoriesDependencies): Endpoint =>
  // a provider may be asked first, outside any transaction
  callerEndpoint(createRepositories)(async ({ caller, body: named, signal }) => {
    const { clientId } = caller;
    await requireSourceControl(deps, clientId, named.source_control ?? 'github');
    const body = await withProviderIds(deps.sourceControls, { clientId, body: named, signal });
    await requireCloneable(deps, body);
    return deps.database.forClient(clientId, async (db) => {
      const ids = await addRepositories(db, { deps, caller, body });
      const items = await withTitles(deps, db, clientId, await readRepositoriesById(db, viewerOf(caller), ids));
      const wanted = new Map(items.map((item) => [item._id, item]));
      return { success: true as const, data: ids.flatMap((id) => wanted.get(id) ?? []) };
    });
  });

const linkEndpoint = (deps: RepositoriesDependencies): Endpoint =>
  // the provider is asked between two transactions
  callerEndpoint(linkRepository)(async ({ caller, params, body, signal }) => {
    const { clientId } = caller;
    const { source_control: sourceControl, external_id: externalId } = body;
    const viewer = viewerOf(caller);
    await deps.database.forClient(clientId, (db) => readRepository(db, viewer, params.id));
    const found = await findAtProvider(deps.sourceControls, { clientId, sourceControl, externalId, signal });
    return deps.database.forClient(clientId, async (db) => {
      await linkToSource(db, { caller, id: params.id, sourceControl, externalId, found });
      return { data: await readTitled(deps, db, viewer, params.id) };
    });
  });

/** Lists of what belongs to one repository; only of one that the caller may see. */
const detailEndpoints = (): Endpoint[] => [
  tenantEndpoint(listRepositoryBranches)(async ({ db, caller, params }) => {
    const { _id, attributes } = await readRepository(db, viewerOf(caller), params.id);
    return { data: await readBranches(db, { clientId: caller.clientId, id: _id, ...attributes }) };
  }),
  tenantEndpoint(listRepositoryEvents)(async ({ db, caller, params }) => {
    await readRepository(db, viewerOf(caller), params.id);
    return { data: await readEvents(db, caller.clientId, params.id) };
  }),
  tenantEndpoint(listRepositoryTags)(async ({ db, caller }) => {
    const tags = await readTags(db, viewerOf(caller));
    return { data: tags.map(({ tag, count }) => ({ _id: tag, attributes: { title: tag, count } })) };
  }),
  fileEndpoint(downloadRepositories)(({ db, caller, query }) => repositoriesFile(db, viewerOf(caller), query)),
];

/** Repositories and applications of the organisation. */
export const createRepositoriesEndpoints = (deps: RepositoriesDependencies): Endpoint[] => [
  ...providerEndpoints(deps),
  ...detailEndpoints(),
  createEndpoint(deps),
  linkEndpoint(deps),
  tenantEndpoint(listRepositories)(async ({ db, caller, query }) => {
    const page = await readRepositoriesPage(db, viewerOf(caller), query);
    return { ...page, data: await withTitles(deps, db, caller.clientId, page.data) };
  }),
  tenantEndpoint(getRepository)(async ({ db, caller, params }) => ({
    data: await readTitled(deps, db, viewerOf(caller), params.id),
  })),
  tenantEndpoint(updateRepositoryRoute)(async ({ db, caller, params, body }) => {
    await updateRepository(db, { caller, id: params.id, change: body, jobs: deps.jobs });
    return { data: await readTitled(deps, db, viewerOf(caller), params.id) };
  }),
  tenantEndpoint(deleteRepository)(async ({ db, caller, params, audit }) => {
    const { clientId } = caller;
    const { attributes } = await readRepository(db, viewerOf(caller), params.id);
    audit({ subject: `Repository ${attributes.nickname}` });
    const { owner } = await removeRepository(db, { clientId, id: params.id, removals: deps.removals });
    await publish(db, {
      clientId,
      type: 'repository.removed',
      data: { repository_id: params.id },
      audience: { repositoryIds: [params.id], userIds: owner === null ? [] : [owner] },
    });
    return { success: true };
  }),
];

/** What `GET /repositories` and the like answer, inside a client that a superadmin names. */
export const createManagedRepositoriesEndpoints = ({ database }: { database: DatabaseHandle }): Endpoint[] => [
  callerEndpoint(listManagedRepositories)(({ caller, params, query, request, origin }) => {
    const viewer = { clientId: params.client, onlyOwnedBy: null };
    return readInsideClient(database, { clientId: params.client, caller, request, origin }, (db) =>
      readRepositoriesPage(db, viewer, query),
    );
  }),
  callerEndpoint(getManagedRepository)(async ({ caller, params, request, origin }) => {
    const viewer = { clientId: params.client, onlyOwnedBy: null };
    const data = await readInsideClient(database, { clientId: params.client, caller, request, origin }, (db) =>
      readRepository(db, viewer, params.id),
    );
    return { data };
  }),
];
