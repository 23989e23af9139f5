import { Document } from '@blueprintjs/icons';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadSafeMarkdown } from '../../../findings/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { getTerms } from '../../api/terms-routes.ts';
import './terms.css';

const SafeMarkdown = lazy(async () => ({ default: await loadSafeMarkdown() }));

/** `/terms-conditions`: the text that the operator of the installation published. */
export function TermsScreen() {
  const api = useService(API);
  const [text, setText] = useState<string | null>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the person asks for it
  useEffect(() => {
    const leaving = new AbortController();
    api.call(getTerms, { signal: leaving.signal }).then(
      ({ data }) => setText(data.text),
      (failure: unknown) => {
        if (!isAbort(failure)) setError(failure);
      },
    );
    return () => leaving.abort();
  }, [api, attempt]);
  const retry = () => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  if (error !== undefined) return <ErrorState title={t('The terms could not be read')} error={error} onRetry={retry} />;
  const waiting = <SkeletonRows rows={8} rowHeight={24} label={t('Terms and conditions')} />;
  return (
    <div className="canvas">
      <PageHead title={t('Terms and conditions')} />
      <div className="page terms">
        {text === undefined && waiting}
        {text === null && (
          <EmptyState icon={<Document size={20} />} title={t('No terms are published')}>
            {t('Whoever runs this installation has published none. They do so with BREAKWATER_TERMS_FILE.')}
          </EmptyState>
        )}
        {typeof text === 'string' && (
          <Suspense fallback={waiting}>
            <SafeMarkdown text={text} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
