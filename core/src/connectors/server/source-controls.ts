import { AppError } from '../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../platform/model/connector-catalogue.ts';
import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import { SOURCE_CONTROLS, type SourceControlState, type SourceControls } from '../../repositories/server/index.ts';
import type { ConnectorItem } from './connection/connector-item.ts';
import type { Connections } from './connections.ts';

/** States in which its repositories can be listed. */
const USABLE: ReadonlySet<string> = new Set(['connected', 'syncing', 'checking']);

/** Why a connection cannot be used now, for people; null where it can. */
export const connectionProblem = ({ attributes }: ConnectorItem): string | null => {
  const { title, disabled, enabled, is_configured, state, state_detail } = attributes;
  if (disabled !== null) return disabled;
  if (!enabled) return sayEnglish('{title} is switched off.', { title });
  if (!is_configured) return sayEnglish('{title} is not connected yet.', { title });
  return USABLE.has(state)
    ? null
    : (state_detail.message ?? sayEnglish('The connection to {title} has to be looked at.', { title }));
};

const stateOf = (id: string, item: ConnectorItem, hasAccount: boolean): SourceControlState => {
  const { title, disabled, enabled } = item.attributes;
  if (!hasAccount) {
    const problem = disabled ?? (enabled ? null : sayEnglish('{title} is switched off.', { title }));
    return { id, title, hasAccount, isConnected: false, problem };
  }
  const problem = connectionProblem(item);
  return { id, title, hasAccount, isConnected: problem === null, problem };
};

/** The source controls as the repositories need them: how each connection stands, and what it lists. */
export const createSourceControls = (connections: Connections): SourceControls => {
  const can = async (db: Db, clientId: string, connectorId: string): Promise<boolean> =>
    (await connections.capability({ clientId, connectorId }, 'scm', db)) !== null;
  /** What the organisation added that reads repositories. */
  const added = async (db: Db, clientId: string): Promise<CatalogueEntry[]> => {
    const entries = (await connections.entries(db, clientId)).filter((entry) => entry.clientId === clientId);
    const found: CatalogueEntry[] = [];
    for (const entry of entries) if (await can(db, clientId, entry.connector.id)) found.push(entry);
    return found;
  };
  return {
    list: async (db, clientId) => {
      const states: SourceControlState[] = [];
      for (const id of SOURCE_CONTROLS)
        states.push(stateOf(id, await connections.item(db, clientId, id), await can(db, clientId, id)));
      for (const { connector } of await added(db, clientId))
        states.push(stateOf(connector.id, await connections.item(db, clientId, connector.id), true));
      return states;
    },
    addedTitles: async (db, clientId) =>
      new Map((await added(db, clientId)).map(({ connector: { id, title } }) => [id, title])),
    refusal: async (clientId, sourceControl) => {
      const entry = await connections.entry(clientId, sourceControl);
      const isKnown =
        SOURCE_CONTROLS.some((id) => id === sourceControl) ||
        (entry !== null && (await connections.capability({ clientId, connectorId: sourceControl }, 'scm')) !== null);
      if (!isKnown)
        return sayEnglish('There is no source control “{name}”. GET /sources_control lists those that there are.', {
          name: sourceControl,
        });
      return entry?.connector.disabled?.reason ?? null;
    },
    read: async ({ clientId, sourceControl, timeoutMs, signal }, work) => {
      const connectionKey = { clientId, connectorId: sourceControl };
      const scm = await connections.capability(connectionKey, 'scm');
      if (scm === null) {
        const why = msg('Repositories of this source control cannot be listed: name them by their address.');
        throw new AppError('conflict', why);
      }
      return connections.use(connectionKey, (ctx) => work(scm, ctx), { timeoutMs, signal });
    },
  };
};
