import type {
  Cloud,
  ConnectorRoute,
  CredentialMigration,
  FindingsSource,
  Remediator,
  Scanner,
  Webhook,
} from './capability-contracts.ts';
import type { AnyConnector, Auth } from './connector.ts';
import type { Ctx } from './context.ts';
import type { CredentialSchema } from './credentials.ts';
import type { Notify } from './notify/notify.ts';
import type { Plugin } from './plugin.ts';
import { PluginError } from './plugin.ts';
import type { Scm } from './scm/scm.ts';
import type { Tickets } from './tickets/tickets.ts';

/** Who the credentials belong to, as the service says; shown on the card after "Test connection". */
export interface Identity {
  /** Account, user or organisation. */
  identity: string;
  /** Rights of the credentials, in the service's words. */
  scopes?: readonly string[];
}

/** Asks the service who we are, within 30 s. @throws ConnectorError whose code decides the state of the connection. */
export type Check<S extends CredentialSchema = CredentialSchema> = (ctx: Ctx<S>) => Promise<Identity>;

/** What the code of one connector may bring besides `check`. Everything gets a `Ctx` and nothing else. */
interface Abilities<S extends CredentialSchema> {
  readonly scm?: Scm<S>;
  readonly scanner?: Scanner;
  readonly cloud?: Cloud<S>;
  readonly remediator?: Remediator<S>;
  readonly tickets?: Tickets<S>;
  readonly notify?: Notify<S>;
  readonly findings?: FindingsSource<S>;
  readonly routes?: readonly ConnectorRoute<S>[];
  readonly webhook?: Webhook<S>;
  readonly migrate?: readonly CredentialMigration[];
}

/** Code of one connector. A connector that signs its requests must have `check`. */
export type ConnectorCode<S extends CredentialSchema, A extends Auth> = Abilities<S> &
  (A extends { readonly type: 'none' }
    ? { check?(ctx: Ctx<S>): Promise<Identity> }
    : { check(ctx: Ctx<S>): Promise<Identity> });

/** Code of any connector, as the host handles it. */
export interface AnyConnectorCode extends Abilities<CredentialSchema> {
  readonly check?: Check;
}

/** Code of all connectors of a plugin by id; those that sign their requests may not be left out. */
export type PluginCode<C extends readonly AnyConnector[]> = {
  readonly [Id in SignedId<C[number]>]: CodeOf<WithId<C[number], Id>>;
} & {
  readonly [Id in Exclude<C[number]['id'], SignedId<C[number]>>]?: CodeOf<WithId<C[number], Id>>;
};

/** Ids of the connectors that sign their requests. */
type SignedId<K extends AnyConnector> = K extends { readonly auth: { readonly type: 'none' } } ? never : K['id'];
type WithId<K extends AnyConnector, Id extends string> = Extract<K, { readonly id: Id }>;
type CodeOf<K extends AnyConnector> = ConnectorCode<K['credentials'], K['auth']>;

/** The code of a plugin, bound to its manifest. */
export interface PluginServer {
  readonly pluginId: string;
  readonly connectors: Readonly<Record<string, AnyConnectorCode>>;
}

/**
 * Attaches code to a manifest. Call it in `src/server/index.ts` and export the result as `server`.
 * The types hold each function to the form of its connector; at run time the ids are checked again, for plugins in plain JavaScript.
 * @throws PluginError when code belongs to no connector of the plugin, or a required `check` is missing.
 */
export function defineServer<const C extends readonly AnyConnector[]>(
  plugin: Plugin<C>,
  code: PluginCode<C>,
): PluginServer;
export function defineServer(plugin: Plugin, code: PluginServer['connectors']): PluginServer {
  const connectors = new Map(plugin.connectors.map((connector) => [connector.id, connector]));
  const strangers = Object.keys(code)
    .filter((id) => !connectors.has(id))
    .map((id) => `plugin "${plugin.id}": the code of "${id}" belongs to no connector`);
  const missing = plugin.connectors
    .filter((connector) => connector.auth.type !== 'none' && typeof code[connector.id]?.check !== 'function')
    .map((connector) => `plugin "${plugin.id}", connector "${connector.id}": check is missing`);
  if (strangers.length + missing.length > 0) throw new PluginError([...strangers, ...missing]);
  return { pluginId: plugin.id, connectors: code };
}
