import { Button } from '@blueprintjs/core';
import { Offline } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { generateCannyToken } from '../api/widget-routes.ts';
import { loadCanny } from './load-canny.ts';

interface CannyBoardProps {
  scriptUrl: string;
  boardToken: string;
}

/** The operator's board at Canny, which knows who is signed in here. */
export function CannyBoard({ scriptUrl, boardToken }: CannyBoardProps) {
  const api = useService(API);
  const [error, setError] = useState<unknown>();
  const [isUnreachable, setIsUnreachable] = useState(false);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt begins anew
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const begin = async () => {
      const { data } = await api.call(generateCannyToken, { signal });
      const canny = await loadCanny(scriptUrl).catch(() => undefined);
      if (signal.aborted) return;
      if (canny === undefined) {
        setIsUnreachable(true);
        return;
      }
      canny('render', { boardToken, basePath: '/feedback', ssoToken: data.token });
    };
    begin().catch((failure: unknown) => {
      if (!signal.aborted && !isAbort(failure)) setError(failure);
    });
    return () => leaving.abort();
  }, [api, scriptUrl, boardToken, attempt]);
  const retry = () => {
    setError(undefined);
    setIsUnreachable(false);
    setAttempt((count) => count + 1);
  };
  return (
    <div className="list-page">
      <PageHead title={t('Feedback')} />
      {isUnreachable && (
        <EmptyState
          icon={<Offline size={20} />}
          title={t('The board could not be loaded')}
          actions={<Button text={t('Try again')} onClick={retry} />}
        >
          {t('Canny cannot be reached from this browser.')}
        </EmptyState>
      )}
      {error !== undefined && <ErrorState title={t('The board could not be loaded')} error={error} onRetry={retry} />}
      {error === undefined && !isUnreachable && <div className="feedback-canny" data-canny={true} />}
    </div>
  );
}
