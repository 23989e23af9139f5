import { Callout, Tag } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { loadSafeMarkdown } from '../../findings/ui/index.ts';
import { can } from '../../platform/model/permissions.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { PROCESSING_LABELS } from '../model/states.ts';
import { AiShareLine, FixRun } from './ai/ai-run.tsx';
import { DiffView } from './diff-view.tsx';
import type { FixStore } from './fix.store.ts';
import { FixActions } from './fix-actions.tsx';
import { patchHref } from './patch-href.ts';
import { PullRequestPlace } from './place.tsx';
import { SettingChanges } from './setting-fix.tsx';
import { TemplateForm } from './template-form.tsx';
import { TicketLines } from './ticket-lines.tsx';
import { useFix } from './use-fix.ts';
import './fix-panel.css';

// what issues say is Markdown, in which nothing of a report has a meaning
const SafeMarkdown = lazy(async () => ({ default: await loadSafeMarkdown() }));

const FixText = observer(function FixText({ store, mayFix }: { store: FixStore; mayFix: boolean }) {
  const attributes = store.remediation?.attributes;
  if (attributes === undefined)
    return store.isGenerating ? (
      <FixRun store={store} mayFix={mayFix} />
    ) : (
      <p className="t2">{t('No fix has been generated for this finding yet.')}</p>
    );
  const {
    processing_status: status,
    title,
    failure,
    code_diff: diff,
    description,
    remarks,
    settings,
    tickets,
  } = attributes;
  const isSet = status === 'applied' && settings !== null;
  return (
    <>
      <p>
        <Tag minimal>{isSet ? t('Settings changed') : t(PROCESSING_LABELS[status])}</Tag>{' '}
        <span className="strong">{title}</span>
      </p>
      <FixRun store={store} mayFix={mayFix} />
      {failure !== null && status !== 'processing' && <Callout intent="warning">{t(failure)}</Callout>}
      <AiShareLine attributes={attributes} />
      {(status === 'ready' || attributes.reference_url !== null) && <PullRequestPlace attributes={attributes} />}
      <TicketLines tickets={tickets} />
      {remarks.length > 0 && (
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{t(remark)}</li>
          ))}
        </ul>
      )}
      {settings !== null && <SettingChanges settings={settings} />}
      {diff !== null && <DiffView diff={diff} />}
      {settings === null && diff === null && description !== '' && (
        <Suspense fallback={<p className="description t2">{description}</p>}>
          <SafeMarkdown text={description} />
        </Suspense>
      )}
      {mayFix && (
        <Link to={patchHref(attributes.finding_id)}>
          {diff === null ? t('Open the fix on its own page') : t('Review and edit the patch')}
        </Link>
      )}
    </>
  );
});

export interface FixPanelProps {
  /** Of the finding. */
  id: string;
  /** What a key asked for, with a number that grows at each press. */
  request: { kind: 'generate' | 'open'; count: number } | undefined;
  /** The status of the finding may be another one now. */
  onChanged: () => void;
}

/** Does what a key asked for, once, as soon as the fix is read. */
const useRequest = (store: FixStore, mayFix: boolean, { request, onChanged }: FixPanelProps): void => {
  const [handled, setHandled] = useState(0);
  const isRead = store.remediation !== undefined;
  const wanted = request !== undefined && request.count > handled && isRead && mayFix ? request : undefined;
  useEffect(() => {
    if (wanted === undefined) return;
    setHandled(wanted.count);
    const work = wanted.kind === 'generate' ? store.generate('pull_request') : store.open();
    void work.then((isDone) => (isDone ? onChanged() : undefined));
  }, [wanted, store, onChanged]);
};

/** The fix of a finding: generated, looked at with branch and target, and opened. */
export const FixPanel = observer(function FixPanel(props: FixPanelProps) {
  const { id, onChanged } = props;
  const { user } = useService(SESSION);
  const store = useFix(id);
  const mayFix = can(user?.role, 'findings.fix');
  useRequest(store, mayFix, props);
  if (store.error !== undefined)
    return <ErrorState title={t('The fix could not be read')} error={store.error} onRetry={() => void store.load()} />;
  if (store.remediation === undefined) return <SkeletonRows rows={4} rowHeight={32} label={t('The fix')} />;
  return (
    <div className="fix-panel">
      {store.problems.map((problem) => (
        <Callout key={problem} intent="danger" role="alert">
          {problem}
        </Callout>
      ))}
      <FixText store={store} mayFix={mayFix} />
      {mayFix && <TemplateForm store={store} onChanged={onChanged} />}
      {mayFix && <FixActions store={store} onChanged={onChanged} />}
    </div>
  );
});
