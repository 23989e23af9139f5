import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useService } from '../../platform/ui/data/services.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import type { FixStore, TicketTarget } from './fix.store.ts';
import { TicketPreview } from './ticket-preview.tsx';

const WEBHOOK = 'webhook';

interface TicketButtonProps {
  store: FixStore;
  /** Left out: the server chooses. */
  target?: TicketTarget;
}

/** Sends the ticket, at once or after a look at what it says. */
const TicketButton = observer(function TicketButton({ store, target }: TicketButtonProps) {
  const toasts = useService(TOASTS);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const sent = store.remediation?.attributes.tickets.find(({ connector_id }) => connector_id === target?.connector_id);
  // one that is there is shown with its state, and is not sent twice
  if (sent?.ticket != null && !sent.is_gone) return null;
  const send = async () => {
    const notice = await store.sendTicket(target?.connector_id);
    setIsPreviewed(false);
    if (notice !== undefined) toasts.show(notice.message, { tone: notice.isProblem ? 'problem' : 'done' });
  };
  const isWebhook = target === undefined || target.connector_id === WEBHOOK;
  const sendText = isWebhook ? t('Send ticket') : t('Send to {name}', { name: target.title });
  const isBusy = store.step !== undefined || (target?.problem ?? null) !== null;
  return (
    <>
      <Button
        variant="minimal"
        text={sendText}
        title={target?.problem ?? undefined}
        loading={store.step === 'ticket'}
        disabled={isBusy}
        onClick={() => void send()}
      />
      {target !== undefined && (
        <Button
          variant="minimal"
          text={isWebhook ? t('Preview ticket') : t('Preview for {name}', { name: target.title })}
          disabled={store.step !== undefined}
          onClick={() => setIsPreviewed(true)}
        />
      )}
      {isPreviewed && target !== undefined && (
        <TicketPreview
          {...{ store, target, sendText, isBusy }}
          onSend={() => void send()}
          onClose={() => setIsPreviewed(false)}
        />
      )}
    </>
  );
});

/** One act for each ticket system that is connected; without any, sending says what is missing. */
export const TicketButtons = observer(function TicketButtons({ store }: { store: FixStore }) {
  useEffect(() => {
    void store.loadTargets();
  }, [store]);
  const { targets } = store;
  if (targets === undefined || targets.length === 0) return <TicketButton store={store} />;
  return targets.map((target) => <TicketButton key={target.connector_id} store={store} target={target} />);
});
