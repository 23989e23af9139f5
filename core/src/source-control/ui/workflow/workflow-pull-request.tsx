import { Button } from '@blueprintjs/core';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Static } from 'typebox';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { LIVE_EVENTS, REPOSITORY_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import {
  createWorkflowPullRequest,
  getWorkflowAvailability,
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
      {files.length === 0 && <p>{t('The pipeline is there already.')}</p>}
      {files.length > 0 && (
        <p className="wrap-any">
          <Words of="From {branch} into {target}" branch={<code>{branch}</code>} target={<code>{into}</code>} />
        </p>
      )}
      {files.map(({ path, content }) => (
        <div key={path}>
          <p className="posture-name wrap-any">{path}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a file that scrolls has to be reachable by keyboard */}
          <section className="workflow-file" tabIndex={0} aria-label={t('Content of {path}', { path })}>
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
          <Link to="/connector/tools?open=miscellaneous/plexalyzer">{t('API tokens')}</Link>
        ) : (
          t('An admin of your organisation makes API tokens.')
        )}
      </p>
    </>
  );
}

interface Availability {
  readonly is_available: boolean;
  readonly problem: string | null;
}

/** Whether a pull request can be opened, read now and whenever something of the repository changed. */
function useAvailability(repositoryId: string) {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [availability, setAvailability] = useState<Availability>();
  const [error, setError] = useState<unknown>();
  const [call] = useState(() => new LatestCall());
  const load = useCallback(() => {
    void call.run(
      (signal) => api.call(getWorkflowAvailability, { params: { id: repositoryId }, signal }),
      ({ data }) => {
        setAvailability(data);
        setError(undefined);
      },
      setError,
    );
  }, [api, call, repositoryId]);
  useEffect(() => {
    load();
    const stops = [...REPOSITORY_EVENTS.map((kind) => events.on<unknown>(kind, load)), events.onReconnect(load)];
    return () => {
      for (const stop of stops) stop();
      call.dispose();
    };
  }, [load, events, call]);
  return { availability, error, load };
}

function Proposal({ opened, availability }: { opened: string | undefined; availability: Availability }) {
  if (opened !== undefined) {
    return (
      <p className="wrap-any">
        <a href={opened} target="_blank" rel="noreferrer noopener">
          {t('Pull request with the pipeline')}
        </a>
      </p>
    );
  }
  if (availability.problem !== null) return <p className="muted wrap-any">{t(availability.problem)}</p>;
  return (
    <p className="muted">{t('A pull request can add a pipeline that scans every change and uploads the report.')}</p>
  );
}

/** Proposes a pipeline that scans and uploads, by a pull request; what it holds is shown before anything is written. */
export function WorkflowPullRequest({ repositoryId }: { repositoryId: string }) {
  const role = useService(SESSION).user?.role;
  return can(role, 'findings.fix') ? <PipelineCard repositoryId={repositoryId} /> : null;
}

function PipelineCard({ repositoryId }: { repositoryId: string }) {
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
  const { availability, error, load } = useAvailability(repositoryId);
  return (
    <section className="bp6-card" aria-label={t('Pipeline')}>
      <div className="row card-head">
        <h2 className="grow">{t('Pipeline')}</h2>
        {availability?.is_available === true && (
          <Button
            size="small"
            text={t('Propose a pipeline')}
            loading={isBusy && preview === undefined}
            onClick={() => void look()}
          />
        )}
      </div>
      {error !== undefined && <ErrorState title={t('The pipeline could not be read')} error={error} onRetry={load} />}
      {availability === undefined && error === undefined && (
        <SkeletonRows rows={1} rowHeight={34} label={t('Pipeline')} />
      )}
      {availability !== undefined && <Proposal opened={opened} availability={availability} />}
      <ActionDialog
        isOpen={preview !== undefined}
        title={t('Propose a pipeline by a pull request')}
        actionLabel={t('Open pull request')}
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
