import { Button } from '@blueprintjs/core';
import { PredictiveAnalysis } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { type Availability, getAssessmentAvailability } from '../../api/assessment-routes.ts';

/** Asks a model about the selected findings; not shown where the organisation did not switch it on. */
export function AssessVerb({ onAsk }: { onAsk: () => void }) {
  const api = useService(API);
  const [now, setNow] = useState<Static<typeof Availability> | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    // what cannot be asked is not offered
    api.call(getAssessmentAvailability, { signal: abort.signal }).then(
      ({ data }) => setNow(data),
      () => undefined,
    );
    return () => abort.abort();
  }, [api]);
  if (now === undefined || now.availability === 'off') return null;
  return (
    <Button
      variant="minimal"
      icon={<PredictiveAnalysis />}
      text={t('Ask AI')}
      title={t(now.unavailable_because ?? msg('Ask AI which of them are false positives'))}
      disabled={now.availability !== 'available'}
      onClick={onAsk}
    />
  );
}
