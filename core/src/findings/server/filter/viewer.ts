import { type RawBuilder, sql } from 'kysely';
import { can } from '../../../platform/model/permissions.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import { branchesOf } from '../../../repositories/server/index.ts';

/** For whom findings are read. */
export interface Viewer {
  clientId: string;
  userId: string;
  /** False for a developer: only findings assigned to them or in repositories they own. Source: decisions.md "Roles". */
  seesAll: boolean;
}

export const viewerOf = (caller: Caller): Viewer => ({
  clientId: caller.clientId,
  userId: caller.userId,
  seesAll: can(caller.role, 'organization.read-all'),
});

/** Whether a finding is theirs, by columns of `f` or a state `s`. */
export const isSentTo = (viewer: Viewer, table: 'f' | 's'): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${sql.ref(`${table}.issue_owner`)} = ${viewer.userId}, false)
    or coalesce(${sql.ref(`${table}.developers`)} @> array[${viewer.userId}]::uuid[], false)`;

/** Whether a viewer may see the finding `f`. */
export const maySee = (viewer: Viewer): RawBuilder<boolean> =>
  viewer.seesAll
    ? sql<boolean>`true`
    : sql<boolean>`(f.repository_id = any(${ownedRepositories(viewer)}) or ${isSentTo(viewer, 'f')})`;

const owned = (viewer: Viewer): RawBuilder<unknown> =>
  sql`select id from repositories where client_id = ${viewer.clientId} and owner = ${viewer.userId}`;

/** Ids of the repositories that a viewer owns, and of their branches. Reads repositories_owner. */
export const ownedRepositories = (viewer: Viewer): RawBuilder<string[]> =>
  sql<string[]>`array(${owned(viewer)} union all ${branchesOf(viewer.clientId, owned(viewer))})`;
