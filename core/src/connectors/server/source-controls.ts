import { AppError } from '../../platform/model/app-error.ts';
import type { ConnectorCatalogue } from '../../platform/model/connector-catalogue.ts';
import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { SourceControlState, SourceControls } from '../../repositories/server/index.ts';
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

const stateOf = (item: ConnectorItem, hasAccount: boolean): SourceControlState => {
  const { title, disabled, enabled } = item.attributes;
  if (!hasAccount) {
    const problem = disabled ?? (enabled ? null : sayEnglish('{title} is switched off.', { title }));
    return { title, hasAccount, isConnected: false, problem };
  }
  const problem = connectionProblem(item);
  return { title, hasAccount, isConnected: problem === null, problem };
};

/** The source controls as the repositories need them: how each connection stands, and what it lists. */
export const createSourceControls = (catalogue: ConnectorCatalogue, connections: Connections): SourceControls => ({
  state: async (db, clientId, sourceControl) => {
    const hasAccount = catalogue.capability('scm', sourceControl) !== null;
    return stateOf(await connections.item(db, clientId, sourceControl), hasAccount);
  },
  read: ({ clientId, sourceControl, timeoutMs, signal }, work) => {
    const scm = catalogue.capability('scm', sourceControl);
    if (scm === null) {
      const why = msg('Repositories of this source control cannot be listed: name them by their address.');
      throw new AppError('conflict', why);
    }
    return connections.use({ clientId, connectorId: sourceControl }, (ctx) => work(scm, ctx), { timeoutMs, signal });
  },
});
