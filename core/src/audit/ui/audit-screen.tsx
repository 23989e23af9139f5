import { Button, HTMLSelect } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { AUDIT_GROUPS } from '../../platform/model/audit-kinds.ts';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { SearchField } from '../../platform/ui/forms/search-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { PeopleStore } from '../../team/ui/index.ts';
import { AUDIT_FORMATS } from '../api/routes.ts';
import { AUDIT_VIEW, AuditStore, type AuditView, PERIODS } from './audit.store.ts';
import { AuditList } from './audit-list.tsx';
import './audit.css';

const kindOptions = () => [
  { value: '', label: t('Everything') },
  ...AUDIT_GROUPS.map(({ id, label }) => ({ value: id, label: t(label) })),
];
const periodOptions = () => [
  { value: '', label: t('Any time') },
  ...PERIODS.map((days) => ({ value: String(days), label: days === 1 ? t('Today') : t('Last {days} days', { days }) })),
];

interface FilterProps {
  view: AuditView;
  onView: OnView<AuditView>;
  /** Members to filter by; absent where they are not known. */
  people: PeopleStore | undefined;
}

const Filters = observer(function Filters({ view, onView, people }: FilterProps) {
  const onSearch = useCallback((search: string) => onView({ search }, true), [onView]);
  const members = people?.members ?? [];
  return (
    <search className="fbar audit-filters">
      <SearchField
        label={t('Search the audit log')}
        placeholder={t('Search name, subject or address')}
        search={view.search}
        onSearch={onSearch}
      />
      <HTMLSelect
        aria-label={t('Kind')}
        value={view.group ?? ''}
        options={kindOptions()}
        onChange={({ currentTarget }) =>
          onView({ group: AUDIT_GROUPS.find(({ id }) => id === currentTarget.value)?.id })
        }
      />
      <HTMLSelect
        aria-label={t('Period')}
        value={view.days === undefined ? '' : String(view.days)}
        options={periodOptions()}
        onChange={({ currentTarget }) => onView({ days: PERIODS.find((days) => String(days) === currentTarget.value) })}
      />
      {people !== undefined && (
        <HTMLSelect
          aria-label={t('Person')}
          value={view.actor ?? ''}
          options={[{ value: '', label: t('Everybody') }, ...members]}
          onChange={({ currentTarget }) =>
            onView({ actor: currentTarget.value === '' ? undefined : currentTarget.value })
          }
        />
      )}
    </search>
  );
});

interface AuditScreenProps {
  /** Whose log a superadmin reads; the own without it. */
  clientId?: string;
  /** Above the page, such as whose data it is. */
  banner?: ReactNode;
}

/** `/settings/audit`: who did what, when and from where. */
export const AuditScreen = observer(function AuditScreen({ clientId, banner }: AuditScreenProps) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const { user } = useService(SESSION);
  const [shown, onView] = useAddressView(AUDIT_VIEW);
  const [store] = useState(() => new AuditStore(api, clientId));
  const knowsPeople = clientId === undefined && can(user?.role, 'team.read');
  const [people] = useState(() => (knowsPeople ? new PeopleStore(api) : undefined));
  useEffect(() => store.show(shown), [store, shown]);
  useEffect(() => {
    void people?.loadMembers();
    return store.dispose;
  }, [store, people]);
  return (
    <div className="list-page">
      {banner}
      <PageHead title={t('Audit log')}>
        {clientId === undefined &&
          AUDIT_FORMATS.map((format) => (
            <Button
              key={format}
              icon={<Download aria-hidden={true} />}
              text={format.toUpperCase()}
              aria-label={t('Export as {format}', { format: format.toUpperCase() })}
              loading={store.exporting === format}
              disabled={store.exporting !== undefined}
              onClick={() => void store.download(format).catch((error: unknown) => toasts.showError(error))}
            />
          ))}
      </PageHead>
      <Filters view={store.view} onView={onView} people={people} />
      <div className="list-body">
        <AuditList
          store={store}
          mayChange={clientId === undefined && can(user?.role, 'settings.write')}
          onClear={() => onView({ search: '', group: undefined, actor: undefined, days: undefined })}
        />
      </div>
    </div>
  );
});
