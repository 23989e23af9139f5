import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useService } from '../../platform/ui/data/services.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { AskAi } from './ai/ask-ai.tsx';
import { useAiUsage } from './ai/use-ai-usage.ts';
import type { FixStore, TicketTarget } from './fix.store.ts';
import { ApplySettings, useSettable } from './setting-fix.tsx';

const WEBHOOK = 'webhook';

interface TicketButtonProps {
  store: FixStore;
  /** Left out: the server chooses. */
  target?: TicketTarget;
}

const TicketButton = observer(function TicketButton({ store, target }: TicketButtonProps) {
  const toasts = useService(TOASTS);
  const sent = store.remediation?.attributes.tickets.find(({ connector_id }) => connector_id === target?.connector_id);
  // one that is there is shown with its state, and is not sent twice
  if (sent?.ticket != null && !sent.is_gone) return null;
  const send = async () => {
    const notice = await store.sendTicket(target?.connector_id);
    if (notice !== undefined) toasts.show(notice.message, { tone: notice.isProblem ? 'problem' : 'done' });
  };
  return (
    <Button
      variant="minimal"
      text={target === undefined || target.connector_id === WEBHOOK ? 'Send ticket' : `Send to ${target.title}`}
      title={target?.problem ?? undefined}
      loading={store.step === 'ticket'}
      disabled={store.step !== undefined || (target?.problem ?? null) !== null}
      onClick={() => void send()}
    />
  );
});

/** One act for each ticket system that is connected; without any, sending says what is missing. */
const TicketButtons = observer(function TicketButtons({ store }: { store: FixStore }) {
  useEffect(() => {
    void store.loadTargets();
  }, [store]);
  const { targets } = store;
  if (targets === undefined || targets.length === 0) return <TicketButton store={store} />;
  return targets.map((target) => <TicketButton key={target.connector_id} store={store} target={target} />);
});

export interface FixPartProps {
  store: FixStore;
  /** The status of the finding may be another one now. */
  onChanged: () => void;
}

interface FixActionsProps extends FixPartProps {
  /** What is not saved is not opened: everything waits for it. */
  isWaiting?: boolean;
}

/** Generates and opens the fix, or an issue in its place, and sends its ticket. */
export const FixActions = observer(function FixActions({ store, onChanged, isWaiting = false }: FixActionsProps) {
  const settings = useSettable(store);
  const { remediation, step, isReady } = store;
  const status = remediation?.attributes.processing_status;
  const usage = useAiUsage(status);
  const isOpen = status === 'pr_submitted' || status === 'issued';
  const isIssue = remediation?.attributes.remediation_type === 'issue';
  const openText = isIssue ? 'Open issue' : 'Open pull request';
  const run = async (work: Promise<boolean>) => {
    await work;
    onChanged();
  };
  if (store.isGenerating) return null;
  const isBusy = step !== undefined || isWaiting;
  const isFailed = status === 'failed';
  const isRetryByAi = isFailed && store.isRetryByAi && usage?.remediation.state === 'ready';
  const generateText = remediation === null ? 'Generate fix' : isFailed ? 'Try again' : 'Generate again';
  return (
    <div className="buttons">
      {settings !== null && <ApplySettings store={store} settings={settings} isBusy={isBusy} onDone={onChanged} />}
      {isReady && (
        <Button
          intent={settings === null ? 'primary' : 'none'}
          text={openText}
          title={`${openText} (p)`}
          loading={step === 'open'}
          disabled={isBusy}
          onClick={() => void run(store.open())}
        />
      )}
      {!isOpen && (
        <Button
          intent={remediation === null ? 'primary' : 'none'}
          text={generateText}
          title={isRetryByAi ? 'Ask AI again' : 'Generate the fix (r)'}
          disabled={isBusy}
          onClick={() => void run(isRetryByAi ? store.askAi() : store.generate('pull_request'))}
        />
      )}
      {!isOpen && !isRetryByAi && <AskAi usage={usage} isDisabled={isBusy} onAsk={() => void run(store.askAi())} />}
      {!isOpen && !(isReady && isIssue) && (
        <Button
          variant="minimal"
          text="Prepare an issue"
          disabled={isBusy}
          onClick={() => void run(store.generate('issue'))}
        />
      )}
      {(isReady || isOpen) && <TicketButtons store={store} />}
    </div>
  );
});
