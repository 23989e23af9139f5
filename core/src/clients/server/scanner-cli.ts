import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { getScannerCli, removeScannerCli, saveScannerCli } from '../api/routes.ts';
import { SECTIONS } from '../model/connector-sections.ts';
import { type ClientDeps, notifyChanged } from './deps.ts';

const CONNECTOR = SECTIONS.semgrep_cli.connector;

const missingToken = (): AppError =>
  new AppError('validation_failed', undefined, {
    issues: [{ loc: ['body', 'token'], msg: msg('Enter the token.'), type: 'missing' }],
  });

/** What is stored of the token: whether, and its hint. */
const readForm = async ({ connections }: ClientDeps, db: Db, clientId: string) => {
  const { config, token } = (await connections.item(db, clientId, CONNECTOR)).attributes.fields;
  return {
    has_token: token?.set ?? false,
    token_hint: token?.hint ?? null,
    config: typeof config?.value === 'string' ? config.value : null,
  };
};

/** `/semgrep-cli`: the scanner's token and rules. Source: specification §7. */
export const scannerCliEndpoints = (deps: ClientDeps): Endpoint[] => {
  const notifyClient = (clientId: string): Promise<void> =>
    deps.database.forClient(clientId, (db) => notifyChanged(db, clientId));
  return [
    tenantEndpoint(getScannerCli)(async ({ db, caller }) => ({ data: await readForm(deps, db, caller.clientId) })),
    callerEndpoint(saveScannerCli)(async ({ caller, body, audit }) => {
      audit({ subject: CONNECTOR });
      const { clientId } = caller;
      const { has_token } = await deps.database.forClient(clientId, (db) => readForm(deps, db, clientId));
      if ((body.token ?? '').trim() === '' && !has_token) throw missingToken();
      await deps.connections.save(caller, CONNECTOR, body);
      await notifyClient(clientId);
      return { success: true };
    }),
    callerEndpoint(removeScannerCli)(async ({ caller, audit }) => {
      audit({ subject: CONNECTOR });
      await deps.connections.remove(caller, CONNECTOR);
      await notifyClient(caller.clientId);
      return { success: true };
    }),
  ];
};
