import { Button, PopoverNext, PopupKind } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useIsNarrow } from '../../../platform/ui/use-media.ts';
import { type ListKey, selectedValues } from '../filter-facets.ts';
import { QUICK_FILTERS } from '../filter-groups.ts';
import { type Filters, isOpenStatus } from '../finding-view.ts';
import type { FindingsStore } from '../findings.store.ts';
import { FILTER_LABELS } from '../words.ts';
import { FilterOptions } from './filter-options.tsx';

interface QuickFilterProps {
  store: FindingsStore;
  field: ListKey;
  onChange: (filters: Filters) => void;
}

const QuickFilter = observer(function QuickFilter({ store, field, onChange }: QuickFilterProps) {
  const { filters } = store.view;
  const isOpenOnly = field === 'status' && isOpenStatus(filters.status);
  const count = isOpenOnly ? 0 : selectedValues(filters, field).length;
  const label = FILTER_LABELS[field];
  return (
    <PopoverNext
      placement="bottom-start"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.DIALOG}
      shouldReturnFocusOnClose={true}
      popoverClassName="select-popover"
      content={
        <div role="dialog" aria-label={label} className="quick-filter">
          <FilterOptions store={store} field={field} onChange={onChange} hasFocus={true} />
        </div>
      }
    >
      <Button
        text={label}
        endIcon={<CaretDown aria-hidden={true} />}
        aria-label={count === 0 ? `Filter by ${label}` : `Filter by ${label}, ${count} chosen`}
      />
    </PopoverNext>
  );
});

/** The filters most used, each a click away; where there is no room for them, "All filters" has them. */
export function QuickFilters({ store, onChange }: Omit<QuickFilterProps, 'field'>) {
  if (useIsNarrow()) return null;
  return (
    <span className="row quick-filters">
      {QUICK_FILTERS.map((field) => (
        <QuickFilter key={field} store={store} field={field} onChange={onChange} />
      ))}
    </span>
  );
}
