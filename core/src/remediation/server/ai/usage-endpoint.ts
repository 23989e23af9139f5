import type { Static } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { type AiUsage, getAiUsage } from '../../api/ai-routes.ts';
import type { RemediationDeps } from '../source-files.ts';
import { type AiPurpose, readModel } from './ai-model.ts';
import { readUsage } from './ai-uses.ts';

type ModelState = Static<typeof AiUsage>['remediation'];

/** In these a connection may be asked. */
const USABLE: ReadonlySet<string> = new Set(['connected', 'checking']);

const stateOf = async (
  db: Db,
  deps: RemediationDeps,
  { clientId, purpose, isUsedUp }: { clientId: string; purpose: AiPurpose; isUsedUp: boolean },
): Promise<ModelState> => {
  const model = await readModel(db, deps, { clientId, purpose });
  if (model === undefined) return { state: 'not_configured', name: null };
  const { name, connectorId } = model;
  const { attributes } = await deps.connections.item(db, clientId, connectorId);
  const isConnected = attributes.gate.state === 'open' && USABLE.has(attributes.state);
  if (!isConnected) return { state: 'not_connected', name };
  return { state: isUsedUp ? 'quota_used_up' : 'ready', name };
};

/** Whether models can be asked, and what was used of them. */
export const aiUsageEndpoint = (deps: RemediationDeps): Endpoint =>
  tenantEndpoint(getAiUsage)(async ({ db, caller: { clientId } }) => {
    const limit = await deps.limits.remediationsPerMonth(db, { clientId });
    const { since, uses, inputTokens, outputTokens, costUsd } = await readUsage(db, clientId);
    const isUsedUp = limit !== null && uses >= limit;
    return {
      data: {
        remediation: await stateOf(db, deps, { clientId, purpose: 'remediation', isUsedUp }),
        validation: await stateOf(db, deps, { clientId, purpose: 'validation', isUsedUp }),
        since: since.toISOString(),
        ...{ uses, limit, input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd },
      },
    };
  });
