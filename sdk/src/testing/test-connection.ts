import type { AnyConnector } from '../connector.ts';
import type { Ctx, Log, Store } from '../context.ts';
import { type CredentialSchema, secretKeys } from '../credentials.ts';
import { type ConnectorError, isConnectorError } from '../errors.ts';
import { createCtx, createEgressGate, createMemoryStore } from '../host/index.ts';

/** A connection of a test. */
export interface TestConnection {
  /** The whole form, secrets included. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Address of the fake service. It takes the place of the connector's own, as an operator's base URL does. */
  readonly baseUrl: URL;
  /** Default: now. */
  readonly now?: Date;
  readonly signal?: AbortSignal;
  readonly store?: Store;
}

/** The `Ctx` that a connector's code gets, made by the host's own runtime: only the service is a fake. */
export function openTestConnection(connector: AnyConnector, connection: TestConnection): Ctx<CredentialSchema> {
  const { values, baseUrl, now, signal = AbortSignal.timeout(60_000), store = createMemoryStore() } = connection;
  const secrets = new Set<string>(secretKeys(connector.credentials));
  const gate = createEgressGate({ allowPrivateHosts: false, trusted: [baseUrl.host] });
  const host = {
    connector,
    config: Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name))),
    secret: async (field: string) => {
      const value = secrets.has(field) ? values[field] : undefined;
      return typeof value === 'string' ? value : undefined;
    },
    baseUrlOverride: baseUrl,
    store,
    log: silentLog,
  };
  return createCtx(gate, host, { signal, ...(now === undefined ? {} : { now: () => now }) });
}

/** Of a connection that nobody reads the log of. */
export const silentLog: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** The refusal of work that must fail. @throws whatever else it failed with, or an error where it did not fail */
export async function refusalOf(work: Promise<unknown>): Promise<ConnectorError> {
  const reason: unknown = await work.then(
    () => new Error('It was expected to fail and did not.'),
    (error: unknown) => error,
  );
  if (isConnectorError(reason)) return reason;
  throw reason;
}

/** Everything that a sequence yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
