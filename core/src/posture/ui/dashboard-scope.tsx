import { observer } from 'mobx-react-lite';
import { useSearchParams } from 'react-router-dom';
import { useService } from '../../platform/ui/data/services.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { FilterChip } from '../../platform/ui/page/page-layout.tsx';
import { SCOPE, type Scope } from '../../shell/ui/navigation/scope.store.ts';
import type { FindingFilters } from '../model/charts.ts';
import type { DashboardStore } from './dashboard.store.ts';

/** The one repository or tag that figures are narrowed to; undefined for all and for several. */
export const soleScope = ({ repository = [], repository_tag = [] }: FindingFilters): Scope | undefined => {
  const [first, ...others] = [
    ...repository.map((value) => ({ kind: 'repository' as const, value, label: value })),
    ...repository_tag.map((value) => ({ kind: 'tag' as const, value, label: value })),
  ];
  return others.length === 0 ? first : undefined;
};

/** Names of the repositories that figures are narrowed to: as the switch or the chart of repositories tells them. */
const useRepositoryNames = (store: DashboardStore): string => {
  const { current } = useService(SCOPE);
  const sole = soleScope(store.charts.scope);
  if (sole !== undefined && sole.kind === current?.kind && sole.value === current.value) return current.label;
  const told = store.charts.readings.get('repositories')?.chart?.labels ?? [];
  return told.length === 0 ? '…' : told.join(', ');
};

/** Says which repositories the figures are about, where not about all, and leads back to all. */
export const DashboardScope = observer(function DashboardScope({ store }: { store: DashboardStore }) {
  const [, setAddress] = useSearchParams();
  const { repository, repository_tag } = store.charts.scope;
  const names = useRepositoryNames(store);
  const without = (key: string) => () =>
    setAddress((before) => new URLSearchParams([...before].filter(([name]) => name !== key)));
  if (repository === undefined && repository_tag === undefined) return null;
  return (
    <div className="row chips">
      {repository !== undefined && (
        <FilterChip label={t('Repository')} value={names} onRemove={without('repository')} />
      )}
      {repository_tag !== undefined && (
        <FilterChip
          label={t('Repository tag')}
          value={repository_tag.join(', ')}
          onRemove={without('repository_tag')}
        />
      )}
    </div>
  );
});
