import type { Static } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import { type PageMeta, pageMeta, readPaging } from '../../../platform/server/paging.ts';
import type { GroupListQuery } from '../../api/group-routes.ts';
import type { FindingListQuery } from '../../api/routes.ts';
import { type AttributeKey, attributesNamed, ROW_KEYS } from '../../model/column-catalogue.ts';
import type { Viewer } from '../filter/viewer.ts';
import { findPage, findPageSoon } from './find-page.ts';
import { readGroups } from './groups.ts';
import { readFindingRows } from './read-finding-rows.ts';

type ListQuery = Static<typeof FindingListQuery>;
type GroupQuery = Static<typeof GroupListQuery>;

/** Attributes of the rows. */
const namesOf = ({ fields = [], include = [] }: ListQuery): AttributeKey[] =>
  attributesNamed([...(fields.length === 0 ? ROW_KEYS : fields), ...include]);

/** A page of findings as `GET /findings` answers, for the caller's own client and for one that a superadmin reads. */
export const readFindingsPage = async (db: Db, viewer: Viewer, query: ListQuery) => {
  const paging = readPaging(query);
  const find = query.total === 'later' ? findPageSoon : findPage;
  const { ids, total } = await find(db, {
    viewer,
    filters: query.filters ?? {},
    search: query.search ?? '',
    sortField: query.sort_field ?? 'priority',
    direction: query.sort ?? 'desc',
    offset: paging.offset,
    limit: paging.pageSize,
  });
  const data = await readFindingRows(db, { clientId: viewer.clientId, ids, names: namesOf(query) });
  const { page, pageSize } = paging;
  const uncounted = { pagination: { page, pageSize, pageCount: null, total: null } };
  return { data, meta: total === undefined ? uncounted : pageMeta(total, paging) };
};

/** The same for `GET /findings/groups`. */
export const readGroupsPage = async (db: Db, viewer: Viewer, query: GroupQuery) => {
  const paging = readPaging(query);
  const sort = query.sort_field ?? 'count';
  const { items, total, grouped } = await readGroups(db, {
    viewer,
    filters: query.filters ?? {},
    search: query.search ?? '',
    by: query.by,
    sort,
    direction: query.sort ?? (sort === 'name' ? 'asc' : 'desc'),
    offset: paging.offset,
    limit: paging.pageSize,
  });
  const meta: PageMeta & { grouped: number } = { ...pageMeta(total, paging), grouped };
  return { data: items, meta };
};
