import { inSentence, t } from '../../../platform/ui/language/translate.ts';
import { type FilterText, type FilterWords, filterTexts, isOpenStatus, type Naming } from '../../model/facet-labels.ts';
import { defaultView, type FindingView, formatView, VISIBILITY_KEYS, type ViewBase } from '../data/finding-view.ts';

/** One active filter, or the four with which every list of open work begins. */
export interface FilterChip extends Omit<FilterText, 'key'> {
  key: FilterText['key'] | 'open_work';
}

const OPEN_WORK: readonly FilterText['key'][] = ['status', 'false_positive', 'accepted_risk', 'is_duplicate'];

const WORDS: FilterWords = {
  label: t,
  value: inSentence,
  more: (words, count) => t('{words} and {count} more', { words, count: String(count) }),
};

const isDefault = ({ filters }: FindingView, key: FilterChip['key']): boolean =>
  key === 'open_work' ||
  (key === 'status'
    ? isOpenStatus(filters.status)
    : VISIBILITY_KEYS.some((one) => one === key && filters[one] === 'hide'));

/** Every active filter, in a fixed order; the search last. Those of open work are one where they are complete. */
export const filterChips = (view: FindingView, naming: Naming): FilterChip[] => {
  const texts = filterTexts(view.filters, view.search, naming, WORDS);
  if (!OPEN_WORK.every((key) => isDefault(view, key))) return texts;
  const openWork: FilterChip = { key: 'open_work', label: '', value: t('Open work') };
  return [openWork, ...texts.filter(({ key }) => !OPEN_WORK.includes(key))];
};

/** The filter to give up first where nothing matches: the last that somebody chose, before those every list begins with. */
export const lastChosen = (view: FindingView, chips: readonly FilterChip[]): FilterChip | undefined =>
  chips.findLast((chip) => !isDefault(view, chip.key)) ?? chips.at(-1);

/** The view without one of its filters. */
export const withoutFilter = (view: FindingView, key: FilterChip['key']): FindingView => {
  if (key === 'search') return { ...view, search: '' };
  const filters = { ...view.filters };
  for (const one of key === 'open_work' ? OPEN_WORK : [key]) if (one !== 'search') delete filters[one];
  return { ...view, filters };
};

/** The view with the filters that its list begins with; sorting and grouping stay. */
export const withoutFilters = (view: FindingView, base: ViewBase): FindingView => ({
  ...view,
  filters: defaultView(base).filters,
  search: '',
});

/** Whether anything but sorting and grouping differs from how the list begins. */
export const isFiltered = (view: FindingView, base: ViewBase): boolean =>
  formatView({ ...defaultView(base), filters: view.filters, search: view.search }, base).toString() !== '';
