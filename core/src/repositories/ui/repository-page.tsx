import { observer } from 'mobx-react-lite';
import { type ReactNode, useCallback } from 'react';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { SearchField } from '../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import type { OnView } from '../../platform/ui/page/use-address-view.ts';
import type { RepositoryItem } from './parts/repository-display.tsx';
import { PAGE_SIZE, type RepositoriesStore, type RepositoryView } from './repositories.store.ts';
import './repositories.css';

interface FiltersProps {
  store: RepositoriesStore;
  onView: OnView<RepositoryView>;
  children: ReactNode;
}

const Filters = observer(function Filters({ store, onView, children }: FiltersProps) {
  const { rows, view, total } = store;
  const onSearch = useCallback((search: string) => onView({ search, page: 0 }, true), [onView]);
  return (
    <search className="fbar">
      <SearchField
        label={t('Search repositories')}
        placeholder={t('Search name')}
        search={view.search}
        onSearch={onSearch}
      />
      {children}
      {rows !== undefined && (
        <span className="fcount" role="status">
          {plural(total, '{count} repository', '{count} repositories')}
        </span>
      )}
      <Pager page={view.page} pageSize={PAGE_SIZE} total={total} onPage={(page) => onView({ page })} />
    </search>
  );
});

interface ListProps {
  store: RepositoriesStore;
  /** Shows what was read, which may be nothing. */
  children: (rows: RepositoryItem[]) => ReactNode;
}

const List = observer(function List({ store, children }: ListProps) {
  const { rows, error } = store;
  if (error !== undefined) {
    return (
      <ErrorState title={t('The repositories could not be read')} error={error} onRetry={() => void store.load()} />
    );
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={52} label={t('Repositories')} />;
  return children(rows);
});

interface RepositoryPageProps extends ListProps {
  onView: OnView<RepositoryView>;
  /** Beside the search. */
  filters?: ReactNode;
  /** Beside the heading. */
  action: ReactNode;
  /** Above the heading. */
  banner?: ReactNode;
}

/** A page of repositories: heading, search, how many, and the list with its waiting and its error. */
export const RepositoryPage = ({ store, onView, action, filters, banner, children }: RepositoryPageProps) => (
  <div className="list-page">
    {banner}
    <PageHead title={t('Repositories')}>{action}</PageHead>
    <Filters store={store} onView={onView}>
      {filters}
    </Filters>
    <div className="list-body">
      <List store={store}>{children}</List>
    </div>
  </div>
);
