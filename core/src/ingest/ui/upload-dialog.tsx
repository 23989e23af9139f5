import { Button } from '@blueprintjs/core';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { findingsHref } from '../../findings/ui/index.ts';
import { can } from '../../platform/model/permissions.ts';
import { addressOf } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { DialogBox } from '../../platform/ui/feedback/dialogs.tsx';
import { DropZone, FilePicker } from '../../platform/ui/forms/file-inputs.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { downloadFormatFile } from '../api/table-routes.ts';
import type { UploadFileRef } from './upload.machine.ts';
import { changesLine, summaryLine, UPLOAD_STORE, type UploadStore } from './upload.store.ts';
import { UploadFileRow } from './upload-file-row.tsx';
import { UploadIndicator } from './upload-indicator.tsx';
import { ApplicationField, BranchField, SuggestedApplication } from './upload-target-fields.tsx';
import './upload.css';

interface PartProps {
  uploads: UploadStore;
}

/** Templates of formats that people write themselves. */
const Templates = observer(function Templates({ uploads }: PartProps) {
  const files = uploads.tools.flatMap(({ _id: tool, files: offered }) => offered.map((file) => ({ tool, ...file })));
  if (files.length === 0) return null;
  return (
    <p className="row wrap small muted">
      <span>{t('Findings of your own:')}</span>
      {files.map(({ tool, name, title }) => (
        <a key={`${tool} ${name}`} href={addressOf(downloadFormatFile, { tool, name }, {})} download>
          {t(title)}
        </a>
      ))}
    </p>
  );
});

/** Drop zone and button while reports may still be added. */
function ChooseFiles({ uploads }: PartProps) {
  return (
    <div className="drop row wrap">
      <span className="grow">{t('Drop files here, several at once')}</span>
      <FilePicker onFiles={uploads.addFiles}>{t('Choose files')}</FilePicker>
    </div>
  );
}

function Summary({ uploads }: PartProps) {
  const summary = useSelector(uploads.actor, ({ context }) => context.summary);
  if (summary === undefined) return null;
  return (
    <p className="upload-summary" role="status">
      <b className="tn">{changesLine(summary)}</b>
      <span className="tn t2">{summaryLine(summary)}</span>
      {summary.failed > 0 && (
        <span className="t2">
          {plural(summary.failed, '{count} file not imported.', '{count} files not imported.')}
        </span>
      )}
    </p>
  );
}

/** Why nothing can be sent yet; undefined where it can. */
const whatIsMissing = (files: number, hasApplication: boolean): string | undefined => {
  if (files === 0) return hasApplication ? t('Choose files first') : t('Choose files and an application first');
  return hasApplication ? undefined : t('Name the application first');
};

function DialogFooter({ uploads }: PartProps) {
  const navigate = useNavigate();
  const snapshot = useSelector(uploads.actor, (state) => state);
  const { files, application, repositoryId, branch } = snapshot.context;
  const reasonId = useId();
  const close = () => uploads.actor.send({ type: 'CLOSE' });
  if (snapshot.matches('finished')) {
    const show = () => {
      close();
      const ofBranch = branch.trim() === '' ? {} : { branch: [branch.trim()] };
      navigate(findingsHref(repositoryId === undefined ? {} : { repository: [repositoryId], ...ofBranch }));
    };
    return (
      <footer>
        <Button variant="minimal" text={t('Upload more')} onClick={() => uploads.actor.send({ type: 'START_OVER' })} />
        <Button text={t('Close')} onClick={close} />
        <Button intent="primary" text={t('Show findings')} onClick={show} />
      </footer>
    );
  }
  if (snapshot.matches('running') || snapshot.matches('summing')) {
    return (
      <footer>
        <span className="grow muted small">{t('It goes on when this is closed.')}</span>
        <Button text={t('Close')} onClick={close} />
      </footer>
    );
  }
  const missing = whatIsMissing(files.length, application !== undefined);
  return (
    <footer>
      {missing !== undefined && (
        <span className="grow muted small" id={reasonId}>
          {missing}
        </span>
      )}
      <Button variant="minimal" text={t('Cancel')} onClick={close} />
      <Button
        intent="primary"
        text={
          files.length === 0 ? t('Upload') : plural(files.length, 'Upload {count} report', 'Upload {count} reports')
        }
        disabled={missing !== undefined}
        title={missing}
        aria-describedby={missing === undefined ? undefined : reasonId}
        loading={snapshot.matches('preparing')}
        onClick={() => uploads.actor.send({ type: 'SUBMIT' })}
      />
    </footer>
  );
}

