import { Button, Spinner } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { formatCost } from '../../../platform/ui/display/formats.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import type { FixStore, Remediation } from '../fix.store.ts';
import { tokensText } from './tokens-text.ts';
import './ai-run.css';

const repairText = (why: string): string => t('The first answer could not be used: {why}', { why: t(why) });

const progressText = ({ progress }: FixStore): string => {
  if (progress === undefined) return t('The fix is being made.');
  const { model, repaired } = progress;
  return repaired === null
    ? t('{model} is asked for the fix.', { model })
    : `${t('{model} is asked once more.', { model })} ${repairText(repaired)}`;
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
        {characters > 0 && (
          <p className="t2 small tn">
            {plural(characters, '{count} character has arrived.', '{count} characters have arrived.')}
          </p>
        )}
      </div>
      {mayFix && store.canCancel && (
        <Button text={t('Cancel')} loading={store.isCancelling} onClick={() => void store.cancel()} />
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
        <Words
          of={status === 'failed' ? msg('Asked: {model}') : msg('Written by {model}')}
          model={<span className="strong">{model}</span>}
        />
        {` · ${tokensText(read, written)}`}
        {cost !== null && ` · ${formatCost(cost)}`}
      </p>
      {repaired !== null && (
        <p>
          {t('Second try.')} {repairText(repaired)}
        </p>
      )}
    </div>
  );
}
