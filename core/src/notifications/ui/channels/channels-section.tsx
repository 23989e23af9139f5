import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { SEVERITY_LABELS } from '../../../platform/model/severity.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { NOTIFICATION_LABELS, NOTIFICATION_TYPES, type NotificationType } from '../../model/notification-types.ts';
import { type ChannelChange, ChannelsStore, type NotificationChannel } from './channels.store.ts';
import './channels.css';

interface ChannelProps {
  channel: NotificationChannel;
  mayChange: boolean;
  onSave: (change: ChannelChange) => void;
}

const toggled = (types: readonly NotificationType[], type: NotificationType): NotificationType[] =>
  types.includes(type) ? types.filter((one) => one !== type) : [...types, type];

function ChannelChoice({ channel, mayChange, onSave }: ChannelProps) {
  const { title, notification_types: chosen, min_severity } = channel;
  return (
    <>
      <fieldset className="channel-types" disabled={!mayChange}>
        <legend className="sr">{t('What {channel} is told', { channel: title })}</legend>
        {NOTIFICATION_TYPES.map((type) => (
          <Checkbox
            key={type}
            label={t(NOTIFICATION_LABELS[type])}
            checked={chosen.includes(type)}
            disabled={!mayChange}
            onChange={() => onSave({ notification_types: toggled(chosen, type) })}
          />
        ))}
      </fieldset>
      <div className="row channel-severity">
        <span className="t2">{t('Least severity')}</span>
        <HTMLSelect
          aria-label={t('Least severity: {channel}', { channel: title })}
          value={min_severity ?? ''}
          disabled={!mayChange}
          options={[
            { value: '', label: t('All') },
            ...SEVERITIES.map((value) => ({ value, label: t(SEVERITY_LABELS[value]) })),
          ]}
          onChange={({ currentTarget }) =>
            onSave({ min_severity: SEVERITIES.find((one) => one === currentTarget.value) ?? null })
          }
        />
        <span className="muted small">
          {t('Of notifications that have a severity. Others, such as a failed scan, are always sent.')}
        </span>
      </div>
    </>
  );
}

interface FailuresProps {
  channel: NotificationChannel;
  mayChange: boolean;
  onResend: () => void;
}

function Failures({ channel: { failed, title }, mayChange, onResend }: FailuresProps) {
  if (failed.count === 0) return null;
  return (
    <div className="row channel-failed" role="status">
      <span className="err">
        {plural(failed.count, '{count} message was not sent.', '{count} messages were not sent.')} {failed.reason}
      </span>
      {mayChange && (
        <Button
          size="small"
          text={t('Send again')}
          aria-label={t('Send again: {channel}', { channel: title })}
          onClick={onResend}
        />
      )}
    </div>
  );
}

interface CardProps {
  channel: NotificationChannel;
  store: ChannelsStore;
  mayChange: boolean;
}

const ChannelCard = observer(function ChannelCard({ channel, store, mayChange }: CardProps) {
  const toasts = useService(TOASTS);
  const [isTesting, setIsTesting] = useState(false);
  const { title, name, address, is_configured: isConfigured, problem } = channel;
  const card = `/connector/providers?open=${encodeURIComponent(address)}`;
  const run = (action: Promise<unknown>) => action.catch((error: unknown) => toasts.showError(error));
  const test = async () => {
    setIsTesting(true);
    await run(store.test(channel).then(() => toasts.show(t('The test message was sent'), { tone: 'done' })));
    setIsTesting(false);
  };
  return (
    <section className="channel" aria-label={title}>
      <div className="row channel-head">
        <h3>{title}</h3>
        {isConfigured && name !== null && <span className="t2">{name}</span>}
        <span className="grow" />
        <Link to={card}>
          {isConfigured ? t('Connection') : t('Connect {channel}', { channel: title })}
          {isConfigured && <span className="sr">: {title}</span>}
        </Link>
        {isConfigured && mayChange && (
          <Button
            text={t('Send a test')}
            aria-label={t('Send a test: {channel}', { channel: title })}
            loading={isTesting}
            disabled={problem !== null}
            onClick={() => void test()}
          />
        )}
      </div>
      {isConfigured && problem !== null && <p className="err">{t(problem)}</p>}
      {isConfigured && (
        <>
          <Failures
            channel={channel}
            mayChange={mayChange}
            onResend={() =>
              void run(
                store.resend(channel).then((count) => {
                  toasts.show(plural(count, '{count} message is sent again', '{count} messages are sent again'));
                }),
              )
            }
          />
          <ChannelChoice
            channel={channel}
            mayChange={mayChange}
            onSave={(change) => void run(store.save(channel, change))}
          />
        </>
      )}
    </section>
  );
});

/** Channels of the organisation: what each is told. Admins choose; others who may see settings look. */
export const ChannelsSection = observer(function ChannelsSection() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new ChannelsStore(api));
  const mayRead = can(user?.role, 'settings.read');
  useEffect(() => {
    if (mayRead) void store.load();
    return store.dispose;
  }, [store, mayRead]);
  if (!mayRead) return null;
  const mayChange = can(user?.role, 'settings.write');
  const { rows, error } = store;
  return (
    <section className="channels" aria-labelledby="channels-title">
      <h2 id="channels-title">{t('Channels of the organisation')}</h2>
      <p className="t2">
        {t('Everybody in a channel reads what it is told, whatever they may open here.')}
        {!mayChange && ` ${t('Admins choose what that is.')}`}
      </p>
      {error !== undefined && (
        <ErrorState title={t('The channels could not be read')} error={error} onRetry={() => void store.load()} />
      )}
      {error === undefined && rows === undefined && <SkeletonRows rows={2} rowHeight={64} label={t('Channels')} />}
      {error === undefined &&
        rows?.map((channel) => (
          <ChannelCard key={channel.connector_id} channel={channel} store={store} mayChange={mayChange} />
        ))}
    </section>
  );
});
