import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Static } from 'typebox';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import {
  createWorkflowPullRequest,
  previewWorkflowPullRequest,
  type WorkflowPreview,
} from '../../api/workflow-routes.ts';
import '../posture/posture.css';

type Preview = Static<typeof WorkflowPreview>;

/** What would be committed where, and what a person has to do besides. */
function PreviewText({ preview, mayMakeTokens }: { preview: Preview; mayMakeTokens: boolean }) {
  const { branch, into, files, steps } = preview;
  return (
    <>
      {files.length === 0 && <p>The pipeline is there already.</p>}
      {files.length > 0 && (
        <p className="wrap-any">
          From <code>{branch}</code> into <code>{into}</code>
        </p>
      )}
      {files.map(({ path, content }) => (
        <div key={path}>
          <p className="posture-name wrap-any">{path}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a file that scrolls has to be reachable by keyboard */}
          <section className="workflow-file" tabIndex={0} aria-label={`Content of ${path}`}>
            <pre>{content}</pre>
          </section>
        </div>
      ))}
      <ol className="small">
        {steps.map((step) => (
          <li key={step}>{step.replaceAll('`', '')}</li>
        ))}
      </ol>
      <p className="small">
        {mayMakeTokens ? (
          <Link to="/connector/tools?open=miscellaneous/plexalyzer">API tokens</Link>
        ) : (
          'An admin of your organisation makes API tokens.'
        )}
      </p>
    </>
  );
}

/** Proposes a pipeline that scans and uploads, by a pull request; what it holds is shown before anything is written. */
export function WorkflowPullRequest({ repositoryId }: { repositoryId: string }) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const role = useService(SESSION).user?.role;
  const [preview, setPreview] = useState<Preview>();
  const [isBusy, setIsBusy] = useState(false);
  const [opened, setOpened] = useState<string>();
  const params = { id: repositoryId };
  const run = async (work: () => Promise<void>) => {
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      toasts.showError(error);
    } finally {
      setIsBusy(false);
    }
  };
  const look = () => run(async () => setPreview((await api.call(previewWorkflowPullRequest, { params })).data));
  const open = () =>
    run(async () => {
      const { data } = await api.call(createWorkflowPullRequest, { params });
      setOpened(data.url);
      setPreview(undefined);
    });
  if (!can(role, 'findings.fix')) return null;
  return (
    <section className="bp6-card" aria-label="Pipeline">
      <div className="row card-head">
        <h2 className="grow">Pipeline</h2>
        <Button
          size="small"
          text="Propose a pipeline"
          loading={isBusy && preview === undefined}
          onClick={() => void look()}
        />
      </div>
      {opened === undefined ? (
        <p className="muted">A pull request can add a pipeline that scans every change and uploads the report.</p>
      ) : (
        <p className="wrap-any">
          <a href={opened} target="_blank" rel="noreferrer noopener">
            Pull request with the pipeline
          </a>
        </p>
      )}
      <ActionDialog
        isOpen={preview !== undefined}
        title="Propose a pipeline by a pull request"
        actionLabel="Open pull request"
        isBusy={isBusy}
        isActionEnabled={preview !== undefined && preview.files.length > 0}
        onAction={() => void open()}
        onClose={() => setPreview(undefined)}
      >
        {preview !== undefined && <PreviewText preview={preview} mayMakeTokens={can(role, 'tokens.manage')} />}
      </ActionDialog>
    </section>
  );
}
