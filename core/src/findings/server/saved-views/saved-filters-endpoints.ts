import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type AuditNote, type Caller, type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { publish } from '../../../platform/server/events.ts';
import { FindingListQuery } from '../../api/routes.ts';
import {
  activateFilter,
  deleteFilter,
  listSavedFilters,
  saveFilter,
  shareFilter,
  starFilter,
  updateFilter,
  useSavedFilter,
} from '../../api/saved-filters-routes.ts';
import { FILTER_KEYS } from '../../model/filter-catalogue.ts';
import { MAX_STARRED_VIEWS, SAVED_FILTER_NOTICES, type SavedFilterEntry } from '../../model/saved-filters.ts';
import { readViewSettings, writeViewSettings } from './columns.ts';
import {
  activate,
  changeFilter,
  countFilters,
  findById,
  findByName,
  isNameTaken,
  listFilters,
  lockFilters,
  lockShared,
  MAX_SAVED_FILTERS,
  MAX_SHARED_FILTERS,
  type Person,
  putFilter,
  removeFilter,
  type SavedFilterItem,
  shareStored,
  star,
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

/** One that the person sees and may change. @throws saved_filter_not_found, forbidden */
const changeable = async (db: Db, person: Person, id: string): Promise<SavedFilterItem> => {
  const item = found(await findById(db, person, id));
  if (!item.editable) {
    throw new AppError('forbidden', say('Only {owner} and admins change this view.', { owner: item.owner }));
  }
  return item;
};

/** What the audit log says of a change: of a view that nobody else sees nothing. */
const noteOf = ({ shared, name }: Pick<SavedFilterItem, 'shared' | 'name'>, change: string): AuditNote =>
  shared ? { subject: name, details: { shared_view: change } } : { isUnchanged: true };

/** Tells those who see a view that it is another one now: everybody where it is or was shared, or else the windows of its person. */
const tell = (db: Db, { clientId, userId }: Caller, isShared: boolean): Promise<void> =>
  publish(db, {
    clientId,
    type: 'saved_view.changed',
    data: {},
    audience: isShared ? { permission: 'findings.read' } : { userIds: [userId] },
  });

const makeActive = async (db: Db, person: Person, id: string): Promise<SavedFilterItem> => {
  if (!(await activate(db, person, id))) throw new AppError('saved_filter_not_found');
  return found(await findById(db, person, id));
};

const requireRoom = async (db: Db, person: Person): Promise<void> => {
  if ((await countFilters(db, person)).own < MAX_SAVED_FILTERS) return;
  throw new AppError('conflict', say('You have {most} saved filters. Delete one first.', { most: MAX_SAVED_FILTERS }));
};

/** Saving, changing and deleting. */
const writing = (): Endpoint[] => [
  tenantEndpoint(saveFilter)(async ({ db, caller, query, body, audit }) => {
    const content = { scope: body.scope ?? query.scope ?? 'app', name: nameOf(body.name), filters: body.filters };
    checkKeys(content.filters);
    await lockFilters(db, caller);
    const isNew = (await findByName(db, caller, content)) === undefined;
    if (isNew) await requireRoom(db, caller);
    const item = found(await findById(db, caller, await putFilter(db, caller, content)));
    audit(noteOf(item, 'changed'));
    await tell(db, caller, item.shared);
    return { success: true, data: item, message: SAVED_FILTER_NOTICES[isNew ? 'saved' : 'updated'] };
  }),
  tenantEndpoint(updateFilter)(async ({ db, caller, params, query, body, audit }) => {
    const scope = body.scope ?? query.scope ?? 'app';
    const name = nameOf(body.name);
    checkKeys(body.filters);
    await lockFilters(db, caller);
    const id = query.id ?? (await findByName(db, caller, { scope, name: nameOf(params.name) }));
    if (id === undefined) throw new AppError('saved_filter_not_found');
    const item = await changeable(db, caller, id);
    audit(noteOf(item, 'changed'));
    if (await isNameTaken(db, caller, { id, name })) {
      throw new AppError('conflict', msg('Another saved filter has that name. Choose a different one.'));
    }
    await changeFilter(db, caller, { id, name, filters: body.filters });
    await tell(db, caller, item.shared);
    return { success: true, data: await makeActive(db, caller, id), message: SAVED_FILTER_NOTICES.updated };
  }),
  tenantEndpoint(deleteFilter)(async ({ db, caller, query, body, audit }) => {
    const id = body.id ?? query.id;
    if (id === undefined) {
      throw new AppError('validation_failed', undefined, {
        issues: [{ loc: ['body', 'id'], msg: msg('Say which saved filter.'), type: 'required' }],
      });
    }
    const item = await changeable(db, caller, id);
    audit(noteOf(item, 'deleted'));
    if (!(await removeFilter(db, caller, id))) throw new AppError('saved_filter_not_found');
    await tell(db, caller, item.shared);
    return { success: true, message: SAVED_FILTER_NOTICES.removed };
  }),
];

/** What several people see of one view. */
const sharing = (): Endpoint[] => [
  tenantEndpoint(shareFilter)(async ({ db, caller, body: { id, shared }, audit }) => {
    await lockShared(db, caller);
    const item = await changeable(db, caller, id);
    if (shared && !item.shared && (await countFilters(db, caller)).shared >= MAX_SHARED_FILTERS) {
      throw new AppError(
        'conflict',
        say('The organisation shares {most} views. Stop sharing one first.', { most: MAX_SHARED_FILTERS }),
      );
    }
    audit(
      item.shared === shared
        ? { isUnchanged: true }
        : noteOf({ ...item, shared: true }, shared ? 'shared' : 'no longer shared'),
    );
    if (!(await shareStored(db, caller, { id, isShared: shared }))) throw new AppError('saved_filter_not_found');
    if (item.shared !== shared) await tell(db, caller, true);
    // an admin who takes back what another one shared no longer sees it
    const data = (await findById(db, caller, id)) ?? {
      ...item,
      shared,
      active: false,
      starred: false,
      editable: false,
    };
    return { success: true, data, message: SAVED_FILTER_NOTICES[shared ? 'shared' : 'unshared'] };
  }),
  tenantEndpoint(starFilter)(async ({ db, caller, body: { id, starred } }) => {
    await lockFilters(db, caller);
    const stars = (await listFilters(db, caller)).filter((one) => one.starred && one._id !== id);
    if (starred && stars.length >= MAX_STARRED_VIEWS) {
      throw new AppError(
        'conflict',
        say('The navigation holds {most} views. Take one out first.', { most: MAX_STARRED_VIEWS }),
      );
    }
    if (!(await star(db, caller, id, starred))) throw new AppError('saved_filter_not_found');
    await tell(db, caller, false);
    return { success: true, data: found(await findById(db, caller, id)) };
  }),
];

/** Filters that people saved under a name, for themselves or for all of the organisation. What somebody keeps to themselves is not found. */
export const savedFiltersEndpoints = (): Endpoint[] => [
  tenantEndpoint(listSavedFilters)(async ({ db, caller, query }) => ({
    data: await listFilters(db, caller, query.scope),
    meta: { use_saved_filter: (await readViewSettings(db, caller)).useSavedFilter },
  })),
  tenantEndpoint(activateFilter)(async ({ db, caller, body }) => {
    await lockFilters(db, caller);
    return { success: true, data: await makeActive(db, caller, body.id), message: SAVED_FILTER_NOTICES.activated };
  }),
  ...writing(),
  ...sharing(),
  tenantEndpoint(useSavedFilter)(async ({ db, caller, body }) => {
    await writeViewSettings(db, caller, { useSavedFilter: body.use_saved_filter });
    return { success: true, data: { use_saved_filter: body.use_saved_filter } };
  }),
];
