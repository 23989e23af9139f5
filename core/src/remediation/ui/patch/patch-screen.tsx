import { Button, Callout, SegmentedControl, Switch, Tag } from '@blueprintjs/core';
import { Download, GitPull, Undo } from '@blueprintjs/icons';
import { autorun } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { findingHref } from '../../../findings/ui/index.ts';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { saveBlob } from '../../../platform/ui/data/save-blob.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { UNSAVED_TEXTS } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { useMedia } from '../../../platform/ui/page/use-media.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { nextStatus, PROCESSING_LABELS } from '../../model/states.ts';
import { AiShareLine, FixRun } from '../ai/ai-run.tsx';
import { DiffView } from '../diff-view.tsx';
import type { FixStore } from '../fix.store.ts';
import { FixActions } from '../fix-actions.tsx';
import { PullRequestPlace } from '../place.tsx';
import { TemplateForm } from '../template-form.tsx';
import { TicketLines } from '../ticket-lines.tsx';
import { useFix } from '../use-fix.ts';
import { PatchStore } from './patch.store.ts';
import { PatchConflict } from './patch-conflict.tsx';
import { PatchFile, type PatchLook } from './patch-files.tsx';
import { PatchHistory } from './patch-history.tsx';
import '../fix-panel.css';
import './patch-screen.css';

const LOOK_KEY = 'bw-patch-unified';

/** Below this width two sides leave no room for code. */
const WIDE = '(min-width: 1024px)';

const readIsUnified = (): boolean => {
  try {
    return window.localStorage.getItem(LOOK_KEY) === 'true';
  } catch {
    return false;
  }
};

const keepIsUnified = (isUnified: boolean): void => {
  try {
    window.localStorage.setItem(LOOK_KEY, String(isUnified));
  } catch {
    // Not kept: it holds as long as the page shows.
  }
};

interface PartProps {
  store: PatchStore;
  fix: FixStore;
}

interface FilesProps extends PartProps {
  isReadOnly: boolean;
}

const LOOKS = [
  { label: msg('Unified'), value: 'unified' },
  { label: msg('Side by side'), value: 'split' },
];

/** The files of the patch with the switches of how they are shown. */
const PatchFiles = observer(function PatchFiles({ store, isReadOnly }: FilesProps) {
  const [isUnified, setIsUnified] = useState(readIsUnified);
  const [isWhitespaceShown, setIsWhitespaceShown] = useState(false);
  const [isWhitespaceFolded, setIsWhitespaceFolded] = useState(false);
  const isWide = useMedia(WIDE);
  const { files, base } = store;
  const diff = base?.attributes.code_diff ?? null;
  if (files === undefined) return diff === null ? null : <DiffView diff={diff} />;
  if (files.length === 0) return null;
  const download = () => saveBlob(new Blob([store.diff], { type: 'text/x-diff' }), `${base?._id ?? 'fix'}.patch`);
  const look: PatchLook = { isSideBySide: isWide && !isUnified, isWhitespaceShown, isWhitespaceFolded };
  return (
    <>
      <div className="row wrap patch-look">
        {isWide && (
          <SegmentedControl
            size="small"
            aria-label={t('Layout of the patch')}
            options={LOOKS.map(({ label, value }) => ({ label: t(label), value }))}
            value={isUnified ? 'unified' : 'split'}
            onValueChange={(value) => {
              setIsUnified(value === 'unified');
              keepIsUnified(value === 'unified');
            }}
          />
        )}
        <Switch
          label={t('Show whitespace')}
          checked={isWhitespaceShown}
          onChange={() => setIsWhitespaceShown(!isWhitespaceShown)}
        />
        {store.hasWhitespaceHunks && (
          <Switch
            label={t('Fold changes of whitespace alone')}
            checked={isWhitespaceFolded}
            onChange={() => setIsWhitespaceFolded(!isWhitespaceFolded)}
          />
        )}
        <span className="grow" />
        {!isReadOnly && store.canReset && (
          <Button variant="minimal" icon={<Undo />} text={t('Reset to generated')} onClick={store.reset} />
        )}
        <Button variant="minimal" icon={<Download />} text={t('Download patch')} onClick={download} />
      </div>
      {files.map((file) => (
        <PatchFile key={file.path} {...{ store, file, look, isReadOnly }} />
      ))}
    </>
  );
});

const PatchText = observer(function PatchText({ store, isReadOnly }: { store: PatchStore; isReadOnly: boolean }) {
  const { title, description } = store.text;
  return (
    <section className="bp6-card" aria-label={t('Text of the pull request')}>
      <h2>{t('Text of the pull request')}</h2>
      <FormField label={t('Title')}>
        {(control) => (
          <input
            {...control}
            value={title}
            maxLength={250}
            readOnly={isReadOnly}
            onChange={(event) => store.write({ title: event.currentTarget.value })}
          />
        )}
      </FormField>
      <FormField label={t('Description')} help={t('Markdown')}>
        {(control) => (
          <textarea
            {...control}
            rows={8}
            value={description}
            maxLength={50_000}
            readOnly={isReadOnly}
            onChange={(event) => store.write({ description: event.currentTarget.value })}
          />
        )}
      </FormField>
    </section>
  );
});

