import { FINDING_TYPES } from '@breakwater/sdk';
import { escapeWord, unescapeWord } from '../../../platform/model/joined-words.ts';
import { SORT_FIELDS } from '../../api/routes.ts';
import { isOpenStatus } from '../../model/facet-labels.ts';
import {
  FILTERS,
  type FindingFilters,
  GROUP_KEYS,
  GROUP_SORTS,
  type GroupSort,
  type KeysOfKind,
  keysOfKind,
} from '../../model/filter-catalogue.ts';
import { FINDING_STATUSES, OPEN_STATUSES, VISIBILITIES, type Visibility } from '../../model/states.ts';

export type Filters = FindingFilters;
export type SortField = (typeof SORT_FIELDS)[number];
export type SortOrder = 'asc' | 'desc';

/** What a list can be put together by: what findings have in common, or what fixes them. */
export const VIEW_GROUPS = ['fix', ...GROUP_KEYS] as const;
export type ViewGroup = (typeof VIEW_GROUPS)[number];

/** What the list shows: the whole of it lives in the address. */
export interface FindingView {
  filters: Filters;
  search: string;
  sortField: SortField;
  sort: SortOrder;
  /** Rows are groups of findings. */
  groupBy?: ViewGroup | undefined;
  /** Order of the groups; the highest priority first without it. */
  groupSort?: GroupSort | undefined;
}

/**
 * `open`: `/findings`, the work to do. `scm`, `cloud`: the same of source control and of clouds. `all`: `/findings/all`, nothing
 * hidden. The first three are the scopes app, scm and cloud of saved filters.
 */
export type ViewBase = 'open' | 'scm' | 'cloud' | 'all';

const isSwitch = (key: KeysOfKind<'visibility'>): key is VisibilityKey => key !== 'kev';

/** Lists of free words; several values are joined by commas. */
const WORD_KEYS = keysOfKind('words');
const ID_KEYS = keysOfKind('ids');
const CHOICE_KEYS = keysOfKind('choices').filter((key) => key !== 'status' && key !== 'type');
const RANGES = keysOfKind('bound');
export const COLUMN_FILTERS = keysOfKind('column');
export const DATE_KEYS = keysOfKind('date');
/** Three-way switches that stand in the address also where they show. */
export const VISIBILITY_KEYS = keysOfKind('visibility').filter(isSwitch);

/** Ranges with two handles. */
export type RangeFilter = 'priority' | 'fixing_effort' | 'cvssv3_score';

export type VisibilityKey = Exclude<KeysOfKind<'visibility'>, 'kev'>;
export type RangeKey = KeysOfKind<'bound'>;
export type { FilterKey } from '../../model/filter-catalogue.ts';

/** Visibilities that `/findings` hides unless its address says otherwise. */
const HIDDEN_BY_DEFAULT: readonly VisibilityKey[] = ['false_positive', 'accepted_risk', 'is_duplicate'];

