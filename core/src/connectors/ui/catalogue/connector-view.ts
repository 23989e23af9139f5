import { type CategoryKey, isCategoryKey } from '@breakwater/sdk';
import { translated } from '../../../platform/ui/language/translate.ts';
import { type ConnectorItem, titleOf } from '../data/connector.ts';
import { isConnectable, isConnected, needsAttention } from '../data/connector-state.ts';
import { CATEGORY_KEYS, categoryTitle } from '../data/connector-text.ts';

export const TABS = ['all', 'connected', 'attention'] as const;
export type CatalogueTab = (typeof TABS)[number];

/** What the catalogue shows; it lives in the address. */
export interface CatalogueView {
  search: string;
  categories: CategoryKey[];
  tab: CatalogueTab;
  /** Address of the card whose panel is open. */
  open: string | undefined;
}

const NO_VIEW: CatalogueView = { search: '', categories: [], tab: 'all', open: undefined };

const parseCatalogueView = (params: URLSearchParams): CatalogueView => ({
  search: (params.get('search') ?? '').trim().slice(0, 200),
  categories: (params.get('category') ?? '').split(',').filter(isCategoryKey),
  tab: TABS.find((tab) => tab === params.get('tab')) ?? NO_VIEW.tab,
  open: params.get('open') || undefined,
});

export const formatCatalogueView = ({ search, categories, tab, open }: CatalogueView): URLSearchParams => {
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (categories.length > 0) params.set('category', categories.join(','));
  if (tab !== NO_VIEW.tab) params.set('tab', tab);
  if (open !== undefined) params.set('open', open);
  return params;
};

export const CATALOGUE_VIEW = { parse: parseCatalogueView, format: formatCatalogueView };

/** What is no tool: places that code and accounts live in. */
const NOT_TOOLS: ReadonlySet<string> = new Set(['source-control', 'cloud-deployment']);

/** True for a category of scanners, ticket systems and channels: those of `/connector/tools`. */
export const isToolCategory = (key: string): boolean => !NOT_TOOLS.has(key);

const isFound = ({ _id, attributes }: ConnectorItem, search: string): boolean => {
  const { id, title, description, category } = attributes;
  const own = [title, description].map(translated);
  const text = [_id, id, title, description, ...own, category, categoryTitle(category)].join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

const isOnTab = ({ attributes }: ConnectorItem, tab: CatalogueTab): boolean =>
  tab === 'all' || (tab === 'connected' ? isConnected(attributes) : needsAttention(attributes));

/** The cards that a view shows. */
export const shownItems = (items: readonly ConnectorItem[], view: CatalogueView): ConnectorItem[] =>
  items.filter(
    (item) =>
      isFound(item, view.search) &&
      isOnTab(item, view.tab) &&
      (view.categories.length === 0 || view.categories.some((key) => key === item.attributes.category)),
  );

export interface CatalogueGroup {
  category: string;
  items: ConnectorItem[];
}

/** What can be connected first, then what takes reports, last what is disabled; never by state, so that no card jumps. */
const rankOf = ({ attributes }: ConnectorItem): number =>
  attributes.disabled !== null ? 2 : isConnectable(attributes) ? 0 : 1;

const byRank = (one: ConnectorItem, other: ConnectorItem): number =>
  rankOf(one) - rankOf(other) || titleOf(one.attributes).localeCompare(titleOf(other.attributes), 'en');

/** Cards under their categories, in the order of the catalogue; empty categories are left out. */
export const groupItems = (items: readonly ConnectorItem[]): CatalogueGroup[] =>
  CATEGORY_KEYS.map((category) => ({
    category,
    items: items.filter(({ attributes }) => attributes.category === category).sort(byRank),
  })).filter((group) => group.items.length > 0);

const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

/** The provider that `/connector?source_control=` names: by id or title, `bitbucket cloud` as well as `bitbucket_cloud`. */
export const findProvider = (items: readonly ConnectorItem[], name: string): ConnectorItem | undefined =>
  items.find(
    ({ attributes }) =>
      attributes.category === 'source-control' && [attributes.id, attributes.title].map(bare).includes(bare(name)),
  );

/** The title of a card in the catalogue. */
export const cardLink = (address: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-connector="${CSS.escape(address)}"]`);
