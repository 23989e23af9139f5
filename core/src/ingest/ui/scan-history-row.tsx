import { AnchorButton, Button, ProgressBar } from '@blueprintjs/core';
import { Download, Undo } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef, useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot, type StatusTone, Time } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { reportAddress, type ScanHistoryStore, type ScanRow } from './scan-history.store.ts';
import { type Decision, ScanNotices } from './scan-notices.tsx';
import { isImported, isScanOver, type Scan } from './upload-transport.ts';

/** Why a person without the role cannot do what the buttons do. */
export const ROLE_REASON = msg('Only admins and security operators can. Raw reports may hold secrets.');

/** Why an import that is done cannot be taken back. */
const UNDO_REASONS: Record<Exclude<Scan['undo_refusal'], null | 'not_done'>, string> = {
  newer: msg('A newer import of the same tool and target stands on this one. Undo that first.'),
  report_deleted: msg('The report before is deleted: your organisation keeps reports for a limited time.'),
};

/** How screens name the states of a scan. */
export const SCAN_STATES: Record<Scan['status'], { tone: StatusTone; word: string }> = {
  queued: { tone: 'neutral', word: msg('Waiting') },
  running: { tone: 'accent', word: msg('Importing') },
  parsing: { tone: 'accent', word: msg('Reading') },
  merging: { tone: 'accent', word: msg('Merging') },
  done: { tone: 'ok', word: msg('Done') },
  incomplete: { tone: 'warn', word: msg('Incomplete') },
  outdated: { tone: 'off', word: msg('Older report') },
  failed: { tone: 'bad', word: msg('Failed') },
  cancelled: { tone: 'off', word: msg('Cancelled') },
};

/** Its state as a person reads it; how far it is where it is not over. */
export const stateText = (scan: Scan): string => {
  const state = t(SCAN_STATES[scan.status].word);
  return isScanOver(scan) ? state : t('{state} {percentage}%', { state, percentage: scan.percentage });
};

const COUNTS = [
  ['total', msg('results')],
  ['new', msg('new')],
  ['unchanged', msg('unchanged')],
  ['reopened', msg('reopened')],
  ['closed', msg('closed')],
  ['duplicate', msg('duplicate')],
  ['suppressed', msg('suppressed')],
  ['unreadable', msg('unreadable')],
] as const;

function Counts({ scan }: { scan: Scan }) {
  return (
    <dl className="scan-counts tn">
      {COUNTS.map(([key, word]) => (
        <div key={key} className={scan.counts[key] === 0 ? 'is-zero' : undefined}>
          <dd>{formatNumber(scan.counts[key])}</dd>
          <dt>{t(word)}</dt>
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
        {isOpen ? t('Hide unreadable records') : t('Show unreadable records')}
      </button>
      <div id={id}>
        {isOpen && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by keyboard
          <ul className="unreadable" tabIndex={0} aria-label={t('Unreadable records')}>
            {scan.unreadable.map(({ where, why }) => (
              <li key={`${where} ${why}`}>
                <code>{where}</code> {t(why)}
              </li>
            ))}
            {more > 0 && <li>{t('and {count} more', { count: more })}</li>}
          </ul>
        )}
      </div>
    </div>
  );
}

const originOf = ({ connector, created_by }: Scan): string => {
  if (connector !== null) return t('pulled by {connector}', { connector });
  return created_by === null ? t('uploaded') : t('uploaded by {name}', { name: created_by });
};

interface ActsProps {
  row: ScanRow;
  name: string;
  mayManage: boolean;
  isUndone: boolean;
  onUndo: (row: ScanRow) => void;
}

function Acts({ row, name, mayManage, isUndone, onUndo }: ActsProps) {
  const { undo_refusal: refusal, undoes } = row.attributes;
  const undoReason = refusal === null || refusal === 'not_done' ? undefined : UNDO_REASONS[refusal];
  const reason = mayManage ? undoReason : ROLE_REASON;
  return (
    <div className="row scan-acts">
      {undoes === null && (
        <AnchorButton
          variant="minimal"
          size="small"
          icon={<Download />}
          text={t('Report')}
          aria-label={t('Download the report {name}', { name })}
          title={mayManage ? t('Download the report as it came') : t(ROLE_REASON)}
          disabled={!mayManage}
          href={reportAddress(row._id)}
          download
        />
      )}
      {refusal !== 'not_done' && !isUndone && (
        <Button
          variant="minimal"
          size="small"
          icon={<Undo />}
          text={t('Undo')}
          aria-label={t('Undo the import of {name}', { name })}
          title={t(reason ?? msg('Undo this import'))}
          disabled={reason !== undefined}
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
            <span className="sig trunc" title={t('Branch {branch}', { branch: scan.branch })}>
              {scan.branch}
            </span>
          )}
          {scan.part !== null && (
            <span className="sig trunc" title={t('Part {part}', { part: scan.part })}>
              {scan.part}
            </span>
          )}
          {scan.undoes !== null && <span className="sig">{t('Undo')}</span>}
          {scan.settlement !== null && (
            <span className="sig">{scan.settlement === 'confirm' ? t('Closing confirmed') : t('Split off')}</span>
          )}
          {isUndone && <span className="sig">{t('Undone')}</span>}
          <StatusDot tone={state.tone}>{stateText(scan)}</StatusDot>
        </div>
        <div className="small muted scan-origin">
          {scan.file_name !== null && <code>{scan.file_name}</code>}
          <span>
            {scan.undoes === null
              ? originOf(scan)
              : t('ordered by {name}', { name: scan.created_by ?? t('the server') })}
          </span>
          <Time value={scan.created_at} />
          {scan.report_date !== null && (
            <span>
              <Words of="scanned {time}" time={<Time value={scan.report_date} />} />
            </span>
          )}
        </div>
      </div>
      <Acts row={row} name={name} mayManage={mayManage} isUndone={isUndone} onUndo={onUndo} />
      <div className="scan-outcome">
        {!isScanOver(scan) && (
          <ProgressBar
            animate={false}
            stripes={false}
            value={scan.percentage / 100}
            aria-label={t('Import of {name}', { name })}
          />
        )}
        {isImported(scan) && <Counts scan={scan} />}
        <ScanNotices scan={scan} onDecide={mayManage ? decide : undefined} />
        {scan.commit_status?.problem != null && (
          <p className="err">
            {t('The status of the commit could not be set: {problem}', { problem: scan.commit_status.problem })}
          </p>
        )}
        {scan.detail !== null && <p className={scan.status === 'failed' ? 'err' : 'muted small'}>{t(scan.detail)}</p>}
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
      toasts.show(t('The {tool} import is being undone', { tool }), { tone: 'done' });
      close();
    } catch (error) {
      setRefusal(messagesOf(error).join(' '));
    }
  };
  return (
    <ActionDialog
      isOpen={scan !== undefined}
      title={t('Undo the {tool} import', { tool })}
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
