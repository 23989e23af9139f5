import { lazy, Suspense, useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ConnectionSettings } from '../../../connectors/ui/index.ts';
import { msg } from '../../../platform/model/message.ts';
import { API, type ApiClient } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { fixPort } from '../../../remediation/ui/index.ts';
import { testAiConnection, testRemediatorConnection } from '../../api/ai-routes.ts';
import { AnalysisSwitch } from './analysis-switch.tsx';
import './ai-screen.css';

const AiMonth = lazy(async () => ({ default: await fixPort.loadAiMonth() }));

type Values = Record<string, unknown>;

/** What models are used for, each with a connection of its own. */
const USES = [
  {
    key: 'remediator',
    label: msg('Fixes'),
    connector: 'ai_remediator',
    test: (api: ApiClient, values: Values) => api.call(testRemediatorConnection, { body: { remediator: values } }),
  },
  {
    key: 'validation',
    label: msg('False positives'),
    connector: 'ai_validation',
    test: (api: ApiClient, values: Values) => api.call(testAiConnection, { body: { validation: values } }),
  },
] as const;
const [FIXES] = USES;

/** `/settings/ai`: the models of the organisation, and what was used of them. */
export function AiScreen() {
  const api = useService(API);
  const [params, setParams] = useSearchParams();
  const use = USES.find(({ key }) => key === params.get('open')) ?? FIXES;
  const test = useCallback(
    async (values: Values): Promise<string> => {
      const { identity } = (await use.test(api, values)).data;
      return identity === null ? t('The model answers.') : t('{identity} answers.', { identity });
    },
    [api, use],
  );
  return (
    <div className="canvas connectors">
      <PageHead title={t('AI')} />
      <div className="page ai-settings">
        <Suspense fallback={null}>
          <AiMonth />
        </Suspense>
        <fieldset className="bp6-segmented-control conn-tabs">
          <legend className="sr">{t('What the model is for')}</legend>
          {USES.map(({ key, label }) => (
            <button
              key={key}
              type="button"
              className={`bp6-button bp6-segment ${key === use.key ? 'is-on' : ''}`}
              aria-pressed={key === use.key}
              onClick={() => setParams(key === FIXES.key ? {} : { open: key })}
            >
              {t(label)}
            </button>
          ))}
        </fieldset>
        {use.key === 'validation' && <AnalysisSwitch />}
        <ConnectionSettings key={use.connector} id={use.connector} onTest={test} />
      </div>
    </div>
  );
}
