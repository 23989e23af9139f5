import type { AnyConnector } from '../connector.ts';
import type { Log, Store } from '../context.ts';

/** One connection as the host hands it to the runtime. One object for as long as the connection is open: a token is renewed once per object. */
export interface HostConnection {
  readonly connector: AnyConnector;
  /** Whose it is: code that runs outside of the host never meets that of another owner. */
  readonly owner?: string;
  /** Stored fields that are no secrets; others are ignored. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Reads a secret when it is needed; after `refreshToken` the new one. */
  secret(field: string): Promise<string | undefined>;
  /** Replaces the origin of `baseUrl`, of every service and of the OAuth addresses. Its host is trusted: it may be private. */
  readonly baseUrlOverride?: URL;
  readonly store: Store;
  readonly log: Log;
  /** OAuth 2.0: renews the stored access token, once for everybody who waits. @throws ConnectorError auth */
  refreshToken?(): Promise<void>;
  /** The connector's code is about to read this secret. It is awaited; where it throws, nothing is read. */
  audit?(field: string): void | Promise<void>;
}
