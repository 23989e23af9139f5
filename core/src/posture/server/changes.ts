import { sql } from 'kysely';
import {
  type FindingsRequest,
  isNarrowed,
  needsRows,
  resolveFilter,
  setPlannerHints,
} from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { changesOfWeek } from '../api/changes-route.ts';
import { ANY_STATUS, accountOf, CHANGE_DAYS } from '../model/changes.ts';
import { daysBefore, type FindingFilters } from '../model/charts.ts';
import { requestOf } from './chart-endpoints.ts';
import { sumOf } from './chart-of-labels.ts';
import { countByCell } from './count-by-cell.ts';
import { listDayChanges } from './dashboard-queries.ts';
import { readRepositoryNames } from './label-charts.ts';

const countByRepository = async (db: Db, request: FindingsRequest): Promise<Map<string, number>> => {
  const filter = await resolveFilter(db, request);
  await setPlannerHints(db, needsRows(filter) ? 'free' : 'rollups');
  const counts = filter.isEmpty ? [] : await countByCell(db, { filter, by: sql`k.repository_id::text` });
  await setPlannerHints(db, 'free');
  const sums = new Map<string, number>();
  for (const { value, count } of counts) sums.set(value, (sums.get(value) ?? 0) + count);
  return sums;
};

/** A figure of the findings of a request that further filters leave, and the application that most of them are in. */
const count = async (db: Db, request: FindingsRequest, filters: FindingFilters) => {
  const sums = await countByRepository(db, { ...request, filters: { ...request.filters, ...filters } });
  const [most] = [...sums].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  const names = await readRepositoryNames(db, {
    clientId: request.viewer.clientId,
    ids: most === undefined ? [] : [most[0]],
  });
  return {
    count: [...sums.values()].reduce((all, one) => all + one, 0),
    filters,
    most:
      most === undefined
        ? null
        : { name: names.get(most[0]) ?? most[0], count: most[1], filters: { ...filters, repository: [most[0]] } },
  };
};

/** Net change of the number of findings of a request after a day. */
const changeSince = async (db: Db, request: FindingsRequest, after: string): Promise<number> => {
  const filter = await resolveFilter(db, request);
  if (filter.isEmpty) return 0;
  await setPlannerHints(db, isNarrowed(filter) ? 'free' : 'rollups');
  const changes = await listDayChanges(db, { filter, after });
  await setPlannerHints(db, 'free');
  return changes.reduce((sum, { delta }) => sum + delta, 0);
};

export const readChanges = async (db: Db, request: FindingsRequest, today: string) => {
  const since = daysBefore(today, CHANGE_DAYS - 1);
  const open = sumOf([...(await countByRepository(db, request)).values()].map((one) => ({ count: one })));
  const net = await changeSince(db, request, daysBefore(since, 1));
  const found = await count(db, request, { status: [...ANY_STATUS], found_gt: since });
  const fixed = await count(db, request, { status: ['mitigated'], fixed_gt: since });
  const { other } = accountOf({ openNow: open, openBefore: open - net, found: found.count, fixed: fixed.count });
  return { since, open, net, other, found, fixed };
};

/** What the last seven days changed. */
export const changesEndpoint = (): Endpoint =>
  tenantEndpoint(changesOfWeek)(async ({ db, caller, query }) => ({
    data: await readChanges(db, requestOf(caller, query), new Date().toISOString().slice(0, 10)),
  }));
