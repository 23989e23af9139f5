import type { Ctx } from '../context.ts';
import type { CredentialSchema } from '../credentials.ts';
import type { HostConnection } from './connection.ts';
import type { EgressGate } from './egress-gate.ts';
import { createHttp } from './http.ts';
import { type HttpLimits, LIMITS } from './limits.ts';
import { maskedLog } from './masked-log.ts';
import { publicConfig } from './public-config.ts';
import { secretsOf } from './secrets.ts';

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
  return Object.freeze({
    config: publicConfig(connector, connection.config),
    http: Object.freeze(createHttp({ gate, connection, secrets, signal, limits: { ...LIMITS, ...limits }, now })),
    store: connection.store,
    log: maskedLog(connection.log, secrets),
    signal,
    now,
    reveal: async (key: string) => {
      if (!revealed.has(key)) throw new TypeError(`"${key}" is not among permissions.reveal`);
      await connection.audit?.(key);
      return secrets.need(key);
    },
  });
}
