import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { FindingListQuery } from '../../api/routes.ts';
import {
  activateFilter,
  deleteFilter,
  listSavedFilters,
  saveFilter,
  updateFilter,
  useSavedFilter,
} from '../../api/saved-filters-routes.ts';
import { FILTER_KEYS } from '../../model/filter-catalogue.ts';
import { SAVED_FILTER_NOTICES, type SavedFilterEntry } from '../../model/saved-filters.ts';
import { readViewSettings, writeViewSettings } from './columns.ts';
import {
  activate,
  changeFilter,
  findById,
  findByName,
  listFilters,
  lockFilters,
  MAX_SAVED_FILTERS,
  type Person,
  putFilter,
  removeFilter,
  type SavedFilterItem,
} from './stored-filters.ts';

const PAGE_KEYS = new Set([
  'filters',
  'pagination',
  'pagination_page',
  'pagination_pageSize',
  'page',
  'total',
  'include',
]);
/** Besides filters a view has its search, its order and how it is grouped. */
const KNOWN_KEYS = new Set([
  'group',
  'group_sort',
  ...FILTER_KEYS,
  ...Object.keys(FindingListQuery.properties).filter((key) => !PAGE_KEYS.has(key)),
]);

/** Misspelt keys are reported when they are saved; when a later version drops one, what is stored stays readable. */
const checkKeys = (filters: readonly SavedFilterEntry[]): void => {
  const issues = filters.flatMap((entry, index) =>
    Object.keys(entry)
      .filter((key) => !KNOWN_KEYS.has(key))
      .map((key) => ({
        loc: ['body', 'filters', index, key],
        msg: sayEnglish('There is no filter {key}.', { key: key.slice(0, 60) }),
        type: 'unknown_filter',
      })),
  );
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
};

/** A name as it is stored: PostgreSQL's text holds no NUL. */
const nameOf = (name: string): string => name.replaceAll('\0', '').trim();

const found = (item: SavedFilterItem | undefined): SavedFilterItem => {
  if (item === undefined) throw new AppError('saved_filter_not_found');
  return item;
};

const makeActive = async (db: Db, person: Person, id: string): Promise<SavedFilterItem> => {
  const { scope } = found(await findById(db, person, id));
  await activate(db, person, { id, scope });
  return found(await findById(db, person, id));
};

/** Filters that a person saved under a name. Another person's are not found. */
export const savedFiltersEndpoints = (): Endpoint[] => [
  tenantEndpoint(listSavedFilters)(async ({ db, caller, query }) => ({
    data: await listFilters(db, caller, query.scope),
    meta: { use_saved_filter: (await readViewSettings(db, caller)).useSavedFilter },
  })),
  tenantEndpoint(saveFilter)(async ({ db, caller, query, body }) => {
    const content = { scope: body.scope ?? query.scope ?? 'app', name: nameOf(body.name), filters: body.filters };
    checkKeys(content.filters);
    await lockFilters(db, caller);
    const isNew = (await findByName(db, caller, content)) === undefined;
    if (isNew && (await listFilters(db, caller)).length >= MAX_SAVED_FILTERS) {
      throw new AppError(
        'conflict',
        say('You have {most} saved filters. Delete one first.', { most: MAX_SAVED_FILTERS }),
      );
    }
    const item = found(await findById(db, caller, await putFilter(db, caller, content)));
    return { success: true, data: item, message: SAVED_FILTER_NOTICES[isNew ? 'saved' : 'updated'] };
  }),
  tenantEndpoint(activateFilter)(async ({ db, caller, body }) => {
    await lockFilters(db, caller);
    return { success: true, data: await makeActive(db, caller, body.id), message: SAVED_FILTER_NOTICES.activated };
  }),
  tenantEndpoint(updateFilter)(async ({ db, caller, params, query, body }) => {
    const scope = body.scope ?? query.scope ?? 'app';
    const name = nameOf(body.name);
    checkKeys(body.filters);
    await lockFilters(db, caller);
    const { _id: id } = found(await findByName(db, caller, { scope, name: nameOf(params.name) }));
    const other = await findByName(db, caller, { scope, name });
    if (other !== undefined && other._id !== id) {
      throw new AppError('conflict', msg('Another saved filter has that name. Choose a different one.'));
    }
    await changeFilter(db, caller, { id, name, filters: body.filters });
    return { success: true, data: await makeActive(db, caller, id), message: SAVED_FILTER_NOTICES.updated };
  }),
  tenantEndpoint(deleteFilter)(async ({ db, caller, query, body }) => {
    const id = body.id ?? query.id;
    if (id === undefined) {
      throw new AppError('validation_failed', undefined, {
        issues: [{ loc: ['body', 'id'], msg: msg('Say which saved filter.'), type: 'required' }],
      });
    }
    if (!(await removeFilter(db, caller, id))) throw new AppError('saved_filter_not_found');
    return { success: true, message: SAVED_FILTER_NOTICES.removed };
  }),
  tenantEndpoint(useSavedFilter)(async ({ db, caller, body }) => {
    await writeViewSettings(db, caller, { useSavedFilter: body.use_saved_filter });
    return { success: true, data: { use_saved_filter: body.use_saved_filter } };
  }),
];
