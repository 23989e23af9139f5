import { AnchorButton, Button, ProgressBar } from '@blueprintjs/core';
import { Download, Undo } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot, type StatusTone, Time } from '../../platform/ui/display/badges.tsx';
import { formatAmount, formatNumber } from '../../platform/ui/display/formats.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { reportAddress, type ScanHistoryStore, type ScanRow } from './scan-history.store.ts';
import { type Decision, ScanNotices } from './scan-notices.tsx';
import { isImported, isScanOver, type Scan } from './upload-transport.ts';

/** Why a person without the role cannot do what the buttons do. */
export const ROLE_REASON = 'Only admins and security operators can. Raw reports may hold secrets.';

const NEWER_REASON = 'A newer import of the same tool and target stands on this one. Undo that first.';

/** How screens name the states of a scan. */
export const SCAN_STATES: Record<Scan['status'], { tone: StatusTone; word: string }> = {
  queued: { tone: 'neutral', word: 'Waiting' },
  running: { tone: 'accent', word: 'Importing' },
  parsing: { tone: 'accent', word: 'Reading' },
  merging: { tone: 'accent', word: 'Merging' },
  done: { tone: 'ok', word: 'Done' },
  incomplete: { tone: 'warn', word: 'Incomplete' },
  outdated: { tone: 'off', word: 'Older report' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'off', word: 'Cancelled' },
};

const COUNTS = [
  ['total', 'results'],
  ['new', 'new'],
  ['unchanged', 'unchanged'],
  ['reopened', 'reopened'],
  ['closed', 'closed'],
  ['duplicate', 'duplicate'],
  ['suppressed', 'suppressed'],
  ['unreadable', 'unreadable'],
] as const;

function Counts({ scan }: { scan: Scan }) {
  return (
    <dl className="scan-counts tn">
      {COUNTS.map(([key, word]) => (
        <div key={key} className={scan.counts[key] === 0 ? 'is-zero' : undefined}>
          <dd>{formatNumber(scan.counts[key])}</dd>
          <dt>{word}</dt>
        </div>
      ))}
      {scan.counts.components > 0 && (
        <div>
          <dd>{formatNumber(scan.counts.components)}</dd>
          <dt>{t('components')}</dt>
        </div>
      )}
    </dl>
  );
}

