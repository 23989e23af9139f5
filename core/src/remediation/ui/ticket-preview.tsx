import { Callout } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { visibleText } from '../../platform/model/visible-text.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import type { FixStore, TicketTarget } from './fix.store.ts';

interface TicketPreviewProps {
  store: FixStore;
  target: TicketTarget;
  sendText: string;
  /** Something else is under way, or nothing can be sent there now. */
  isBusy: boolean;
  onSend: () => void;
  onClose: () => void;
}

type Draft = Readonly<Record<string, string>>;

/** Fields of a ticket with what they would say; texts of reports are shown as they are. */
function DraftFields({ draft }: { draft: Draft }) {
  return (
    <dl className="ticket-draft">
      {Object.entries(draft).map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text === '' ? <span className="muted">{t('Empty')}</span> : visibleText(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the ticket of a fix would say, before it is sent. */
export const TicketPreview = observer(function TicketPreview(props: TicketPreviewProps) {
  const { store, target, sendText, isBusy, onSend, onClose } = props;
  const { connector_id: connectorId, title, problem } = target;
  const [draft, setDraft] = useState<Draft>();
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  useEffect(() => {
    const reading = new AbortController();
    store.previewTicket(connectorId, reading.signal).then(setDraft, (error) => {
      if (!reading.signal.aborted) setRefusals(messagesOf(error));
    });
    return () => reading.abort();
  }, [store, connectorId]);
  return (
    <ActionDialog
      isOpen={true}
      title={t('Preview for {name}', { name: title })}
      consequence={t('Nothing has been sent yet.')}
      actionLabel={sendText}
      isActionEnabled={draft !== undefined && !isBusy}
      isBusy={store.step === 'ticket'}
      onAction={onSend}
      onClose={onClose}
    >
      {problem !== null && <Callout intent="warning">{t(problem)}</Callout>}
      {refusals.map((refusal) => (
        <Callout key={refusal} intent="danger" role="alert">
          {refusal}
        </Callout>
      ))}
      {draft !== undefined && <DraftFields draft={draft} />}
      {draft === undefined && refusals.length === 0 && (
        <SkeletonRows rows={3} rowHeight={32} label={t('Preview ticket')} />
      )}
    </ActionDialog>
  );
});
