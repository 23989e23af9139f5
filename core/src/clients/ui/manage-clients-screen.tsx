import { Button } from '@blueprintjs/core';
import { Office, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SeverityShape, Time } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { SearchField } from '../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import {
  CLIENTS_VIEW,
  type ClientsView,
  type ManagedClientItem,
  ManagedClientsStore,
  PAGE_SIZE,
} from './managed-clients.store.ts';
import { managedFindings, managedOverview, managedRepositories } from './managed-links.ts';
import './managed-clients.css';

interface BodyProps {
  store: ManagedClientsStore;
  onView: OnView<ClientsView>;
}

const Body = observer(function Body({ store, onView }: BodyProps) {
  const { rows, view, error } = store;
  if (error !== undefined) {
    return <ErrorState title={t('The clients could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={52} label={t('Clients')} />;
  if (rows.length === 0 && view.search !== '') {
    return (
      <EmptyState
        icon={<Search size={20} />}
        title={t('No client matches “{search}”', { search: view.search })}
        actions={<Button text={t('Clear the search')} onClick={() => onView({ search: '', page: 0 })} />}
      >
        {t('Names of organisations and e-mails of their people are searched.')}
      </EmptyState>
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<Office size={20} />}
        title={t('No client on this page')}
        actions={<Button text={t('To the first page')} onClick={() => onView({ search: '', page: 0 })} />}
      >
        {t('There are fewer clients than this address expects.')}
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
        title={t('Clients')}
        aside={
          <span className="muted small only-l">
            {t('Inside a client you only read, and every look is written down.')}
          </span>
        }
      />
      <search className="fbar">
        <SearchField
          label={t('Search clients')}
          placeholder={t('Search name or e-mail')}
          search={view.search}
          onSearch={onSearch}
        />
        {store.rows !== undefined && (
          <span className="fcount" role="status">
            {plural(total, '{count} client', '{count} clients')}
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

/** What a figure counts; where columns have heads, those say it. */
const Unit = ({ children }: { children: string }) => (
  <span className="unit muted small" aria-hidden="true">
    {' '}
    {children}
  </span>
);

function ClientRow({ item: { _id, attributes } }: { item: ManagedClientItem }) {
  const { organization_name, legal_name, tier, users, open_findings, counts, repositories, last_scan } = attributes;
  const facts = [
    legal_name === organization_name ? '' : legal_name,
    tier,
    plural(users, '{count} user', '{count} users'),
  ];
  return (
    <tr>
      <td className="t">
        <Link className="ttl trunc" to={managedOverview(_id)}>
          {organization_name}
        </Link>
        <span className="muted small trunc">{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </td>
      <td className="open num">
        <Link
          to={managedFindings(_id)}
          aria-label={t('{open_findings} open findings of {organization_name}', {
            open_findings,
            organization_name,
          })}
        >
          {formatNumber(open_findings)}
        </Link>
        <Unit>{t('open')}</Unit>
      </td>
      <td className="critical num">
        {counts.critical === 0 ? (
          <span className="muted">0</span>
        ) : (
          <Link
            className="row"
            to={managedFindings(_id, 'critical')}
            aria-label={t('{critical} critical findings of {organization_name}', {
              critical: counts.critical,
              organization_name,
            })}
          >
            <SeverityShape severity="critical" />
            {formatNumber(counts.critical)}
          </Link>
        )}
        <Unit>{t('critical')}</Unit>
      </td>
      <td className="repositories num">
        <Link
          to={managedRepositories(_id)}
          aria-label={plural(
            repositories,
            '{count} repository of {organization_name}',
            '{count} repositories of {organization_name}',
            { organization_name },
          )}
        >
          {formatNumber(repositories)}
        </Link>
        <Unit>{plural(repositories, 'repository', 'repositories')}</Unit>
      </td>
      <td className="when">
        {last_scan === null ? <span className="muted">{t('Never')}</span> : <Time value={last_scan} />}
      </td>
    </tr>
  );
}

/** The organisations of the platform with what there is to do in each. */
function ClientsTable({ rows }: { rows: readonly ManagedClientItem[] }) {
  return (
    <table className="bw-table clients-table">
      <colgroup>
        <col />
        <col className="col-figure" />
        <col className="col-figure" />
        <col className="col-figure" />
        <col className="col-when" />
      </colgroup>
      <thead>
        <tr>
          <th>{t('Organisation')}</th>
          <th className="num">{t('Open findings')}</th>
          <th className="num">{t('Critical')}</th>
          <th className="num">{t('Repositories')}</th>
          <th>{t('Last scan')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((item) => (
          <ClientRow key={item._id} item={item} />
        ))}
      </tbody>
    </table>
  );
}
