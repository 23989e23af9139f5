import { Button } from '@blueprintjs/core';
import { GitRepo } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { EmptyState } from '../../platform/ui/feedback/placeholders.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import type { RepositoryItem } from './parts/repository-display.tsx';
import {
  formatRepositoryView,
  parseRepositoryView,
  RepositoriesStore,
  type RepositoryView,
} from './repositories.store.ts';
import { RepositoryPage } from './repository-page.tsx';
import { RepositoryTable } from './repository-table.tsx';

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

const MANAGED_VIEW = { parse: parseView, format: formatView };

interface BodyProps {
  rows: RepositoryItem[];
  view: RepositoryView;
  findingsPath: string;
  onView: OnView<RepositoryView>;
}

const Body = observer(function Body({ rows, view, findingsPath, onView }: BodyProps) {
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
      title={isNarrowed ? t('No repository matches') : t('No repository yet')}
      actions={
        isNarrowed ? (
          <Button text={t('Show all')} onClick={() => onView({ search: '', page: 0, isEnrichedOnly: false })} />
        ) : (
          <Link className="bp6-button" to={findingsPath}>
            {t('Findings of this client')}
          </Link>
        )
      }
    >
      {isNarrowed ? t('Repositories that were scanned are listed.') : t('This client has not imported a report.')}
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
  const [shown, onView] = useAddressView(MANAGED_VIEW);
  const [store] = useState(() => new RepositoriesStore(api, clientId));
  useEffect(() => store.show(shown), [store, shown]);
  useEffect(() => store.dispose, [store]);
  const { view } = store;
  const isAll = view.isEnrichedOnly !== true;
  return (
    <RepositoryPage
      store={store}
      onView={onView}
      banner={banner}
      action={
        <Button
          variant="minimal"
          text={isAll ? t('Show scanned ones only') : t('Show all')}
          onClick={() => onView({ page: 0, isEnrichedOnly: isAll })}
        />
      }
    >
      {(rows) => <Body rows={rows} view={view} findingsPath={findingsPath} onView={onView} />}
    </RepositoryPage>
  );
});
