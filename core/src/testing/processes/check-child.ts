import { checkSchema } from '@breakwater/host-server/http/validation.ts';
import { createLogger } from '@breakwater/host-server/logger.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import { createEgressGate } from '@breakwater/sdk/host';
import { planLimits } from '../../billing/server/index.ts';
import { runDue } from '../../connectors/server/runs/connection-jobs.ts';
import { createDatabase } from '../../platform/server/database.ts';
import { createKeyRing } from '../../platform/server/key-ring.ts';
import { createVault } from '../../platform/server/vault.ts';
import { createPluginRegistry } from '../../shell/plugins/index.ts';
import { probePlugin } from '../connectors/probe-plugin.ts';

/** A process that does what is due for one connection, to be killed in the middle of it. Arguments: connection string, client, connector, key. */
const [url = '', clientId = '', connectorId = '', key = ''] = process.argv.slice(2);
await runDue(
  {
    database: createDatabase(createAppPool(url)),
    vault: createVault(createKeyRing([Buffer.from(key, 'base64')])),
    catalogue: createPluginRegistry([probePlugin]),
    added: { refresh: async () => undefined },
    planLimits,
    jobs: { enqueue: async () => undefined },
    log: createLogger('silent'),
    gate: createEgressGate({ allowPrivateHosts: true }),
    providerBaseUrls: new Map(),
    oauthClients: new Map(),
    publicOrigin: undefined,
    proofKeyOf: (state) => state,
    checkSchema,
    checkTexts: checkSchema,
  },
  { clientId, connectorId },
);