/** Saves and drops what is written; shows while there is something to save. */
const SaveBar = observer(function SaveBar({ store, fix }: PartProps) {
  if (!store.isChanged) return null;
  return (
    <section className="row wrap patch-save" aria-label={t('Changes that are not saved')}>
      <span className="strong">{t('Not saved')}</span>
      <span className="t2">{t(store.obstacle ?? msg('The pull request is opened with what is saved.'))}</span>
      <span className="grow" />
      <Button variant="minimal" text={t('Drop my changes')} onClick={store.drop} disabled={fix.step !== undefined} />
      <Button
        intent="primary"
        text={t('Save')}
        loading={fix.step === 'save'}
        disabled={fix.step !== undefined || store.obstacle !== undefined || store.theirs !== undefined}
        onClick={() => void store.save()}
      />
    </section>
  );
});

/** What is written outlasts the end of the session. */
const useKeptDraft = (store: PatchStore): void => {
  const unsaved = useService(UNSAVED_TEXTS);
  useEffect(() => {
    const what = t('Edit a patch');
    return unsaved.watch(() => ({ what, text: store.isChanged ? store.diff : '' }));
  }, [unsaved, store]);
};

const usePatch = (fix: FixStore): PatchStore => {
  const [store] = useState(() => new PatchStore(fix));
  useEffect(
    () =>
      autorun(() => {
        const { remediation } = fix;
        if (remediation !== undefined && remediation !== null) store.offer(remediation);
      }),
    [store, fix],
  );
  return store;
};

const PatchBody = observer(function PatchBody({ fix }: { fix: FixStore }) {
  const store = usePatch(fix);
  useKeptDraft(store);
  const { user } = useService(SESSION);
  const mayFix = can(user?.role, 'findings.fix');
  const { remediation } = fix;
  const attributes = remediation?.attributes;
  if (attributes === undefined)
    return mayFix ? <NothingYet fix={fix} /> : <p className="t2">{t('No fix was generated yet.')}</p>;
  const { processing_status: status, failure, remarks } = attributes;
  const isReadOnly = !mayFix || nextStatus(status, 'edit') === undefined;
  return (
    <>
      <ConfirmLeave isChanged={store.isChanged} />
      {fix.problems.map((problem) => (
        <Callout key={problem} intent="danger" role="alert">
          {problem}
        </Callout>
      ))}
      <PatchConflict store={store} />
      {failure !== null && status !== 'processing' && <Callout intent="warning">{t(failure)}</Callout>}
      <AiShareLine attributes={attributes} />
      <FixRun store={fix} mayFix={mayFix} />
      <div className="bp6-card row wrap patch-target">
        <GitPull aria-hidden={true} />
        <PullRequestPlace attributes={attributes} />
        <span className="grow" />
        {mayFix && <FixActions store={fix} onChanged={() => undefined} isWaiting={store.isChanged} />}
      </div>
      <TicketLines tickets={attributes.tickets} />
      <SaveBar store={store} fix={fix} />
      {remarks.length > 0 && (
        <Callout title={t('Left to do')}>
          <ul>
            {remarks.map((remark) => (
              <li key={remark}>{t(remark)}</li>
            ))}
          </ul>
        </Callout>
      )}
      {mayFix && attributes.template_fields.length > 0 && status !== 'pr_submitted' && (
        <section className="bp6-card" aria-label={t('Values of the template')}>
          <h2>{t('What only you can decide')}</h2>
          <TemplateForm store={fix} hasPreview={true} onChanged={() => undefined} />
        </section>
      )}
      <PatchFiles {...{ store, fix, isReadOnly }} />
      <PatchText store={store} isReadOnly={isReadOnly} />
      <PatchHistory changes={attributes.history} />
    </>
  );
});

const NothingYet = observer(function NothingYet({ fix }: { fix: FixStore }) {
  return (
    <div className="bp6-card fix-panel">
      {!fix.isGenerating && <p>{t('No fix has been generated for this finding yet.')}</p>}
      <FixRun store={fix} mayFix={true} />
      <FixActions store={fix} onChanged={() => undefined} />
    </div>
  );
});

interface HeadProps {
  fix: FixStore;
  findingId: string;
}

const PatchHead = observer(function PatchHead({ fix, findingId }: HeadProps) {
  const attributes = fix.remediation?.attributes;
  return (
    <>
      <nav className="row small patch-crumbs" aria-label={t('Breadcrumb')}>
        <Link to="/findings">{t('Findings')}</Link>
        <span className="muted">/</span>
        <Link to={findingHref(findingId)}>{t('Finding')}</Link>
        <span className="muted">/</span>
        <span className="muted">{t('Patch')}</span>
      </nav>
      <PageHead
        title={attributes?.title ?? t('Patch')}
        aside={attributes !== undefined && <Tag minimal>{t(PROCESSING_LABELS[attributes.processing_status])}</Tag>}
      />
    </>
  );
});

/** The fix of a finding: looked at, edited and opened. */
export const PatchScreen = observer(function PatchScreen() {
  const { id = '' } = useParams();
  return <PatchOf key={id} id={id} />;
});

const PatchOf = observer(function PatchOf({ id }: { id: string }) {
  const fix = useFix(id);
  return (
    <>
      <PatchHead fix={fix} findingId={id} />
      <div className="page patch">
        {fix.error !== undefined ? (
          <ErrorState title={t('The fix could not be read')} error={fix.error} onRetry={() => void fix.load()} />
        ) : fix.remediation === undefined ? (
          <SkeletonRows rows={8} rowHeight={32} label={t('The fix')} />
        ) : (
          <PatchBody fix={fix} />
        )}
      </div>
    </>
  );
});
