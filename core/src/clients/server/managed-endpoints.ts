import { sql } from 'kysely';
import { type DatabaseHandle, type Db, likePattern } from '../../platform/server/database.ts';
import '../../session/server/index.ts';
import './tables.ts';
import type { Static } from 'typebox';
import { countOpenBySeverity, viewerOf } from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { RequestOrigin } from '../../platform/server/audit.ts';
import { readInsideClient } from '../../platform/server/client-access.ts';
import { type Caller, callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { getManagedClient, listManagedClients, type ManagedClient, setPiloting } from '../api/managed-routes.ts';
import { readClientFigures } from './client-detail.ts';

export interface ClientFilter {
  /** Words of the name; empty for none. */
  organizationName: string;
  /** Words of the name, the legal name, or the e-mail of a user; empty for none. */
  search: string;
}

export interface ClientPage {
  offset: number;
  pageSize: number;
  sortField: 'organization_name' | 'account_setup_at' | '_id';
  sort: 'asc' | 'desc';
}

const ORDER = {
  organization_name: sql`lower(organization_name)`,
  account_setup_at: sql`account_setup_at`,
  _id: sql`id`,
} as const;

const matching = (db: Db, { organizationName, search }: ClientFilter) => {
  let query = db.selectFrom('clients');
  if (organizationName !== '') {
    query = query.where(sql<boolean>`lower(organization_name) like lower(${likePattern(organizationName)})`);
  }
  if (search !== '') {
    const pattern = sql`lower(${likePattern(search)})`;
    query = query.where(sql<boolean>`(lower(organization_name) like ${pattern} or lower(legal_name) like ${pattern}
      or exists (select from users u where u.client_id = clients.id and lower(u.email) like ${pattern}))`);
  }
  return query;
};

/** A page of all clients, of which there are few. For `forIdentity` only: elsewhere it finds the one client of the transaction. */
export const listClients = (db: Db, filter: ClientFilter, page: ClientPage): Promise<string[]> =>
  matching(db, filter)
    .select('id')
    .orderBy(ORDER[page.sortField], page.sort)
    .orderBy('id', page.sort)
    .offset(page.offset)
    .limit(page.pageSize)
    .execute()
    .then((rows) => rows.map((row) => row.id));

/** How many clients match. */
export const countClients = async (db: Db, filter: ClientFilter): Promise<number> => {
  const row = await matching(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return row.total;
};

interface ManagedClientItem {
  _id: string;
  attributes: Static<typeof ManagedClient>;
}

/** So many clients are counted at once: the rest of the pool is for other requests. */
const AT_ONCE = 4;

/** @throws client_not_found */
const readClient = async (db: Db, caller: Caller, clientId: string): Promise<ManagedClientItem> => {
  const figures = await readClientFigures(db, { clientId });
  // removed since it was listed, or never there
  if (figures === undefined) throw new AppError('client_not_found');
  const counts = await countOpenBySeverity(db, { ...viewerOf(caller), clientId });
  return {
    _id: clientId,
    attributes: {
      ...figures,
      account_setup_at: figures.account_setup_at.toISOString(),
      last_scan: figures.last_scan?.toISOString() ?? null,
      open_findings: Object.values(counts).reduce((sum, count) => sum + count, 0),
      counts,
    },
  };
};

export interface ManagedClientsDeps {
  database: DatabaseHandle;
  /** Puts an organisation on trial or ends it. @returns its tier. @throws client_not_found, conflict */
  setPiloting: (request: {
    clientId: string;
    isPiloting: boolean;
    caller: Caller;
    origin: RequestOrigin;
  }) => Promise<string>;
}

/** The organisations of the platform, for superadmins. Figures are counted under each client's own row-level security. */
export const createManagedClientsEndpoints = (deps: ManagedClientsDeps): Endpoint[] => [
  callerEndpoint(setPiloting)(async ({ caller, body, origin, audit }) => {
    const { client_id, piloting } = body.request;
    const tier = await deps.setPiloting({ clientId: client_id, isPiloting: piloting, caller, origin });
    audit({ subject: client_id, details: { tier } });
    return { success: true, data: { client_id, tier } };
  }),
  callerEndpoint(listManagedClients)(async ({ caller, query }) => {
    const paging = readPaging(query);
    const filter = { organizationName: query.organization_name ?? '', search: query.search ?? '' };
    const page = {
      offset: paging.offset,
      pageSize: paging.pageSize,
      sortField: query.sort_field ?? 'organization_name',
      sort: query.sort ?? 'asc',
    } as const;
    const { ids, total } = await deps.database.forIdentity(async (db) => ({
      ids: await listClients(db, filter, page),
      total: await countClients(db, filter),
    }));
    const data: ManagedClientItem[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      data.push(
        ...(await Promise.all(some.map((id) => deps.database.forClient(id, (db) => readClient(db, caller, id))))),
      );
    }
    return { data, meta: pageMeta(total, paging) };
  }),
  callerEndpoint(getManagedClient)(async ({ caller, params, request, origin }) => {
    const access = { clientId: params.id, caller, request, origin };
    return { data: await readInsideClient(deps.database, access, (db) => readClient(db, caller, params.id)) };
  }),
];
