import { Switch } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { updateClient } from '../../api/routes.ts';
import { readClient } from '../read-client.ts';

/** Whether a model may judge findings. It proposes; people decide. */
export function AnalysisSwitch() {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const { user } = useService(SESSION);
  const [isOn, setIsOn] = useState<boolean>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    readClient(api, abort.signal)
      .then(({ enable_false_positive_analysis }) => setIsOn(enable_false_positive_analysis === true))
      .catch((error: unknown) => {
        if (!isAbort(error)) toasts.showError(error);
      });
    return () => abort.abort();
  }, [api, toasts]);
  const save = async (isWanted: boolean) => {
    setIsBusy(true);
    try {
      await api.call(updateClient, { body: { enable_false_positive_analysis: isWanted } });
      setIsOn(isWanted);
      toasts.show(isWanted ? t('Analysis of false positives is on') : t('Analysis of false positives is off'), {
        tone: 'done',
      });
    } catch (error) {
      toasts.showError(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className="ai-analysis">
      <Switch
        className="switch"
        label={t('Let a model judge whether findings are false positives')}
        checked={isOn ?? false}
        disabled={isOn === undefined || isBusy || !can(user?.role, 'settings.write')}
        onChange={() => void save(isOn !== true)}
      />
      <p className="t2 small">
        {t(
          'It proposes a verdict with its reasons, when somebody asks for it; people decide. Without a model of its own, the model of the fixes is asked.',
        )}
      </p>
    </div>
  );
}
