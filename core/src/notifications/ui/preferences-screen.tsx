import { HTMLSelect, Switch } from '@blueprintjs/core';
import { makeAutoObservable } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Static } from 'typebox';
import { msg } from '../../platform/model/message.ts';
import { API, type ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { getPreferences, type Preference as PreferenceSchema, savePreference } from '../api/routes.ts';
import { type Channels, EMAIL_CHOICES, type EmailChoice, NOTIFICATION_LABELS } from '../model/notification-types.ts';
import { ChannelsSection } from './channels/channels-section.tsx';
import './notifications.css';

type Preference = Static<typeof PreferenceSchema>;

const EMAIL_LABELS: Record<EmailChoice, string> = {
  off: msg('No e-mail'),
  immediate: msg('At once'),
  daily: msg('Once a day'),
  weekly: msg('Once a week'),
};

/** Where each kind of notification reaches this person. */
class PreferencesStore {
  rows: Preference[] | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(getPreferences, { signal }),
      ({ data }) => {
        this.rows = data;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  async save(row: Preference, change: Partial<Channels>): Promise<void> {
    const { notification_type } = row;
    this.replace({ ...row, ...change });
    try {
      this.replace((await this.#api.call(savePreference, { body: { notification_type, ...change } })).data);
    } catch (error) {
      this.replace(row);
      throw error;
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }

  private replace(row: Preference): void {
    this.rows = this.rows?.map((one) => (one.notification_type === row.notification_type ? row : one));
  }
}

interface RowProps {
  row: Preference;
  onSave: (row: Preference, change: Partial<Channels>) => void;
}

function PreferenceRow({ row, onSave }: RowProps) {
  const name = t(NOTIFICATION_LABELS[row.notification_type]);
  return (
    <tr>
      <td className="t">{name}</td>
      <td className="in-app">
        <Switch
          className="switch"
          checked={row.in_app}
          label={t('Show')}
          aria-label={t('Show in the application: {name}', { name })}
          onChange={({ currentTarget }) => onSave(row, { in_app: currentTarget.checked })}
        />
      </td>
      <td className="email">
        <HTMLSelect
          aria-label={t('E-mail: {name}', { name })}
          value={row.email}
          options={EMAIL_CHOICES.map((value) => ({ value, label: t(EMAIL_LABELS[value]) }))}
          onChange={({ currentTarget }) =>
            onSave(row, { email: EMAIL_CHOICES.find((one) => one === currentTarget.value) ?? 'off' })
          }
        />
      </td>
    </tr>
  );
}

/** `/settings/notifications`: by type, whether it is shown here and when it is mailed. */
export const PreferencesScreen = observer(function PreferencesScreen() {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [store] = useState(() => new PreferencesStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const save = (row: Preference, change: Partial<Channels>) =>
    void store.save(row, change).catch((error: unknown) => toasts.showError(error));
  const { rows, error } = store;
  return (
    <div className="canvas">
      <PageHead title={t('Notification preferences')}>
        <Link to="/notifications">{t('Notifications')}</Link>
      </PageHead>
      <section className="preferences" aria-label={t('Preferences')}>
        <p className="t2">{t('They are yours alone. Each change is saved at once.')}</p>
        {error !== undefined && (
          <ErrorState title={t('The preferences could not be read')} error={error} onRetry={() => void store.load()} />
        )}
        {error === undefined && rows === undefined && <SkeletonRows rows={8} rowHeight={52} label={t('Preferences')} />}
        {error === undefined && rows !== undefined && (
          <table className="bw-table">
            <colgroup>
              <col />
              <col className="col-in-app" />
              <col className="col-email" />
            </colgroup>
            <thead>
              <tr>
                <th>{t('Notification')}</th>
                <th>{t('In the application')}</th>
                <th>{t('E-mail')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <PreferenceRow key={row.notification_type} row={row} onSave={save} />
              ))}
            </tbody>
          </table>
        )}
      </section>
      <ChannelsSection />
    </div>
  );
});
