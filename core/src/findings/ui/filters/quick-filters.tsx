import { Button } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect } from 'react';
import { loadWhenIdle } from '../../../platform/ui/data/load-when-idle.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { isOpenStatus } from '../../model/facet-labels.ts';
import { FILTERS } from '../../model/filter-catalogue.ts';
import type { Filters } from '../data/finding-view.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import { type ListKey, QUICK_FILTERS, selectedValues } from './filter-facets.ts';

// The list shows without them: they come when a filter is opened, or before it.
const loadOptions = async () => ({ default: (await import('./filter-options.tsx')).FilterOptions });
const LazyOptions = lazy(loadOptions);

interface QuickFilterProps {
  store: FindingsStore;
  field: ListKey;
  onChange: (filters: Filters) => void;
}

const QuickFilter = observer(function QuickFilter({ store, field, onChange }: QuickFilterProps) {
  const { filters } = store.view;
  const isOpenOnly = field === 'status' && isOpenStatus(filters.status);
  const count = isOpenOnly ? 0 : selectedValues(filters, field).length;
  const label = t(FILTERS[field].label);
  return (
    <Popup
      kind="dialog"
      placement="bottom-start"
      className="select-popover"
      content={
        <div role="dialog" aria-label={label} className="quick-filter">
          <Suspense fallback={null}>
            <LazyOptions store={store} field={field} onChange={onChange} hasFocus={true} />
          </Suspense>
        </div>
      }
    >
      <Button
        text={label}
        endIcon={<CaretDown aria-hidden={true} />}
        aria-label={
          count === 0
            ? t('Filter by {filter}', { filter: label })
            : t('Filter by {filter}, {count} chosen', { filter: label, count })
        }
      />
    </Popup>
  );
});

/** The filters most used, each a click away; where there is no room for them, "All filters" has them. */
export function QuickFilters({ store, onChange }: Omit<QuickFilterProps, 'field'>) {
  useEffect(() => void loadWhenIdle(loadOptions), []);
  if (useIsNarrow()) return null;
  return (
    <span className="row quick-filters">
      {QUICK_FILTERS.map((field) => (
        <QuickFilter key={field} store={store} field={field} onChange={onChange} />
      ))}
    </span>
  );
}
