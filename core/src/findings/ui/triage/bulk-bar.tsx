import { Button, ProgressBar } from '@blueprintjs/core';
import { BanCircle, Confirm, Cross, Shield, Tick, Undo, User, Wrench } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { t } from '../../../platform/ui/language/translate.ts';
import { CONFIRMATION_DONE, VERDICT_DONE } from '../../model/labels.ts';
import { AssessVerb } from '../detail/finding-fix.tsx';
import { useFindingsList } from './findings-context.ts';
import { selectedIn, type Target } from './target.ts';

/** Findings that the bar is about. */
export const useSelected = (): (() => Target) => {
  const { store, selection } = useFindingsList();
  return () => selectedIn(store, selection);
};

const Working = observer(function Working() {
  const { progress } = useFindingsList().triage;
  if (progress === undefined) return <span className="strong">{t('Working…')}</span>;
  const { done, refused, total, prepared } = progress;
  // fixes that are opened together are prepared one by one first
  const isPreparing = prepared > done + refused;
  const share = total === 0 ? 0 : Math.max(prepared, done + refused) / total;
  return (
    <>
      <span className="strong tn">
        {isPreparing
          ? t('{count} of {total} prepared', { count: prepared, total })
          : t('{count} of {total} done', { count: done, total })}
      </span>
      <ProgressBar className="bulk-progress" value={share} animate={false} stripes={false} aria-label={t('Progress')} />
      <span className="muted small">{t('It goes on when you leave this page.')}</span>
    </>
  );
});

const Outcome = observer(function Outcome() {
  const { triage } = useFindingsList();
  const { outcome } = triage;
  if (outcome === undefined) return null;
  return (
    <>
      <span className="strong tn">
        {t('{count} done, {refused} refused', { count: outcome.done, refused: outcome.refusedCount })}
      </span>
      <Button variant="minimal" text={t('Show why')} onClick={() => triage.ask({ kind: 'refused' })} />
      <Button variant="minimal" icon={<Cross />} aria-label={t('Close')} onClick={triage.dismissOutcome} />
    </>
  );
});

/** What can be said of verdicts that were carried over by position alone. */
const ConfirmVerbs = observer(function ConfirmVerbs() {
  const { triage } = useFindingsList();
  const selected = useSelected();
  const decide = (isConfirmed: boolean, done: string) =>
    void triage.change(selected(), { verdict_confirmed: isConfirmed }, done);
  const { confirmed, takenBack } = CONFIRMATION_DONE;
  return (
    <>
      <Button variant="minimal" icon={<Confirm />} text={t('Confirm')} onClick={() => decide(true, confirmed)} />
      <Button variant="minimal" icon={<Undo />} text={t('Take back')} onClick={() => decide(false, takenBack)} />
    </>
  );
});

const VerdictVerbs = observer(function VerdictVerbs() {
  const { triage } = useFindingsList();
  const selected = useSelected();
  return (
    <>
      <Button
        variant="minimal"
        icon={<BanCircle />}
        text={t('False positive')}
        onClick={() => triage.ask({ kind: 'verdict', verdict: 'false_positive', target: selected() })}
      />
      <Button
        variant="minimal"
        icon={<Shield />}
        text={t('Accept risk')}
        onClick={() => triage.ask({ kind: 'verdict', verdict: 'accepted_risk', target: selected() })}
      />
      <Button
        className="only-xl"
        variant="minimal"
        icon={<Tick />}
        text={t('Valid')}
        onClick={() => void triage.change(selected(), { verdict: { value: 'valid' } }, VERDICT_DONE.valid)}
      />
    </>
  );
});

const Verbs = observer(function Verbs() {
  const { store, selection, triage, mayDecide, mayFix, canAssign } = useFindingsList();
  const selected = useSelected();
  const total = store.total ?? 0;
  const count = selection.isAll ? total : selection.count;
  return (
    <>
      <span className="strong tn">{t('{count} selected', { count })}</span>
      {!selection.isAll && total > count && (
        <Button
          className="bulk-all"
          variant="minimal"
          text={t('Select all {count}', { count: total })}
          onClick={selection.pickAll}
        />
      )}
      <span className="sep" />
      <span className="bulk-break" />
      {mayFix && (
        <Button
          variant="minimal"
          icon={<Wrench />}
          text={t('Fix')}
          onClick={() => triage.ask({ kind: 'fix', target: selected() })}
        />
      )}
      {mayDecide && <VerdictVerbs />}
      {mayDecide && <AssessVerb onAsk={() => triage.ask({ kind: 'assess', target: selected() })} />}
      {mayDecide && store.view.filters.needs_confirmation === 'only' && <ConfirmVerbs />}
      {canAssign && (
        <Button
          variant="minimal"
          icon={<User />}
          text={t('Assign')}
          onClick={() => triage.ask({ kind: 'assign', target: selected() })}
        />
      )}
      <span className="sep" />
      <Button
        className="bulk-drop"
        variant="minimal"
        icon={<Cross />}
        aria-label={t('Drop the selection')}
        title={t('Drop the selection (Esc)')}
        onClick={selection.clear}
      />
    </>
  );
});

/** What can be done with the selected findings; while it is done, how far it is; then what was refused. */
export const BulkBar = observer(function BulkBar() {
  const { selection, triage } = useFindingsList();
  const hasJob = triage.progress !== undefined;
  const isWorking = hasJob ? selection.isEmpty : triage.isBusy && !selection.isEmpty;
  return (
    <div className="bulk" role="toolbar" aria-label={t('Selected findings')}>
      {isWorking ? <Working /> : selection.isEmpty ? <Outcome /> : <Verbs />}
    </div>
  );
});
