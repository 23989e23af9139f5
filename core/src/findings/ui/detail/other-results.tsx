import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { locationOf, titleOf } from '../../model/finding-text.ts';
import { toolLabel } from '../../model/labels.ts';
import type { FindingDetailStore, FindingDetails } from '../data/finding-detail.store.ts';
import { useFindingsApi, useFindingsList } from '../triage/findings-context.ts';
import { ReasonField } from '../triage/reason-field.tsx';
import { SameIssueStore } from './correlation.store.ts';

type Occurrence = FindingDetails['occurrences'][number];

const SAME_TEXT = {
  duplicate: msg('Duplicate'),
  original: msg('Original'),
  subfinding: msg('Sub-finding'),
  parent: msg('Parent'),
} as const;

const SURE_TEXT = {
  likely: msg('likely the same'),
  certain: msg('the same'),
  person: msg('the same, as somebody decided'),
} as const;

/** Sends what a person decided, shows what came of it, and offers to take it back. */
const useDecisions = (detail: FindingDetailStore) => {
  const api = useFindingsApi();
  const toasts = useService(TOASTS);
  const { store } = useFindingsList();
  const [same] = useState(() => new SameIssueStore(api));
  const decide = async (change: () => Promise<void>, message: string, undo?: () => Promise<void>) => {
    try {
      await change();
      if (undo === undefined) toasts.show(message, { tone: 'done' });
      else toasts.showUndo(message, () => void decide(undo, t('Taken back')));
      store.reload();
      if (detail.id !== undefined) await detail.load(detail.id);
    } catch (error) {
      toasts.showError(error);
    }
  };
  return {
    same,
    split: (id: string, reason: string) =>
      decide(
        () => same.split(id, reason),
        t('1 is no duplicate'),
        () => same.undoSplit(id),
      ),
    undoSplit: (id: string) => decide(() => same.undoSplit(id), t('Split taken back')),
  };
};

interface OccurrenceProps {
  one: Occurrence;
  /** Absent where the caller may not decide. */
  onSplit?: (() => void) | undefined;
}

function OccurrenceRow({ one, onSplit }: OccurrenceProps) {
  const { hrefOf } = useFindingsList();
  return (
    <li>
      <div className="row">
        <Link to={hrefOf(one._id)}>{titleOf(one)}</Link>
        <span className="grow" />
        {onSplit !== undefined && one.certainty !== null && (
          <Button
            variant="minimal"
            size="small"
            text={t('Not the same')}
            aria-label={t('Not the same: {title}', { title: titleOf(one) })}
            onClick={onSplit}
          />
        )}
      </div>
      <div className="muted small">
        {t(SAME_TEXT[one.relation])}
        {one.certainty !== null && ` (${t(SURE_TEXT[one.certainty])})`}, {t(toolLabel(one.tool))}
        {one.file_path !== null && `, ${locationOf({ ...one, cve: null, component: null, component_version: null })}`}
      </div>
      {one.reason !== null && <div className="t2 small">{one.reason}</div>}
    </li>
  );
}

const lastSplit = (detail: FindingDetailStore): boolean =>
  (detail.history?.find((event) => event.kind === 'split')?.to ?? null) !== null;

interface OtherResultsProps {
  id: string;
  finding: FindingDetails;
  detail: FindingDetailStore;
}

/** Results of other tools, or of the same, that say the same; and the say of a person about it. */
export const OtherResults = observer(function OtherResults({ id, finding, detail }: OtherResultsProps) {
  const session = useService(SESSION);
  const { route, triage } = useFindingsList();
  const { same, split, undoSplit } = useDecisions(detail);
  const [splitId, setSplitId] = useState<string | undefined>(undefined);
  const mayDecide = can(session.user?.role, 'findings.correlate');
  // of an original and its duplicate it is the duplicate that leaves
  const leaving = (one: Occurrence): string => (one.relation === 'original' ? id : one._id);
  return (
    <>
      {finding.occurrences.length === 0 && <p className="muted">{t('No other result says the same.')}</p>}
      <ul className="links">
        {finding.occurrences.map((one) => (
          <OccurrenceRow key={one._id} one={one} onSplit={mayDecide ? () => setSplitId(leaving(one)) : undefined} />
        ))}
      </ul>
      {mayDecide ? (
        <div className="row">
          <Button
            text={t('Same as another finding')}
            disabled={same.isSaving || triage.isBusy}
            onClick={() => triage.ask({ kind: 'join', id })}
          />
          {lastSplit(detail) && (
            <Button text={t('Take split back')} disabled={same.isSaving} onClick={() => void undoSplit(id)} />
          )}
        </div>
      ) : (
        <p className="muted small">
          {route.isReadOnly
            ? t('Read only: the people of this client decide what is the same.')
            : t('An admin or security operator decides what is the same.')}
        </p>
      )}
      <SplitDialog
        isOpen={splitId !== undefined}
        onClose={() => setSplitId(undefined)}
        onSplit={(reason) => {
          if (splitId !== undefined) void split(splitId, reason);
          setSplitId(undefined);
        }}
      />
    </>
  );
});

interface SplitDialogProps {
  isOpen: boolean;
  onSplit: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a finding is no duplicate. */
function SplitDialog({ isOpen, onSplit, onClose }: SplitDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <ActionDialog
      isOpen={isOpen}
      title={t('Say that 1 finding is no duplicate')}
      consequence={t(
        'It stands in the list for itself, also after the next import. You can undo this later from here.',
      )}
      actionLabel={t('Not a duplicate')}
      onAction={() => {
        onSplit(reason.trim());
        setReason('');
      }}
      draft={reason}
      onClose={onClose}
    >
      <ReasonField value={reason} isFirst onChange={setReason} />
    </ActionDialog>
  );
}
