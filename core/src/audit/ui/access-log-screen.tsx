import { Button } from '@blueprintjs/core';
import { EyeOpen } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Time } from '../../platform/ui/display/badges.tsx';
import { deviceText } from '../../platform/ui/display/device-text.ts';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { SearchField } from '../../platform/ui/forms/search-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { ACCESS_VIEW, type Access, AccessLogStore } from './access-log.store.ts';
import { accessText } from './access-text.ts';
import './audit.css';

function AccessRow({ attributes }: { attributes: Access['attributes'] }) {
  const { at, actor, client_id, organization_name, details, address, device } = attributes;
  const path = String(details['path'] ?? '');
  return (
    <li className="access-entry">
      <span className="what">
        <Link className="strong" to={`/manage-clients/audit/${client_id}`}>
          {organization_name}
        </Link>
        <span> {accessText(path)}</span>
        <span className="mono small muted path" title={path}>
          {path}
        </span>
      </span>
      <span className="who">{actor}</span>
      <span className="muted small from">
        {[address, device === null ? null : deviceText(device)].filter((part) => part !== null).join(' · ')}
      </span>
      <span className="muted small when">
        <Time value={at} />
      </span>
    </li>
  );
}

const Body = observer(function Body({ store, onClear }: { store: AccessLogStore; onClear: () => void }) {
  const { rows, error, nextCursor, search } = store;
  if (error !== undefined)
    return <ErrorState title={t('The access log could not be read')} error={error} onRetry={() => void store.load()} />;
  if (rows === undefined) return <SkeletonRows rows={8} rowHeight={44} label={t('Access log')} />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<EyeOpen size={20} />}
        title={search === '' ? t('Nobody has looked inside an organisation') : t('No entry matches')}
        actions={search === '' ? undefined : <Button text={t('Show everything')} onClick={onClear} />}
      >
        {t('Whatever a superadmin reads inside an organisation is written down before it is shown.')}
      </EmptyState>
    );
  }
  return (
    <div className="list-scroll">
      <ul className="audit-entries" aria-label={t('Access log')}>
        {rows.map(({ _id, attributes }) => (
          <AccessRow key={_id} attributes={attributes} />
        ))}
      </ul>
      <p className="audit-end muted small">
        {nextCursor === null ? (
          t('That is all: each organisation says how long its entries are kept.')
        ) : (
          <Button text={t('Show older entries')} loading={store.isLoadingMore} onClick={() => void store.loadMore()} />
        )}
      </p>
    </div>
  );
});

/** `/platform/access-log`: what superadmins read inside organisations. */
export const AccessLogScreen = observer(function AccessLogScreen() {
  const api = useService(API);
  const [shown, onView] = useAddressView(ACCESS_VIEW);
  const [store] = useState(() => new AccessLogStore(api));
  useEffect(() => store.show(shown), [store, shown]);
  useEffect(() => store.dispose, [store]);
  const onSearch = useCallback((search: string) => onView({ search }, true), [onView]);
  return (
    <div className="list-page">
      <PageHead title={t('Access log')} />
      <search className="fbar audit-filters">
        <SearchField
          label={t('Search the access log')}
          placeholder={t('Search name or path')}
          search={store.search}
          onSearch={onSearch}
        />
      </search>
      <div className="list-body">
        <Body store={store} onClear={() => onView({ search: '' })} />
      </div>
    </div>
  );
});
