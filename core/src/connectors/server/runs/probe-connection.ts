import { isConfigured } from '@breakwater/sdk';
import { LIMITS, runStep, type SecretMask } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import { openContext, readUpgraded, type TrialFields } from '../connection/connector-context.ts';
import { missingTitles, storedFields } from '../connection/connector-item.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import type { ConnectionRecord } from '../connection/read-connections.ts';
import { lostSecrets, soundChange, withChange } from '../save-connection.ts';
import { refuseClosed } from './run-check.ts';
import type { ConnectionCtx } from './run-with-connection.ts';

export interface ProbeOrder extends ConnectionKey {
  readonly entry: CatalogueEntry;
  /** As in a save: fields left out are as they are stored. Undefined: all of them. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
}

/** The fields as a save of the values would leave them. A stored secret never goes to a host that it was not stored for. */
const trialOf = (deps: ConnectionsDeps, { entry, values = {} }: ProbeOrder, record: ConnectionRecord): TrialFields => {
  const change = soundChange(deps, { entry, values });
  const config = withChange(record.config, change);
  const lost = lostSecrets(deps, { entry }, { record }, { change, config });
  return { config, secrets: change.secrets, withheld: [...change.clearedSecrets, ...lost] };
};

/** @throws integration_not_configured with the fields that are missing; those of `except` may be */
const requireComplete = (
  entry: CatalogueEntry,
  { record, trial, except }: { record: ConnectionRecord; trial: TrialFields; except: readonly string[] },
): void => {
  const hints = Object.fromEntries([
    ...Object.entries(record.hints).filter(([field]) => !trial.withheld.includes(field)),
    ...[...trial.secrets.keys()].map((field) => [field, ''] as const),
  ]);
  const fields = { config: trial.config, hints };
  const excepted = Object.fromEntries(except.map((field) => [field, '-'] as const));
  if (isConfigured(entry.connector, { ...excepted, ...storedFields(entry, fields) })) return;
  const missing = missingTitles(entry, { ...fields, config: { ...excepted, ...fields.config } });
  const what = missing.length === 0 ? '' : ` Enter: ${missing.join(', ')}.`;
  throw new AppError(
    'integration_not_configured',
    say('{title} is not configured.{what}', { title: entry.connector.title, what }),
  );
};

/**
 * One step of a connector's code with fields as they are typed; nothing is stored. Fields of `except` may be missing.
 * @throws validation_failed, conflict, integration_not_configured, upstream_failed with the service's reason
 */
export const runTrial = async <T>(
  deps: ConnectionsDeps,
  order: ProbeOrder,
  work: (ctx: ConnectionCtx, mask: SecretMask) => Promise<T>,
  { timeoutMs, except = [] }: { timeoutMs: number; except?: readonly string[] },
): Promise<T> => {
  const { entry, clientId, connectorId } = order;
  const connectionKey = { clientId, connectorId };
  const record = await readUpgraded(deps, entry, connectionKey);
  refuseClosed(entry, { record });
  const trial = trialOf(deps, order, record);
  requireComplete(entry, { record, trial, except });
  const open = openContext(deps, entry, { connectionKey, record, trial });
  const outcome = await runStep((signal) => work(open.ctx(signal), open.mask), { timeoutMs });
  if (outcome.ok) return outcome.value;
  const { message, help } = outcome.error;
  throw new AppError('upstream_failed', open.mask.text([message, help ?? []].flat().join(' ')));
};

/** Asks the service who we would be with these fields. @throws what `runTrial` throws */
export const probeConnection = (deps: ConnectionsDeps, order: ProbeOrder): Promise<{ identity: string | null }> => {
  const check = deps.catalogue.capability('check', order.connectorId);
  const ask = async (ctx: ConnectionCtx, mask: SecretMask) =>
    check === null ? { identity: null } : { identity: mask.text((await check(ctx)).identity) };
  return runTrial(deps, order, ask, { timeoutMs: LIMITS.checkMs });
};
