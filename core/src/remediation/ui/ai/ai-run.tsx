import { Button, Spinner } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { formatAmount, formatCost } from '../../../platform/ui/display/formats.ts';
import type { FixStore, Remediation } from '../fix.store.ts';
import './ai-run.css';

const repairText = (why: string): string => `The first answer could not be used: ${why}`;

const progressText = ({ progress }: FixStore): string => {
  if (progress === undefined) return 'The fix is being made.';
  const { model, repaired } = progress;
  return repaired === null ? `${model} is asked for the fix.` : `${model} is asked once more. ${repairText(repaired)}`;
};

interface FixRunProps {
  store: FixStore;
  mayFix: boolean;
}

/** A generation that is under way, by whomever: how far it is, and how to end it. */
export const FixRun = observer(function FixRun({ store, mayFix }: FixRunProps) {
  if (!store.isGenerating) return null;
  const characters = store.progress?.characters ?? 0;
  return (
    <div className="fix-run">
      <Spinner size={16} aria-hidden={true} />
      <div className="grow">
        <p role="status">{progressText(store)}</p>
        {characters > 0 && <p className="t2 small tn">{formatAmount(characters, 'character')} have arrived.</p>}
      </div>
      {mayFix && store.canCancel && (
        <Button text="Cancel" loading={store.isCancelling} onClick={() => void store.cancel()} />
      )}
    </div>
  );
});

/** Which model wrote a fix or was asked for it, in how many tries, and what that took; nothing where it was made without one. */
export function AiShareLine({ attributes }: { attributes: Remediation['attributes'] }) {
  const { ai, processing_status: status } = attributes;
  if (ai === null) return null;
  const { model, input_tokens: read, output_tokens: written, cost_usd: cost, repaired } = ai;
  return (
    <div className="t2 small">
      <p className="tn">
        {status === 'failed' ? 'Asked' : 'Written by'} <span className="strong">{model}</span>
        {` · ${formatAmount(read, 'token')} read, ${formatAmount(written, 'token')} written`}
        {cost !== null && ` · ${formatCost(cost)}`}
      </p>
      {repaired !== null && <p>Second try. {repairText(repaired)}</p>}
    </div>
  );
}