function Unreadable({ scan }: { scan: Scan }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const more = scan.counts.unreadable - scan.unreadable.length;
  return (
    <div>
      <button
        type="button"
        className="link"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Hide' : 'Show'} unreadable records
      </button>
      <div id={id}>
        {isOpen && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by keyboard
          <ul className="unreadable" tabIndex={0} aria-label={t('Unreadable records')}>
            {scan.unreadable.map(({ where, why }) => (
              <li key={`${where} ${why}`}>
                <code>{where}</code> {why}
              </li>
            ))}
            {more > 0 && <li>and {formatAmount(more, 'more', 'more')}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}

const originOf = ({ connector, created_by }: Scan): string => {
  if (connector !== null) return `pulled by ${connector}`;
  return created_by === null ? 'uploaded' : `uploaded by ${created_by}`;
};

interface ActsProps {
  row: ScanRow;
  name: string;
  mayManage: boolean;
  isUndone: boolean;
  onUndo: (row: ScanRow) => void;
}

function Acts({ row, name, mayManage, isUndone, onUndo }: ActsProps) {
  const { status, undoable, undoes } = row.attributes;
  const reason = mayManage ? NEWER_REASON : ROLE_REASON;
  return (
    <div className="row scan-acts">
      {undoes === null && (
        <AnchorButton
          variant="minimal"
          size="small"
          icon={<Download />}
          text={t('Report')}
          aria-label={`Download the report ${name}`}
          title={mayManage ? 'Download the report as it came' : ROLE_REASON}
          disabled={!mayManage}
          href={reportAddress(row._id)}
          download
        />
      )}
      {(status === 'done' || status === 'incomplete') && undoes === null && !isUndone && (
        <Button
          variant="minimal"
          size="small"
          icon={<Undo />}
          text={t('Undo')}
          aria-label={`Undo the import of ${name}`}
          title={mayManage && undoable ? 'Undo this import' : reason}
          disabled={!mayManage || !undoable}
          onClick={() => onUndo(row)}
        />
      )}
    </div>
  );
}

interface ScanHistoryRowProps {
  store: ScanHistoryStore;
  row: ScanRow;
  mayManage: boolean;
  onUndo: (row: ScanRow) => void;
}

/** One import: where it came from, how far it is, and what became of its records. */
export const ScanHistoryRow = observer(function ScanHistoryRow({ store, row, mayManage, onUndo }: ScanHistoryRowProps) {
  const { attributes: scan } = row;
  const state = SCAN_STATES[scan.status];
  const name = scan.file_name ?? store.toolTitle(scan.tool);
  const isUndone = store.undoneBy(row._id) !== undefined;
  const decide = (decision: Decision) => store.settle(row._id, decision);
  return (
    <li className="scan">
      <div className="scan-head">
        <div className="row wrap title-line">
          <span className="strong">{store.toolTitle(scan.tool)}</span>
          {scan.branch !== null && (
            <span className="sig trunc" title={`Branch ${scan.branch}`}>
              {scan.branch}
            </span>
          )}
          {scan.part !== null && (
            <span className="sig trunc" title={`Part ${scan.part}`}>
              {scan.part}
            </span>
          )}
          {scan.undoes !== null && <span className="sig">{t('Undo')}</span>}
          {scan.settlement !== null && (
            <span className="sig">{scan.settlement === 'confirm' ? 'Closing confirmed' : 'Split off'}</span>
          )}
          {isUndone && <span className="sig">{t('Undone')}</span>}
          <StatusDot tone={state.tone}>{isScanOver(scan) ? state.word : `${state.word} ${scan.percentage}%`}</StatusDot>
        </div>
        <div className="small muted scan-origin">
          {scan.file_name !== null && <code>{scan.file_name}</code>}
          <span>{scan.undoes === null ? originOf(scan) : `ordered by ${scan.created_by ?? 'the server'}`}</span>
          <Time value={scan.created_at} />
          {scan.report_date !== null && (
            <span>
              scanned <Time value={scan.report_date} />
            </span>
          )}
        </div>
      </div>
      <Acts row={row} name={name} mayManage={mayManage} isUndone={isUndone} onUndo={onUndo} />
      <div className="scan-outcome">
        {!isScanOver(scan) && (
          <ProgressBar animate={false} stripes={false} value={scan.percentage / 100} aria-label={`Import of ${name}`} />
        )}
        {isImported(scan) && <Counts scan={scan} />}
        <ScanNotices scan={scan} onDecide={mayManage ? decide : undefined} />
        {scan.commit_status?.problem != null && (
          <p className="err">The status of the commit could not be set: {scan.commit_status.problem}</p>
        )}
        {scan.detail !== null && <p className={scan.status === 'failed' ? 'err' : 'muted small'}>{scan.detail}</p>}
        {scan.unreadable.length > 0 && <Unreadable scan={scan} />}
      </div>
    </li>
  );
});

interface UndoDialogProps {
  store: ScanHistoryStore;
  scan: ScanRow | undefined;
  onClose: () => void;
}

/** Says what goes and what comes back before an import is taken back. The server's refusal stays to be read. */
export const UndoDialog = observer(function UndoDialog({ store, scan, onClose }: UndoDialogProps) {
  const toasts = useService(TOASTS);
  const [refusal, setRefusal] = useState<string>();
  const refusalElement = useRef<HTMLParagraphElement>(null);
  const tool = scan === undefined ? '' : store.toolTitle(scan.attributes.tool);
  // the button that was pressed is off while the server answers and loses the focus; without it Escape would not close
  useEffect(() => {
    if (refusal !== undefined) refusalElement.current?.focus();
  }, [refusal]);
  const close = () => {
    setRefusal(undefined);
    onClose();
  };
  const undo = async () => {
    if (scan === undefined) return;
    setRefusal(undefined);
    try {
      await store.undo(scan._id);
      toasts.show(`The ${tool} import is being undone`, { tone: 'done' });
      close();
    } catch (error) {
      setRefusal(messagesOf(error).join(' '));
    }
  };
  return (
    <ActionDialog
      isOpen={scan !== undefined}
      title={`Undo the ${tool} import`}
      consequence={t(
        'The findings that it brought go, those that it closed are open again, and what it changed is as the report before says. Verdicts and notes on older findings stay. Only the newest import of a tool and target can be undone.',
      )}
      actionLabel={t('Undo import')}
      isDestructive
      isBusy={store.isUndoing}
      onAction={() => void undo()}
      onClose={close}
    >
      {refusal !== undefined && (
        <p className="err" role="alert" tabIndex={-1} ref={refusalElement}>
          {refusal}
        </p>
      )}
    </ActionDialog>
  );
});