/** At the end what needs somebody stands on top. */
const failedFirst = (files: readonly UploadFileRef[], isOver: boolean): readonly UploadFileRef[] =>
  isOver
    ? files.toSorted((a, b) => Number(b.getSnapshot().matches('failed')) - Number(a.getSnapshot().matches('failed')))
    : files;

const DialogBody = observer(function DialogBody({ uploads }: PartProps) {
  const session = useService(SESSION);
  const snapshot = useSelector(uploads.actor, (state) => state);
  const { files, application, branch, messages } = snapshot.context;
  const isChoosing = snapshot.matches('choosing');
  return (
    <div className="b">
      {messages.length > 0 && (
        <p className="bp6-callout callout-bad" role="alert">
          {messages.join(' ')}
        </p>
      )}
      {(isChoosing || snapshot.matches('preparing')) && (
        <ApplicationField
          uploads={uploads}
          selected={application}
          isDisabled={!isChoosing}
          mayCreate={can(session.user?.role, 'repositories.write')}
          onSelect={(chosen) => uploads.actor.send({ type: 'SET_APPLICATION', application: chosen })}
        />
      )}
      {isChoosing && application === undefined && can(session.user?.role, 'repositories.write') && (
        <SuggestedApplication
          uploads={uploads}
          fileNames={files.map((file) => file.getSnapshot().context.file.name)}
          onSelect={(chosen) => uploads.actor.send({ type: 'SET_APPLICATION', application: chosen })}
        />
      )}
      {(isChoosing || snapshot.matches('preparing')) && (
        <BranchField
          value={branch}
          isDisabled={!isChoosing}
          onChange={(text) => uploads.actor.send({ type: 'SET_BRANCH', branch: text })}
        />
      )}
      {files.length > 0 && (
        <ul className="upload-files">
          {failedFirst(files, snapshot.matches('finished')).map((file) => (
            <UploadFileRow
              key={file.id}
              uploads={uploads}
              file={file}
              mayDecide={can(session.user?.role, 'scans.manage')}
            />
          ))}
        </ul>
      )}
      {isChoosing && <ChooseFiles uploads={uploads} />}
      {isChoosing && <Templates uploads={uploads} />}
      <Summary uploads={uploads} />
    </div>
  );
});

interface TitleFacts {
  value: string;
  name: string | undefined;
  files: number;
  failed: number;
}

const titleOf = ({ value, name, files, failed }: TitleFacts): string => {
  const of = name ?? t('the application');
  if (value === 'finished') {
    return failed === 0
      ? plural(files, '{count} report of {name} imported', '{count} reports of {name} imported', { name: of })
      : plural(files, '{done} of {count} report of {name} imported', '{done} of {count} reports of {name} imported', {
          done: files - failed,
          name: of,
        });
  }
  if (value === 'running' || value === 'summing') return t('Importing reports of {name}', { name: of });
  return t('Upload reports');
};

/** The upload, wherever it was started from. */
export function UploadDialog() {
  const uploads = useService(UPLOAD_STORE);
  const { value, context } = useSelector(uploads.actor, (state) => state);
  const titleId = useId();
  const failed = context.summary?.failed ?? 0;
  return (
    <>
      <UploadIndicator uploads={uploads} />
      <DialogBox
        className="dialog upload-dialog"
        isOpen={context.isOpen}
        onClose={() => uploads.actor.send({ type: 'CLOSE' })}
        canOutsideClickClose={false}
        aria-labelledby={titleId}
      >
        <DropZone hint={t('Drop reports to add them')} onFiles={uploads.addFiles}>
          <header id={titleId}>
            {titleOf({ value, name: context.application?.name, files: context.files.length, failed })}
          </header>
          <DialogBody uploads={uploads} />
          <DialogFooter uploads={uploads} />
        </DropZone>
      </DialogBox>
    </>
  );
}
