import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/server/endpoint.ts';

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
  seesAll: caller.role !== 'developer',
});

/** Ids of the repositories that a viewer owns. Reads repositories_owner. */
export const ownedRepositories = (viewer: Viewer): RawBuilder<string[]> =>
  sql<string[]>`array(select id from repositories where client_id = ${viewer.clientId} and owner = ${viewer.userId})`;
