import { Button, DialogBody, DialogFooter, HTMLSelect } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useId, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { DialogBox } from '../../../platform/ui/feedback/dialogs.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { isOpenStatus } from '../../model/facet-labels.ts';
import { FILTERS } from '../../model/filter-catalogue.ts';
import { VISIBILITIES, type Visibility } from '../../model/states.ts';
import { COLUMN_FILTERS, DATE_KEYS, type Filters, VISIBILITY_KEYS } from '../data/finding-view.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import { FILTER_GROUPS, type FilterField, type FilterGroup, selectedValues, withVisibility } from './filter-facets.ts';
import { FilterColumns, FilterDates, FilterRange } from './filter-inputs.tsx';
import { FilterOptions } from './filter-options.tsx';

const RANGE_TITLES = {
  priority: msg('Priority, 0 to 100'),
  fixing_effort: msg('Effort to fix, 0 to 100'),
  cvssv3_score: msg('CVSS score, 0 to 10'),
} as const;

const titleOf = (field: FilterField): string => {
  if (field.kind === 'options') return FILTERS[field.key].label;
  if (field.kind === 'range') return RANGE_TITLES[field.key];
  return { dates: msg('Date'), columns: msg('Columns of the place'), visibility: msg('Show or hide') }[field.kind];
};

const isSet = (filters: Filters, keys: readonly (keyof Filters)[]): number =>
  keys.filter((key) => filters[key] !== undefined && filters[key] !== 'show').length;

const activeIn = (filters: Filters, field: FilterField): number => {
  switch (field.kind) {
    case 'options':
      return field.key === 'status' && isOpenStatus(filters.status) ? 1 : selectedValues(filters, field.key).length;
    case 'range':
      return isSet(filters, [`${field.key}_gt`, `${field.key}_lt`]);
    case 'dates':
      return isSet(filters, DATE_KEYS);
    case 'columns':
      return isSet(filters, COLUMN_FILTERS);
    case 'visibility':
      return isSet(filters, [...VISIBILITY_KEYS, 'kev']);
  }
};

interface FieldProps {
  store: FindingsStore;
  field: FilterField;
  onChange: (filters: Filters) => void;
}

const Field = observer(function Field({ store, field, onChange }: FieldProps) {
  const { filters } = store.view;
  switch (field.kind) {
    case 'options':
      return <FilterOptions store={store} field={field.key} isLong={field.isLong ?? false} onChange={onChange} />;
    case 'range':
      return <FilterRange name={field.key} filters={filters} onChange={onChange} />;
    case 'dates':
      return <FilterDates filters={filters} onChange={onChange} />;
    case 'columns':
      return <FilterColumns filters={filters} onChange={onChange} />;
    case 'visibility':
      return <VisibilityFields filters={filters} onChange={onChange} />;
  }
});

const keyOf = (field: FilterField): string => ('key' in field ? field.key : field.kind);

const GroupFields = observer(function GroupFields({
  store,
  group,
  onChange,
}: Omit<FieldProps, 'field'> & { group: FilterGroup }) {
  const id = useId();
  return (
    <section className="filter-fields" aria-labelledby={id}>
      <h3 id={id} className="sr">
        {t(group.label)}
      </h3>
      {group.fields.map((field) => (
        <fieldset key={keyOf(field)} className="filter-field">
          <legend>{t(titleOf(field))}</legend>
          <Field store={store} field={field} onChange={onChange} />
        </fieldset>
      ))}
    </section>
  );
});

interface FilterDialogProps {
  store: FindingsStore;
  isOpen: boolean;
  onClose: () => void;
  onChange: (filters: Filters) => void;
  onClear: () => void;
}

/** Every filter there is, by group; each choice takes effect at once, and the button says what is left. */
export const FilterDialog = observer(function FilterDialog(props: FilterDialogProps) {
  const { store, isOpen, onClose, onChange, onClear } = props;
  const [shown, setShown] = useState('vulnerability_info');
  const group = FILTER_GROUPS.find(({ key }) => key === shown) ?? FILTER_GROUPS[0];
  const left =
    store.total === undefined
      ? t('Show findings')
      : plural(store.total, 'Show {count} findings', 'Show {count} findings');
  return (
    <DialogBox isOpen={isOpen} onClose={onClose} title={t('All filters')} className="filter-dialog">
      <DialogBody className="filter-dialog-body">
        <ul className="facet-names" aria-label={t('Groups of filters')}>
          {FILTER_GROUPS.map((one) => {
            const count = one.fields.reduce((sum, field) => sum + activeIn(store.view.filters, field), 0);
            return (
              <li key={one.key}>
                <button type="button" aria-pressed={one.key === shown} onClick={() => setShown(one.key)}>
                  <span className="trunc grow">{t(one.label)}</span>
                  {count > 0 && <span className="pill">{count}</span>}
                </button>
              </li>
            );
          })}
        </ul>
        {group !== undefined && <GroupFields key={group.key} store={store} group={group} onChange={onChange} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('Reset')} onClick={onClear} />
            <Button intent="primary" text={left} onClick={onClose} />
          </>
        }
      />
    </DialogBox>
  );
});

const KEYS = ['kev', ...VISIBILITY_KEYS] as const;
const WORDS: Record<Visibility, string> = { show: msg('Show'), hide: msg('Hide'), only: msg('Only these') };

interface VisibilityFieldProps {
  name: (typeof KEYS)[number];
  filters: Filters;
  onChange: (filters: Filters) => void;
}

function VisibilityField({ name, filters, onChange }: VisibilityFieldProps) {
  const id = useId();
  const handleChange = (value: string) =>
    onChange(withVisibility(filters, name, VISIBILITIES.find((one) => one === value) ?? 'show'));
  return (
    <div className="row visibility">
      <label className="grow" htmlFor={id}>
        {t(FILTERS[name].label)}
      </label>
      <HTMLSelect
        id={id}
        value={filters[name] ?? 'show'}
        onChange={(event) => handleChange(event.currentTarget.value)}
        options={VISIBILITIES.map((value) => ({ value, label: t(WORDS[value]) }))}
      />
    </div>
  );
}

interface VisibilityFieldsProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** Hide, show or only: groups of findings that a list may leave out. */
function VisibilityFields({ filters, onChange }: VisibilityFieldsProps) {
  return KEYS.map((name) => <VisibilityField key={name} name={name} filters={filters} onChange={onChange} />);
}
