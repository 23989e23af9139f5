import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { type FeedbackOptions, getFeedbackOptions } from '../api/widget-routes.ts';
import { CannyBoard } from './canny-board.tsx';
import { FeedbackBoard } from './feedback-board.tsx';
import './feedback.css';

/** `/feedback`: the operator's board at Canny where there is one, else the built-in board. */
export const FeedbackScreen = observer(function FeedbackScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [options, setOptions] = useState<FeedbackOptions>();
  const [error, setError] = useState<unknown>();
  const load = useCallback(
    async (signal?: AbortSignal) => {
      setError(undefined);
      try {
        setOptions((await api.call(getFeedbackOptions, signal === undefined ? {} : { signal })).data);
      } catch (failure) {
        if (!isAbort(failure)) setError(failure);
      }
    },
    [api],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, [load]);
  if (error !== undefined) {
    return <ErrorState title={t('The board could not be loaded')} error={error} onRetry={() => void load()} />;
  }
  if (options === undefined) return <SkeletonRows rows={6} rowHeight={88} label={t('Feedback')} />;
  if (options.canny !== null) {
    return <CannyBoard scriptUrl={options.canny.script_url} boardToken={options.canny.board_token} />;
  }
  return <FeedbackBoard isManaged={can(user?.role, 'feedback.answer')} />;
});
