import { observer } from 'mobx-react-lite';
import { type ComponentType, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog, DialogBox } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { OptionList } from '../../../platform/ui/forms/option-list.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { PeopleStore } from '../../../team/ui/index.ts';
import { MAX_FIXES_AT_ONCE } from '../../model/bulk-limits.ts';
import { VERDICT_DONE } from '../../model/labels.ts';
import { BulkAssessment, BulkFix, type BulkFixProps } from '../detail/finding-fix.tsx';
import { useFindingsList } from './findings-context.ts';
import { JoinDialog } from './join-dialog.tsx';
import { KeyTable, type ListKey } from './list-keys.tsx';
import { countOf, readTarget, type Target } from './target.ts';
import { ReviewDialog, VerdictDialog } from './verdict-dialog.tsx';

const RefusedDialog = observer(function RefusedDialog({ onClose }: { onClose: () => void }) {
  const { triage, hrefOf, store } = useFindingsList();
  const { outcome } = triage;
  if (outcome === undefined) return null;
  return (
    <DialogBox
      className="dialog"
      isOpen={true}
      onClose={onClose}
      title={t('{count} refused', { count: outcome.refusedCount })}
    >
      <ul className="refused">
        {outcome.refused.map(({ _id, why }) => (
          <li key={_id}>
            <Link to={hrefOf(_id)} onClick={onClose}>
              {store.titleOfRow(_id) ?? t('Open the finding')}
            </Link>
            <span className="t2">{t(why)}</span>
          </li>
        ))}
      </ul>
    </DialogBox>
  );
});

/** The one dialog that is asked for, whoever asked: a key, the bulk bar, the panel or the palette. */
export const TriageDialogs = observer(function TriageDialogs() {
  const { triage } = useFindingsList();
  const { asking } = triage;
  const close = () => triage.ask(undefined);
  const closing =
    <Given extends unknown[]>(work: (...given: Given) => unknown) =>
    (...given: Given): void => {
      close();
      void work(...given);
    };
  switch (asking?.kind) {
    case undefined:
      return null;
    case 'verdict':
      return (
        <VerdictDialog
          verdict={asking.verdict}
          {...(asking.reason === undefined ? {} : { proposedReason: asking.reason })}
          count={countOf(asking.target)}
          onClose={close}
          onDecide={closing((verdict) => triage.change(asking.target, { verdict }, VERDICT_DONE[asking.verdict]))}
        />
      );
    case 'assign':
      return (
        <AssignDialog
          count={countOf(asking.target)}
          onClose={close}
          onAssign={closing((developers) => triage.assign(asking.target, developers))}
        />
      );
    case 'fix':
      return <JobDialog target={asking.target} onClose={close} Dialog={BulkFix} />;
    case 'assess':
      return <JobDialog target={asking.target} onClose={close} Dialog={BulkAssessment} />;
    case 'review':
      return (
        <ReviewDialog onClose={close} onAsk={closing((verdict, reason) => triage.review(asking.id, verdict, reason))} />
      );
    case 'join':
      return (
        <JoinDialog
          id={asking.id}
          onClose={close}
          onJoin={closing((otherId, reason) => triage.join(asking.id, otherId, reason))}
        />
      );
    case 'refused':
      return <RefusedDialog onClose={close} />;
    case 'keys':
      return <KeysDialog onClose={close} />;
  }
});

interface JobDialogProps {
  target: Target;
  /** Says what will be done, and begins it. */
  Dialog: ComponentType<BulkFixProps>;
  onClose: () => void;
}

/** Ids of the findings meant; one more than a job takes where they are too many. */
const useIds = (target: Target, onClose: () => void): readonly string[] | undefined => {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [ids, setIds] = useState('ids' in target ? target.ids : undefined);
  useEffect(() => {
    if ('ids' in target) return undefined;
    const abort = new AbortController();
    void readTarget(api, target, { most: MAX_FIXES_AT_ONCE + 1, signal: abort.signal }).then(setIds, (error) => {
      if (isAbort(error)) return;
      toasts.showError(error);
      onClose();
    });
    return () => abort.abort();
  }, [api, toasts, target, onClose]);
  return ids;
};

/** Said before anything is begun. */
function TooManyDialog({ onClose }: { onClose: () => void }) {
  return (
    <DialogBox className="dialog" isOpen={true} title={t('Too many findings at once')} onClose={onClose}>
      <p className="b">
        {t(
          'These are more than {count} findings. Narrow the list with a filter, such as a repository or a severity, and take them in parts. Nothing was begun.',
          { count: MAX_FIXES_AT_ONCE },
        )}
      </p>
    </DialogBox>
  );
}

const JobDialog = observer(function JobDialog({ target, Dialog, onClose }: JobDialogProps) {
  const { triage } = useFindingsList();
  const ids = useIds(target, onClose);
  if (ids === undefined) return null;
  if (ids.length > MAX_FIXES_AT_ONCE) return <TooManyDialog onClose={onClose} />;
  return (
    <Dialog
      ids={ids}
      onClose={onClose}
      onStart={(start, done) => {
        onClose();
        void triage.runJob(start, done);
      }}
    />
  );
});

interface AssignDialogProps {
  count: number;
  onAssign: (developers: string[]) => void;
  onClose: () => void;
}

/** Asks to whom findings are sent. */
const AssignDialog = observer(function AssignDialog({ count, onAssign, onClose }: AssignDialogProps) {
  const api = useService(API);
  const [people] = useState(() => new PeopleStore(api));
  const [chosen, setChosen] = useState<string[]>([]);
  useEffect(() => void people.load(), [people]);
  const toggle = (id: string) =>
    setChosen((now) => (now.includes(id) ? now.filter((other) => other !== id) : [...now, id]));
  const { developers } = people;
  return (
    <ActionDialog
      isOpen={true}
      title={plural(count, 'Assign {count} finding', 'Assign {count} findings')}
      consequence={t('They get a notice and see what is assigned to them.')}
      actionLabel={chosen.length === 0 ? t('Choose a developer') : t('Assign')}
      isBusy={developers === undefined && people.error === undefined}
      isActionEnabled={chosen.length > 0}
      onAction={() => onAssign(chosen)}
      onClose={onClose}
    >
      {people.error !== undefined && (
        <ErrorState
          title={t('The developers could not be read')}
          error={people.error}
          onRetry={() => void people.load()}
        />
      )}
      {developers?.length === 0 && (
        <p className="muted">{t('The organisation has no developers yet. An admin invites them.')}</p>
      )}
      {developers !== undefined && developers.length > 0 && (
        <OptionList
          label={t('Developers')}
          options={developers}
          selected={chosen}
          onPick={toggle}
          isMultiple={true}
          isFilterable={true}
          hasFocus={true}
        />
      )}
    </ActionDialog>
  );
});

/** Every key of the list. */
function KeysDialog({ onClose }: { onClose: () => void }) {
  const { mayDecide, mayFix, canAssign, route } = useFindingsList();
  const isShown = (key: ListKey): boolean =>
    (mayDecide || key.isForDeciders === undefined) &&
    (mayDecide || mayFix || key.isSelecting === undefined) &&
    (canAssign !== false || key.isAssigning === undefined) &&
    !(route.isReadOnly && key.isAct === true);
  return (
    <DialogBox className="dialog" isOpen={true} onClose={onClose} title={t('Keys')}>
      <KeyTable isShown={isShown} />
      <p className="muted small keys-note">{t('None of them acts while you type or while a dialog is open.')}</p>
      <p className="small keys-note">
        <Link to="/help" onClick={onClose}>
          {t('Help and guide')}
        </Link>
      </p>
    </DialogBox>
  );
}
