import { Button, HTMLSelect, InputGroup, ProgressBar } from '@blueprintjs/core';
import { SmallCross } from '@blueprintjs/icons';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useId, useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { visibleText } from '../../platform/model/visible-text.ts';
import { StatusDot } from '../../platform/ui/display/badges.tsx';
import { formatSize } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import type { ReportPreview } from '../model/report-preview.ts';
import { MapColumnsDialog } from './mapping/map-columns-dialog.tsx';
import { type Decision, ScanNotices } from './scan-notices.tsx';
import type { UploadFileRef } from './upload.machine.ts';
import type { UploadStore } from './upload.store.ts';
import { RECOGNISE } from './upload-file.machine.ts';
import { UploadPreview } from './upload-preview.tsx';
import type { Scan } from './upload-transport.ts';

interface ToolSelectProps {
  uploads: UploadStore;
  tool: string;
  fileName: string;
  /** Name of the tool that was recognised. */
  recognised?: string | undefined;
  onTool: (tool: string) => void;
}

const ToolSelect = observer(function ToolSelect({ uploads, tool, fileName, recognised, onTool }: ToolSelectProps) {
  return (
    <HTMLSelect
      aria-label={t('Tool of {file}', { file: fileName })}
      value={tool}
      onChange={(event) => onTool(event.currentTarget.value)}
      options={[
        {
          value: RECOGNISE,
          label: recognised === undefined ? t('Recognise the tool') : t('Recognised: {tool}', { tool: recognised }),
        },
        ...uploads.tools.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
    />
  );
});

const COUNT_TEXTS = [
  ['new', msg('{count} new')],
  ['unchanged', msg('{count} same')],
  ['reopened', msg('{count} reopened')],
  ['closed', msg('{count} closed')],
  ['unreadable', msg('{count} unreadable')],
] as const;

/** "66 new, 0 same, 0 closed": always these three, the others when they happened. */
export const countsLine = ({ counts }: Pick<Scan, 'counts'>): string => {
  const shown = COUNT_TEXTS.filter(
    ([key]) => counts[key] > 0 || key === 'new' || key === 'unchanged' || key === 'closed',
  );
  const words = shown.map(([key, text]) => t(text, { count: counts[key] }));
  const components =
    counts.components > 0 ? [plural(counts.components, '{count} components', '{count} components')] : [];
  const hasResults = counts.total > 0 || counts.closed > 0 || counts.components === 0;
  return [...(hasResults ? words : []), ...components].join(', ');
};

function UnreadableList({ scan }: { scan: Scan }) {
  return (
    <ul className="unreadable">
      {scan.unreadable.map(({ where, why }) => (
        <li key={`${where} ${why}`}>
          <code>{where}</code> {t(why)}
        </li>
      ))}
    </ul>
  );
}

interface PartInputProps {
  part: string;
  fileName: string;
  onPart: (part: string) => void;
}

/** What of the application the report is about, where it does not say so itself. */
function PartInput({ part, fileName, onPart }: PartInputProps) {
  return (
    <InputGroup
      className="upload-part"
      aria-label={t('Part of {file}', { file: fileName })}
      title={t(
        'Where the application is scanned in parts: a folder, a language, an account. A report closes only findings of its part.',
      )}
      placeholder={t('Part (optional)')}
      value={part}
      maxLength={200}
      spellCheck={false}
      onValueChange={onPart}
    />
  );
}

const DONE_STATES = {
  done: { tone: 'ok', word: msg('Done') },
  incomplete: { tone: 'warn', word: msg('Incomplete') },
  outdated: { tone: 'off', word: msg('Older report') },
} as const;

const doneStateOf = ({ status, unreadable, is_held_back }: Scan) => {
  if (status === 'incomplete' || status === 'outdated') return DONE_STATES[status];
  return unreadable.length > 0 || is_held_back ? { ...DONE_STATES.done, tone: 'warn' as const } : DONE_STATES.done;
};

interface DoneStateProps {
  uploads: UploadStore;
  scan: Scan;
  scanId: string;
  mayDecide: boolean;
  onAcceptOlder: () => void;
}

const DoneState = observer(function DoneState({ uploads, scan, scanId, mayDecide, onAcceptOlder }: DoneStateProps) {
  const state = doneStateOf(scan);
  const decide = (decision: Decision) => uploads.settle(scanId, decision);
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div className="row wrap upload-result">
        <span className="muted small">{uploads.toolTitle(scan.tool)}</span>
        <span className="grow small tn num">{countsLine(scan)}</span>
        {scan.unreadable.length > 0 && (
          <button
            type="button"
            className="link"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {t('Why')}
          </button>
        )}
        <StatusDot tone={state.tone}>{t(state.word)}</StatusDot>
      </div>
      <ScanNotices scan={scan} onDecide={mayDecide ? decide : undefined} />
      {scan.status === 'outdated' && (
        <div className="row">
          <Button size="small" text={t('Import it anyway')} onClick={onAcceptOlder} />
        </div>
      )}
      <div id={id}>{isOpen && <UnreadableList scan={scan} />}</div>
    </>
  );
});

/** Codes of refusals after which it helps to say what the columns of the file are. */
const UNMAPPED: readonly (string | undefined)[] = ['report_unmapped'];

interface FailedStateProps extends UploadFileRowProps {
  onSendAgain: () => void;
}

/** Why a file was not imported, and what can be done. */
function FailedState({ uploads, file, mayDecide, onSendAgain }: FailedStateProps) {
  const { tool, file: blob, messages, scan, code, mapping } = useSelector(file, ({ context }) => context);
  const [isMapping, setIsMapping] = useState(false);
  return (
    <>
      <p className="err" role="alert">
        {messages.join(' ')}
      </p>
      {scan !== undefined && scan.unreadable.length > 0 && <UnreadableList scan={scan} />}
      <div className="row wrap">
        <ToolSelect
          uploads={uploads}
          tool={tool}
          fileName={visibleText(blob.name)}
          onTool={(chosen) => file.send({ type: 'SET_TOOL', tool: chosen })}
        />
        <Button text={t('Try again')} onClick={onSendAgain} />
        {(UNMAPPED.includes(code) || mapping !== undefined) && (
          <Button intent="primary" text={t('Map columns…')} onClick={() => setIsMapping(true)} />
        )}
      </div>
      {isMapping && (
        <MapColumnsDialog
          api={uploads.api}
          file={blob}
          mapping={mapping}
          maySave={mayDecide}
          onClose={() => setIsMapping(false)}
          onImport={(chosen) => {
            setIsMapping(false);
            file.send({ type: 'SET_MAPPING', mapping: chosen });
            onSendAgain();
          }}
        />
      )}
    </>
  );
}

/** What the file itself says; nothing where somebody chose the tool. */
const recognisedTool = ({
  tool,
  preview,
}: {
  tool: string;
  preview?: ReportPreview | undefined;
}): string | undefined =>
  tool === RECOGNISE && (preview?.kind === 'counted' || preview?.kind === 'uncounted') ? preview.title : undefined;

export interface UploadFileRowProps {
  uploads: UploadStore;
  file: UploadFileRef;
  /** Whether the person may decide what is closed. */
  mayDecide: boolean;
}

/** One report: its tool, how far it is, and what became of it. */
export function UploadFileRow({ uploads, file, mayDecide }: UploadFileRowProps) {
  const { value, context } = useSelector(file, (snapshot) => snapshot);
  const name = visibleText(context.file.name);
  const isMoving = value === 'uploading' || value === 'importing';
  const setTool = (tool: string) => file.send({ type: 'SET_TOOL', tool });
  const setPart = (part: string) => file.send({ type: 'SET_PART', part });
  const sendAgain = () => uploads.actor.send({ type: 'RETRY_FILE', id: file.id });
  return (
    <li className="upload-file">
      <div className="row upload-line">
        <code className="grow trunc" title={name}>
          {name}
        </code>
        <span className="small muted tn">{formatSize(context.file.size)}</span>
        {isMoving && (
          <span className="small muted tn">
            {value === 'uploading'
              ? t('Sending {percentage}%', { percentage: context.percentage })
              : t('Importing {percentage}%', { percentage: context.percentage })}
          </span>
        )}
        {value === 'failed' && <StatusDot tone="bad">{t('Not imported')}</StatusDot>}
        {value === 'waiting' && (
          <>
            <PartInput part={context.part} fileName={name} onPart={setPart} />
            <ToolSelect
              uploads={uploads}
              tool={context.tool}
              fileName={name}
              recognised={recognisedTool(context)}
              onTool={setTool}
            />
            <Button
              variant="minimal"
              size="small"
              icon={<SmallCross />}
              aria-label={t('Remove {name}', { name })}
              onClick={() => uploads.actor.send({ type: 'REMOVE_FILE', id: file.id })}
            />
          </>
        )}
      </div>
      {value === 'waiting' && <UploadPreview uploads={uploads} file={file} maySave={mayDecide} />}
      {isMoving && (
        <ProgressBar
          animate={false}
          stripes={false}
          value={context.percentage / 100}
          aria-label={value === 'uploading' ? t('{name}, sending', { name }) : t('{name}, importing', { name })}
        />
      )}
      {value === 'done' && context.scan !== undefined && (
        <DoneState
          uploads={uploads}
          scan={context.scan}
          scanId={context.scanId ?? ''}
          mayDecide={mayDecide}
          onAcceptOlder={sendAgain}
        />
      )}
      {value === 'failed' && (
        <FailedState uploads={uploads} file={file} mayDecide={mayDecide} onSendAgain={sendAgain} />
      )}
    </li>
  );
}