/** Types that a list is about, in their order, unless its address says otherwise. */
const TYPES_OF: Readonly<Partial<Record<ViewBase, NonNullable<Filters['type']>>>> = {
  scm: FINDING_TYPES.filter((type) => type === 'CI/CD' || type === 'Supply chain'),
  cloud: FINDING_TYPES.filter((type) => type === 'Cloud'),
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The view that an address without parameters means. */
export const defaultView = (base: ViewBase): FindingView => {
  const filters: Filters = {};
  const types = TYPES_OF[base];
  if (types !== undefined) filters.type = [...types];
  if (base !== 'all') {
    filters.status = [...OPEN_STATUSES];
    for (const key of HIDDEN_BY_DEFAULT) filters[key] = 'hide';
  }
  return { filters, search: '', sortField: 'priority', sort: 'desc' };
};

const splitWords = (raw: string | null): string[] =>
  raw === null
    ? []
    : [
        ...new Set(
          raw
            .split(',')
            .map(unescapeWord)
            .map((word) => word.trim()),
        ),
      ].filter((word) => word !== '');
const known = <T extends string>(raw: string | null, allowed: readonly T[]): T[] => {
  const words = splitWords(raw);
  return allowed.filter((value) => words.includes(value));
};
const oneOf = <T extends string>(raw: string | null, allowed: readonly T[]): T | undefined =>
  allowed.find((value) => value === raw);

const parseNumber = (raw: string | null, key: RangeKey): number | undefined => {
  if (raw === null || raw.trim() === '') return undefined;
  const range = FILTERS[key];
  const value = Number(raw);
  const isUsable = Number.isFinite(value) && value >= range.min && value <= range.max && value !== range.full;
  return isUsable && (!range.isInteger || Number.isInteger(value)) ? value : undefined;
};

const parseLists = (params: URLSearchParams, filters: Filters): void => {
  const type = known(params.get('type'), FINDING_TYPES);
  if (type.length > 0) filters.type = type;
  else if (params.has('type')) delete filters.type;
  for (const key of WORD_KEYS) {
    const words = splitWords(params.get(key));
    if (words.length > 0) filters[key] = words;
  }
  for (const key of ID_KEYS) {
    const ids = splitWords(params.get(key)).filter((id) => UUID.test(id));
    if (ids.length > 0) filters[key] = ids;
  }
  for (const key of CHOICE_KEYS) {
    const values = known<string>(params.get(key), FILTERS[key].choices);
    if (values.length > 0) Object.assign(filters, { [key]: values });
  }
  const cwe = splitWords(params.get('cwe')).map(Number);
  const numbers = cwe.filter((value) => Number.isInteger(value) && value > 0 && value <= 100_000);
  if (numbers.length > 0) filters.cwe = numbers;
};

const parseStatus = (params: URLSearchParams, filters: Filters): void => {
  const raw = params.get('status');
  if (raw === 'open') filters.status = [...OPEN_STATUSES];
  else if (raw !== null) {
    const status = known(raw, FINDING_STATUSES);
    if (status.length > 0) filters.status = status;
    else delete filters.status;
  }
};

/**
 * Reads a view from an address. Whatever it does not understand it leaves out, so an old or mistyped address
 * still opens a list.
 */
export const parseView = (params: URLSearchParams, base: ViewBase): FindingView => {
  const view = defaultView(base);
  parseStatus(params, view.filters);
  parseLists(params, view.filters);
  for (const key of VISIBILITY_KEYS) {
    const visibility: Visibility | undefined = oneOf(params.get(key), VISIBILITIES);
    if (visibility === 'show') delete view.filters[key];
    else if (visibility !== undefined) view.filters[key] = visibility;
  }
  const kev = oneOf(params.get('kev'), ['only', 'hide']);
  if (kev !== undefined) view.filters.kev = kev;
  for (const key of RANGES) {
    const value = parseNumber(params.get(key), key);
    if (value !== undefined) view.filters[key] = value;
  }
  for (const key of COLUMN_FILTERS) {
    const raw = params.get(key) ?? '';
    if (/^\d{1,9}$/.test(raw)) view.filters[key] = Number(raw);
  }
  for (const key of DATE_KEYS) {
    const date = params.get(key);
    if (date !== null && DATE.test(date) && !Number.isNaN(Date.parse(date))) view.filters[key] = date;
  }
  view.search = (params.get('search') ?? '').trim().slice(0, 200);
  view.sortField = oneOf(params.get('sort_field'), SORT_FIELDS) ?? 'priority';
  view.sort = oneOf(params.get('sort'), ['asc', 'desc']) ?? 'desc';
  view.groupBy = oneOf(params.get('group'), VIEW_GROUPS);
  view.groupSort = oneOf(params.get('group_sort'), GROUP_SORTS);
  return view;
};

const formatStatus = (filters: Filters, base: ViewBase): string | undefined => {
  if (filters.status === undefined || filters.status.length === 0) return base === 'all' ? undefined : 'all';
  if (isOpenStatus(filters.status)) return base === 'all' ? 'open' : undefined;
  return filters.status.join(',');
};

const formatVisibility = (filters: Filters, key: VisibilityKey, base: ViewBase): string | undefined => {
  const fallback = base !== 'all' && HIDDEN_BY_DEFAULT.includes(key) ? 'hide' : 'show';
  const value = filters[key] ?? 'show';
  return value === fallback ? undefined : value;
};

const formatTypes = ({ type = [] }: Filters, base: ViewBase): string | undefined => {
  const types = TYPES_OF[base];
  if (types === undefined) return type.join(',');
  if (type.length === 0) return 'all';
  const isUsual = type.length === types.length && types.every((one) => type.includes(one));
  return isUsual ? undefined : type.join(',');
};

/** Writes a view as address parameters in a fixed order; what the base means anyway is left out. */
export const formatView = (view: FindingView, base: ViewBase): URLSearchParams => {
  const { filters } = view;
  const params = new URLSearchParams();
  const put = (key: string, value: string | undefined) => {
    if (value !== undefined && value !== '') params.set(key, value);
  };
  put('search', view.search.trim());
  put('status', formatStatus(filters, base));
  put('type', formatTypes(filters, base));
  for (const key of WORD_KEYS) put(key, filters[key]?.map(escapeWord).join(','));
  for (const key of ID_KEYS) put(key, filters[key]?.join(','));
  for (const key of CHOICE_KEYS) put(key, filters[key]?.join(','));
  put('cwe', filters.cwe?.join(','));
  for (const key of COLUMN_FILTERS) put(key, filters[key]?.toString());
  for (const key of VISIBILITY_KEYS) put(key, formatVisibility(filters, key, base));
  if (filters.kev !== undefined && filters.kev !== 'show') put('kev', filters.kev);
  for (const key of RANGES) put(key, filters[key]?.toString());
  for (const key of DATE_KEYS) put(key, filters[key]);
  if (view.sortField !== 'priority') put('sort_field', view.sortField);
  if (view.sort !== 'desc') put('sort', view.sort);
  put('group', view.groupBy);
  if (view.groupBy !== undefined && view.groupSort !== 'priority') put('group_sort', view.groupSort);
  return params;
};

const PATHS: Record<ViewBase, string> = {
  open: '/findings',
  scm: '/scm',
  cloud: '/cloud',
  all: '/findings/all',
};

/** Address of a view. */
export const viewHref = (view: FindingView, base: ViewBase): string => {
  const query = formatView(view, base).toString();
  return query === '' ? PATHS[base] : `${PATHS[base]}?${query}`;
};

/** Address of the open findings with these filters on top: what figures and chart segments link to. `path`: of another list than the own. */
export const findingsHref = (filters: Filters = {}, search = '', path = PATHS.open): string => {
  const view = defaultView('open');
  const query = formatView({ ...view, search, filters: { ...view.filters, ...filters } }, 'open').toString();
  // The bare address opens the active saved view, if there is one: then its rows would not be those of the figure.
  return `${path}?${query === '' ? 'status=open' : query}`;
};

/** The repositories that an address of findings or of their figures names. */
export const repositoriesOf = (params: URLSearchParams): Pick<Filters, 'repository' | 'repository_tag'> => {
  const { repository, repository_tag } = parseView(params, 'open').filters;
  return { ...(repository && { repository }), ...(repository_tag && { repository_tag }) };
};

/** The filters that say which rows count at all, without those that pick among them: the "of 108" of a list. */
export const scopeFilters = (filters: Filters): Filters => {
  const scope: Filters = {};
  if (filters.status !== undefined) scope.status = filters.status;
  for (const key of VISIBILITY_KEYS) {
    const value = filters[key];
    if (value !== undefined) scope[key] = value;
  }
  return scope;
};
