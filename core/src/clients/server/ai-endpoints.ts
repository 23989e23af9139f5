import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import {
  getAiConfiguration,
  saveAiConfiguration,
  testAiConnection,
  testRemediatorConnection,
} from '../api/ai-routes.ts';
import { readAiConfiguration } from './client-detail.ts';
import { type ClientDeps, notifyChanged } from './deps.ts';
import { probeAiForm, saveAiForms } from './save-config.ts';

/** The connections to models, under the names of the specification; they are stored by their cards. */
export const aiEndpoints = (deps: ClientDeps): Endpoint[] => [
  tenantEndpoint(getAiConfiguration)(async ({ db, caller }) => ({
    data: await readAiConfiguration(deps.connections, db, caller.clientId),
  })),
  callerEndpoint(saveAiConfiguration)(async ({ caller, body }) => {
    await saveAiForms(deps, caller, body, []);
    return deps.database.forClient(caller.clientId, async (db) => {
      await notifyChanged(db, caller.clientId);
      return { data: await readAiConfiguration(deps.connections, db, caller.clientId) };
    });
  }),
  callerEndpoint(testAiConnection)(({ caller, body }) =>
    probeAiForm(deps, caller, { name: 'validation', values: body.validation }),
  ),
  callerEndpoint(testRemediatorConnection)(({ caller, body }) =>
    probeAiForm(deps, caller, { name: 'remediator', values: body.remediator }),
  ),
];
