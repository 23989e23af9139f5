import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { t } from '../../platform/ui/language/translate.ts';
import { AskAi } from './ai/ask-ai.tsx';
import { useAiUsage } from './ai/use-ai-usage.ts';
import type { FixStore } from './fix.store.ts';
import { ApplySettings, useSettable } from './setting-fix.tsx';
import { TicketButtons } from './ticket-buttons.tsx';

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
  const openText = isIssue ? t('Open the issue') : t('Open pull request');
  const run = async (work: Promise<boolean>) => {
    await work;
    onChanged();
  };
  if (store.isGenerating) return null;
  const isBusy = step !== undefined || isWaiting;
  const isFailed = status === 'failed';
  const isRetryByAi = isFailed && store.isRetryByAi && usage?.remediation.state === 'ready';
  const generateText = remediation === null ? t('Generate fix') : isFailed ? t('Try again') : t('Generate again');
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
          title={isRetryByAi ? t('Ask AI again') : t('Generate the fix (r)')}
          disabled={isBusy}
          onClick={() => void run(isRetryByAi ? store.askAi() : store.generate('pull_request'))}
        />
      )}
      {!isOpen && !isRetryByAi && <AskAi usage={usage} isDisabled={isBusy} onAsk={() => void run(store.askAi())} />}
      {!isOpen && !(isReady && isIssue) && (
        <Button
          variant="minimal"
          text={t('Prepare an issue')}
          disabled={isBusy}
          onClick={() => void run(store.generate('issue'))}
        />
      )}
      {(isReady || isOpen) && <TicketButtons store={store} />}
    </div>
  );
});
