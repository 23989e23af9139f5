import { observer } from 'mobx-react-lite';
import { useCallback } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { OptionSelect } from '../../../platform/ui/forms/option-select.tsx';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { FilterChip } from '../../../platform/ui/page/page-layout.tsx';
import type { OnView } from '../../../platform/ui/page/use-address-view.ts';
import type { ConnectorItem } from '../data/connector.ts';
import { isConnected, needsAttention } from '../data/connector-state.ts';
import { CATEGORY_KEYS, categoryTitle } from '../data/connector-text.ts';
import { type CatalogueTab, type CatalogueView, shownItems, TABS } from './connector-view.ts';

const TAB_WORDS: Record<CatalogueTab, string> = {
  all: msg('All'),
  connected: msg('Connected'),
  attention: msg('Needs attention'),
};

export interface CatalogueBarProps {
  /** Every card of the page, before filters. */
  items: readonly ConnectorItem[];
  view: CatalogueView;
  onView: OnView<CatalogueView>;
}

const countOf = (items: readonly ConnectorItem[], tab: CatalogueTab): number | undefined => {
  if (tab === 'all') return undefined;
  return items.filter(({ attributes }) => (tab === 'connected' ? isConnected : needsAttention)(attributes)).length;
};

function Tabs({ items, view, onView }: CatalogueBarProps) {
  return (
    <fieldset className="bp6-segmented-control conn-tabs">
      <legend className="sr">{t('Which connectors')}</legend>
      {TABS.map((tab) => {
        const count = countOf(items, tab);
        return (
          <button
            key={tab}
            type="button"
            className={`bp6-button bp6-segment ${tab === view.tab ? 'is-on' : ''}`}
            aria-pressed={tab === view.tab}
            onClick={() => onView({ tab })}
          >
            {t(TAB_WORDS[tab])}
            {count !== undefined && count > 0 && <span className="muted tn">{formatNumber(count)}</span>}
          </button>
        );
      })}
    </fieldset>
  );
}

/** Search, categories and tabs of the catalogue; all in the address. */
export const CatalogueBar = observer(function CatalogueBar({ items, view, onView }: CatalogueBarProps) {
  const onSearch = useCallback((search: string) => onView({ search }, true), [onView]);
  const options = CATEGORY_KEYS.flatMap((value) => {
    const count = items.filter(({ attributes }) => attributes.category === value).length;
    return count === 0 ? [] : [{ value, label: categoryTitle(value), count }];
  });
  const choose = (chosen: readonly string[]) =>
    onView({ categories: CATEGORY_KEYS.filter((key) => chosen.includes(key)) });
  const isNarrowed = view.search !== '' || view.categories.length > 0 || view.tab !== 'all';
  return (
    <search>
      <div className="fbar">
        <SearchField
          label={t('Search connectors')}
          placeholder={t('Search name, category or tool')}
          search={view.search}
          onSearch={onSearch}
        />
        <OptionSelect label={t('Category')} options={options} selected={view.categories} onChange={choose} isMultiple />
        <Tabs items={items} view={view} onView={onView} />
        {isNarrowed && (
          <span className="fcount" role="status">
            {plural(items.length, '{shown} of {count} connector', '{shown} of {count} connectors', {
              shown: shownItems(items, view).length,
            })}
          </span>
        )}
      </div>
      {view.categories.length > 0 && (
        <div className="fbar chips">
          {view.categories.map((key) => (
            <FilterChip
              key={key}
              label={t('Category')}
              value={categoryTitle(key)}
              onRemove={() => choose(view.categories.filter((other) => other !== key))}
            />
          ))}
          {view.categories.length > 1 && (
            <button type="button" className="link" onClick={() => choose([])}>
              {t('Clear all')}
            </button>
          )}
        </div>
      )}
    </search>
  );
});
