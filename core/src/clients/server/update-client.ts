import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import type { ClientSettings } from '../api/routes.ts';
import { changeCompany } from '../model/company.ts';
import { type ClientDeps, tellChanged } from './deps.ts';
import './tables.ts';

type Settings = Static<typeof ClientSettings>;

/** The ticket webhook is a connector's form: its faults name the setting. */
const saveWebhook = async (
  { connections }: ClientDeps,
  caller: Caller,
  webhook: NonNullable<Settings['issue_webhook']> | null,
): Promise<void> => {
  if (webhook === null) return connections.remove(caller, 'webhook');
  try {
    await connections.save(caller, 'webhook', webhook);
  } catch (error) {
    if (!(error instanceof AppError) || error.faults === undefined) throw error;
    const faults = error.faults.map((fault) => ({ ...fault, loc: ['body', 'issue_webhook', ...fault.loc.slice(2)] }));
    throw new AppError('validation_failed', undefined, { faults, cause: error });
  }
};

/** Changes the given settings and nothing else. @throws validation_failed, conflict */
export const changeClient = async (deps: ClientDeps, caller: Caller, settings: Settings): Promise<void> => {
  const { company, issue_webhook, subscription, ...columns } = settings;
  // first what may be refused
  if (issue_webhook !== undefined) await saveWebhook(deps, caller, issue_webhook);
  const changes = {
    ...columns,
    ...(subscription === undefined ? {} : { subscription_tier: subscription.tier }),
  };
  await deps.database.forClient(caller.clientId, async (db) => {
    if (company !== undefined) {
      const { company: stored } = await db
        .selectFrom('clients')
        .select('company')
        .where('id', '=', caller.clientId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      await db
        .updateTable('clients')
        .set({ company: JSON.stringify(changeCompany(stored, company)) })
        .where('id', '=', caller.clientId)
        .execute();
    }
    if (Object.keys(changes).length > 0) {
      await db.updateTable('clients').set(changes).where('id', '=', caller.clientId).execute();
    }
    await tellChanged(db, caller.clientId);
  });
};
