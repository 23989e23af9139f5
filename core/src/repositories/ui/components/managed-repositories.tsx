import { Button } from '@blueprintjs/core';
import { GitRepo } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { API } from '../../../platform/ui/api-client.ts';
import { EmptyState } from '../../../platform/ui/empty-state.tsx';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { formatAmount } from '../../../platform/ui/number-format.ts';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { Pager } from '../../../platform/ui/pager.tsx';
import { SearchField } from '../../../platform/ui/search-field.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import {
  formatRepositoryView,
  PAGE_SIZE,
  parseRepositoryView,
  RepositoriesStore,
  type RepositoryView,
} from '../repositories.store.ts';
import { RepositoryTable } from './repository-table.tsx';
import '../repositories.css';

/** In the address: also repositories that wait, are being read or failed. */
const ALL = 'all';

const parseView = (params: URLSearchParams): RepositoryView => ({
  ...parseRepositoryView(params),
  isEnrichedOnly: params.get('status') !== ALL,
});

const formatView = (view: RepositoryView): URLSearchParams => {
  const params = formatRepositoryView(view);
  if (view.isEnrichedOnly !== true) params.set('status', ALL);
  return params;
};

interface BodyProps {
  store: RepositoriesStore;
  findingsPath: string;
  onView: (view: RepositoryView) => void;
}

const Body = observer(function Body({ store, findingsPath, onView }: BodyProps) {
  const { rows, view, error } = store;
  if (error !== undefined) {
    return <ErrorState title="The repositories could not be read" error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={52} label="Repositories" />;
  if (rows.length > 0) {
    return (
      <div className="list-scroll">
        <RepositoryTable rows={rows} view={view} onView={onView} findingsPath={findingsPath} />
      </div>
    );
  }
  const isNarrowed = view.search !== '' || view.isEnrichedOnly === true;
  return (
    <EmptyState
      icon={<GitRepo size={20} />}
      title={isNarrowed ? 'No repository matches' : 'No repository yet'}
      actions={
        isNarrowed ? (
          <Button text="Show all" onClick={() => onView({ ...view, search: '', page: 0, isEnrichedOnly: false })} />
        ) : (
          <Link className="bp6-button" to={findingsPath}>
            Findings of this client
          </Link>
        )
      }
    >
      {isNarrowed ? 'Repositories that were scanned are listed.' : 'This client has not imported a report.'}
    </EmptyState>
  );
});

export interface ManagedRepositoriesProps {
  clientId: string;
  /** List of findings that the figures lead to. */
  findingsPath: string;
  /** Names the client. */
  banner: ReactNode;
}

/** The repositories of a client, for a superadmin to read. */
export const ManagedRepositories = observer(function ManagedRepositories(props: ManagedRepositoriesProps) {
  const { clientId, findingsPath, banner } = props;
  const api = useService(API);
  const [params, setParams] = useSearchParams();
  const [store] = useState(() => new RepositoriesStore(api, clientId));
  useEffect(() => store.show(parseView(params)), [store, params]);
  useEffect(() => store.dispose, [store]);
  const onView = useCallback(
    (view: RepositoryView, isTyping = false) => setParams(formatView(view), { replace: isTyping }),
    [setParams],
  );
  const onSearch = useCallback((search: string) => onView({ ...store.view, search, page: 0 }, true), [onView, store]);
  const { view, total } = store;
  const isAll = view.isEnrichedOnly !== true;
  return (
    <div className="list-page">
      {banner}
      <PageHead title="Repositories">
        <Button
          variant="minimal"
          text={isAll ? 'Show scanned ones only' : 'Show all'}
          onClick={() => onView({ ...view, page: 0, isEnrichedOnly: isAll })}
        />
      </PageHead>
      <search className="fbar">
        <SearchField label="Search repositories" placeholder="Search name" search={view.search} onSearch={onSearch} />
        {store.rows !== undefined && (
          <span className="fcount" role="status">
            {formatAmount(total, 'repository', 'repositories')}
          </span>
        )}
        <Pager page={view.page} pageSize={PAGE_SIZE} total={total} onPage={(page) => onView({ ...view, page })} />
      </search>
      <div className="list-body">
        <Body store={store} findingsPath={findingsPath} onView={onView} />
      </div>
    </div>
  );
});
