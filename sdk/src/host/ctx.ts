import type { Ctx, Json, Store } from '../context.ts';
import type { CredentialSchema } from '../credentials.ts';
import { ConnectorError } from '../errors.ts';
import { maskedLog, secretsOf } from './auth/secrets.ts';
import type { HostConnection } from './connection.ts';
import type { EgressGate } from './egress/egress-gate.ts';
import { publicConfig } from './egress/roots.ts';
import { createHttp } from './http/http.ts';
import { NOBODY, setOwner } from './isolation/owners.ts';
import { type HttpLimits, LIMITS } from './limits.ts';

export interface CtxOptions {
  /** Of the step, from `runStep`. */
  readonly signal: AbortSignal;
  readonly now?: () => Date;
  readonly limits?: Partial<HttpLimits>;
}

/** All that the code of a connector gets, for one step of one connection. */
export function createCtx(gate: EgressGate, connection: HostConnection, options: CtxOptions): Ctx<CredentialSchema> {
  const { signal, now = () => new Date(), limits = {} } = options;
  const { connector } = connection;
  const secrets = secretsOf(connection);
  const revealed = new Set<string>(connector.permissions.reveal);
  const ctx: Ctx<CredentialSchema> = Object.freeze({
    config: publicConfig(connector, connection.config),
    http: Object.freeze(createHttp({ gate, connection, secrets, signal, limits: { ...LIMITS, ...limits }, now })),
    store: connection.store,
    log: maskedLog(connection.log, secrets),
    signal,
    now,
    reveal: async (key: string) => {
      if (!revealed.has(key)) throw new TypeError(`"${key}" is not among permissions.reveal`);
      const secret = await secrets.need(key);
      // one that is not set was not revealed
      await connection.audit?.(key);
      return secret;
    },
  });
  setOwner(ctx, connection.owner ?? NOBODY);
  return ctx;
}

/** A `Store` in memory with the limit of the real one, for the kit and for tests. */
export function createMemoryStore(): Store {
  const texts = new Map<string, string>();
  const sizeOf = (key: string, text: string): number => Buffer.byteLength(key) + Buffer.byteLength(text);
  const set = (key: string, value: Json): void => {
    const text = JSON.stringify(value);
    const others = [...texts].reduce((sum, [name, kept]) => (name === key ? sum : sum + sizeOf(name, kept)), 0);
    if (others + sizeOf(key, text) > LIMITS.storeBytes) {
      throw new ConnectorError('upstream', 'ctx.store holds at most 1 MiB per connection.');
    }
    texts.set(key, text);
  };
  return {
    get: async (key) => {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    set: async (key, value) => set(key, value),
    delete: async (key) => {
      texts.delete(key);
    },
  };
}
