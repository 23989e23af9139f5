import { Button } from '@blueprintjs/core';
import { Office, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { API } from '../../../platform/ui/api-client.ts';
import { EmptyState } from '../../../platform/ui/empty-state.tsx';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { formatAmount } from '../../../platform/ui/number-format.ts';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { Pager } from '../../../platform/ui/pager.tsx';
import { SearchField } from '../../../platform/ui/search-field.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { type OnView, useAddressView } from '../../../platform/ui/use-address-view.ts';
import { ClientsTable } from '../components/clients-table.tsx';
import { CLIENTS_VIEW, type ClientsView, ManagedClientsStore, PAGE_SIZE } from '../managed-clients.store.ts';
import '../managed-clients.css';

interface BodyProps {
  store: ManagedClientsStore;
  onView: OnView<ClientsView>;
}

const Body = observer(function Body({ store, onView }: BodyProps) {
  const { rows, view, error } = store;
  if (error !== undefined) {
    return <ErrorState title="The clients could not be read" error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={52} label="Clients" />;
  if (rows.length === 0 && view.search !== '') {
    return (
      <EmptyState
        icon={<Search size={20} />}
        title={`No client matches “${view.search}”`}
        actions={<Button text="Clear the search" onClick={() => onView({ search: '', page: 0 })} />}
      >
        Names of organisations and e-mails of their people are searched.
      </EmptyState>
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<Office size={20} />}
        title="No client on this page"
        actions={<Button text="To the first page" onClick={() => onView({ search: '', page: 0 })} />}
      >
        There are fewer clients than this address expects.
      </EmptyState>
    );
  }
  return (
    <div className="list-scroll">
      <ClientsTable rows={rows} />
    </div>
  );
});

/** All organisations, for the operator of the platform. */
export const ManageClientsScreen = observer(function ManageClientsScreen() {
  const api = useService(API);
  const [shown, onView] = useAddressView(CLIENTS_VIEW);
  const [store] = useState(() => new ManagedClientsStore(api));
  useEffect(() => store.show(shown), [store, shown]);
  useEffect(() => store.dispose, [store]);
  const onSearch = useCallback((search: string) => onView({ search, page: 0 }, true), [onView]);
  const { view, total } = store;
  return (
    <div className="list-page">
      <PageHead
        title="Clients"
        aside={
          <span className="muted small only-l">Inside a client you only read, and every look is written down.</span>
        }
      />
      <search className="fbar">
        <SearchField
          label="Search clients"
          placeholder="Search name or e-mail"
          search={view.search}
          onSearch={onSearch}
        />
        {store.rows !== undefined && (
          <span className="fcount" role="status">
            {formatAmount(total, 'client', 'clients')}
          </span>
        )}
        <Pager page={view.page} pageSize={PAGE_SIZE} total={total} onPage={(page) => onView({ page })} />
      </search>
      <div className="list-body">
        <Body store={store} onView={onView} />
      </div>
    </div>
  );
});
