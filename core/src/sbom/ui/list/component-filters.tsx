import { observer } from 'mobx-react-lite';
import { OptionSelect } from '../../../platform/ui/forms/option-select.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { FilterChip } from '../../../platform/ui/page/page-layout.tsx';
import type { OnView } from '../../../platform/ui/page/use-address-view.ts';
import { LICENSE_CLASS_LABELS, LICENSE_CLASSES } from '../../model/license-classes.ts';
import type { ComponentView } from './component-view.ts';
import type { ComponentsStore } from './components.store.ts';

export interface ComponentFiltersProps {
  store: ComponentsStore;
  onView: OnView<ComponentView>;
}

/** Values that are chosen but match nothing any more stay in the list, so that they can be taken out. */
const withChosen = (rows: readonly { value: string; count: number }[], chosen: readonly string[]) => [
  ...rows.map(({ value, count }) => ({ value, count, label: value })),
  ...chosen
    .filter((value) => !rows.some((row) => row.value === value))
    .map((value) => ({ value, count: 0, label: value })),
];

/** Filters by class, licence and ecosystem, with how many components each value has. */
export const ComponentFilters = observer(function ComponentFilters({ store, onView }: ComponentFiltersProps) {
  const { view, facets } = store;
  const classes = LICENSE_CLASSES.map((value) => ({
    value,
    label: t(LICENSE_CLASS_LABELS[value]),
    count: facets?.license_class.find((row) => row.value === value)?.count ?? 0,
  }));
  return (
    <>
      <OptionSelect
        label={t('Application')}
        options={facets?.repository ?? []}
        selected={view.repository}
        isMultiple
        isLabelFixed
        onChange={(repository) => onView({ repository })}
      />
      <OptionSelect
        label={t('Licence class')}
        options={classes}
        selected={view.licenseClass}
        isMultiple
        isLabelFixed
        onChange={(chosen) => onView({ licenseClass: LICENSE_CLASSES.filter((value) => chosen.includes(value)) })}
      />
      <OptionSelect
        label={t('Licence')}
        options={withChosen(facets?.license ?? [], view.license)}
        selected={view.license}
        isMultiple
        isLabelFixed
        onChange={(license) => onView({ license })}
      />
      <OptionSelect
        label={t('Ecosystem')}
        options={withChosen(facets?.ecosystem ?? [], view.ecosystem)}
        selected={view.ecosystem}
        isMultiple
        isLabelFixed
        onChange={(ecosystem) => onView({ ecosystem })}
      />
    </>
  );
});

/** One chip for each active filter. */
export const ComponentChips = observer(function ComponentChips({
  store: { view, repositoryName },
  onView,
}: ComponentFiltersProps) {
  const chips = [
    { key: 'repository', label: t('Application'), values: view.repository.map(repositoryName) },
    { key: 'repositoryTag', label: t('Repository tag'), values: view.repositoryTag },
    {
      key: 'licenseClass',
      label: t('Licence class'),
      values: view.licenseClass.map((value) => t(LICENSE_CLASS_LABELS[value])),
    },
    { key: 'license', label: t('Licence'), values: view.license },
    { key: 'ecosystem', label: t('Ecosystem'), values: view.ecosystem },
  ] as const;
  return chips
    .filter(({ values }) => values.length > 0)
    .map(({ key, label, values }) => (
      <FilterChip key={key} label={label} value={values.join(', ')} onRemove={() => onView({ [key]: [] })} />
    ));
});
