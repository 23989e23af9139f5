import { Button, HTMLSelect, ProgressBar } from '@blueprintjs/core';
import { SmallCross } from '@blueprintjs/icons';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useId, useState } from 'react';
import { StatusDot } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import type { UploadFileRef } from './upload.machine.ts';
import type { UploadStore } from './upload.store.ts';
import { RECOGNISE } from './upload-file.machine.ts';
import type { Scan } from './upload-transport.ts';

interface ToolSelectProps {
  uploads: UploadStore;
  tool: string;
  fileName: string;
  onTool: (tool: string) => void;
}

const ToolSelect = observer(function ToolSelect({ uploads, tool, fileName, onTool }: ToolSelectProps) {
  return (
    <HTMLSelect
      aria-label={`Tool of ${fileName}`}
      value={tool}
      onChange={(event) => onTool(event.currentTarget.value)}
      options={[
        { value: RECOGNISE, label: 'Recognise the tool' },
        ...uploads.tools.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
    />
  );
});

const COUNT_WORDS = [
  ['new', 'new'],
  ['unchanged', 'same'],
  ['reopened', 'reopened'],
  ['closed', 'closed'],
  ['unreadable', 'unreadable'],
] as const;

/** "66 new, 0 same, 0 closed": always these three, the others when they happened. */
export const countsLine = ({ counts }: Pick<Scan, 'counts'>): string => {
  const shown = COUNT_WORDS.filter(
    ([key]) => counts[key] > 0 || key === 'new' || key === 'unchanged' || key === 'closed',
  );
  const words = shown.map(([key, word]) => `${formatNumber(counts[key])} ${word}`);
  const components = counts.components > 0 ? [`${formatNumber(counts.components)} components`] : [];
  const hasResults = counts.total > 0 || counts.closed > 0 || counts.components === 0;
  return [...(hasResults ? words : []), ...components].join(', ');
};

function UnreadableList({ scan }: { scan: Scan }) {
  return (
    <ul className="unreadable">
      {scan.unreadable.map(({ where, why }) => (
        <li key={`${where} ${why}`}>
          <code>{where}</code> {why}
        </li>
      ))}
    </ul>
  );
}

const DoneState = observer(function DoneState({ uploads, scan }: { uploads: UploadStore; scan: Scan }) {
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
            Why
          </button>
        )}
        <StatusDot tone={scan.unreadable.length > 0 ? 'warn' : 'ok'}>Done</StatusDot>
      </div>
      <div id={id}>{isOpen && <UnreadableList scan={scan} />}</div>
    </>
  );
});

export interface UploadFileRowProps {
  uploads: UploadStore;
  file: UploadFileRef;
}

/** One report: its tool, how far it is, and what became of it. */
export function UploadFileRow({ uploads, file }: UploadFileRowProps) {
  const { value, context } = useSelector(file, (snapshot) => snapshot);
  const { name } = context.file;
  const isMoving = value === 'uploading' || value === 'importing';
  const setTool = (tool: string) => file.send({ type: 'SET_TOOL', tool });
  return (
    <li className="upload-file">
      <div className="row">
        <code className="grow trunc" title={name}>
          {name}
        </code>
        {isMoving && (
          <span className="small muted tn">
            {value === 'uploading' ? 'Sending' : 'Importing'} {context.percentage}%
          </span>
        )}
        {value === 'failed' && <StatusDot tone="bad">Not imported</StatusDot>}
        {value === 'waiting' && (
          <>
            <ToolSelect uploads={uploads} tool={context.tool} fileName={name} onTool={setTool} />
            <Button
              variant="minimal"
              size="small"
              icon={<SmallCross />}
              aria-label={`Remove ${name}`}
              onClick={() => uploads.actor.send({ type: 'REMOVE_FILE', id: file.id })}
            />
          </>
        )}
      </div>
      {isMoving && (
        <ProgressBar
          animate={false}
          stripes={false}
          value={context.percentage / 100}
          aria-label={`${name}, ${value === 'uploading' ? 'sending' : 'importing'}`}
        />
      )}
      {value === 'done' && context.scan !== undefined && <DoneState uploads={uploads} scan={context.scan} />}
      {value === 'failed' && (
        <>
          <p className="err" role="alert">
            {context.messages.join(' ')}
          </p>
          {context.scan !== undefined && context.scan.unreadable.length > 0 && <UnreadableList scan={context.scan} />}
          <div className="row">
            <ToolSelect uploads={uploads} tool={context.tool} fileName={name} onTool={setTool} />
            <Button text="Try again" onClick={() => uploads.actor.send({ type: 'RETRY_FILE', id: file.id })} />
          </div>
        </>
      )}
    </li>
  );
}
