import { observer } from 'mobx-react-lite';
import { type ComponentType, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { ActionDialog, DialogBox } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { OptionList } from '../../../platform/ui/forms/option-list.tsx';
import { PeopleStore } from '../../../team/ui/index.ts';
import { MAX_FIXES_AT_ONCE } from '../../model/bulk-limits.ts';
import { VERDICT_DONE } from '../../model/labels.ts';
import { readIds } from '../data/finding-queries.ts';
import { BulkAssessment, BulkFix, type BulkFixProps } from '../detail/finding-fix.tsx';
import { useFindingsList } from './findings-context.ts';
import { JoinDialog } from './join-dialog.tsx';
import { countOf, type Target } from './triage.store.ts';
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
      title={`${formatNumber(outcome.refusedCount)} refused`}
    >
      <ul className="refused">
        {outcome.refused.map(({ _id, why }) => (
          <li key={_id}>
            <Link to={hrefOf(_id)} onClick={onClose}>
              {store.titleOfRow(_id) ?? 'Open the finding'}
            </Link>
            <span className="t2">{why}</span>
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
    void readIds(api, target.view, { most: MAX_FIXES_AT_ONCE + 1, signal: abort.signal }).then(setIds, (error) => {
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
    <DialogBox className="dialog" isOpen={true} title="Too many findings at once" onClose={onClose}>
      <p className="b">
        These are more than {formatNumber(MAX_FIXES_AT_ONCE)} findings. Narrow the list with a filter, such as a
        repository or a severity, and take them in parts. Nothing was begun.
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
  const findings = count === 1 ? '1 finding' : `${formatNumber(count)} findings`;
  return (
    <ActionDialog
      isOpen={true}
      title={`Assign ${findings}`}
      consequence="They get a notice and see what is assigned to them."
      actionLabel={chosen.length === 0 ? 'Choose a developer' : 'Assign'}
      isBusy={developers === undefined && people.error === undefined}
      isActionEnabled={chosen.length > 0}
      onAction={() => onAssign(chosen)}
      onClose={onClose}
    >
      {people.error !== undefined && <p className="err">{people.error}</p>}
      {developers?.length === 0 && (
        <p className="muted">The organisation has no developers yet. An admin invites them.</p>
      )}
      {developers !== undefined && developers.length > 0 && (
        <OptionList
          label="Developers"
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
  const keys = LIST_KEYS.filter(
    (key) =>
      (mayDecide || key.isForDeciders === undefined) &&
      (mayDecide || mayFix || key.isSelecting === undefined) &&
      (canAssign || key.isAssigning === undefined) &&
      !(route.isReadOnly && key.isAct === true),
  );
  return (
    <DialogBox className="dialog" isOpen={true} onClose={onClose} title="Keys">
      <dl className="keys">
        {keys.map(({ keys: names, does }) => (
          <div key={does}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="muted small keys-note">None of them acts while you type or while a dialog is open.</p>
    </DialogBox>
  );
}

/** A key of the list and what it does, for the help and the palette. Keys that do nothing yet are not here. */
interface ListKey {
  keys: readonly string[];
  does: string;
  /** Only for those who decide. */
  isForDeciders?: true;
  /** Only for those who may do something with what is selected. */
  isSelecting?: true;
  /** Only where there is somebody to assign to. */
  isAssigning?: true;
  /** Nothing where the list may only be read. */
  isAct?: true;
}

const LIST_KEYS: readonly ListKey[] = [
  { keys: ['j'], does: 'Next finding' },
  { keys: ['k'], does: 'Previous finding' },
  { keys: ['Enter'], does: 'Open the finding' },
  { keys: ['Esc'], does: 'Close the panel, or drop the selection' },
  { keys: ['x'], does: 'Select the finding', isSelecting: true },
  { keys: ['Shift x'], does: 'Select everything from the last selected one to here', isSelecting: true },
  { keys: ['f'], does: 'False positive', isAct: true },
  { keys: ['a'], does: 'Assign to developers', isForDeciders: true, isAssigning: true },
  { keys: ['r'], does: 'Generate the fix of the open finding', isAct: true },
  { keys: ['p'], does: 'Show the fix of the open finding, then open its pull request', isAct: true },
  { keys: ['/'], does: 'Search the list' },
  { keys: ['?'], does: 'Show these keys' },
  { keys: ['Ctrl K', '⌘ K'], does: 'Go to a page, act, or find' },
];
