import type { HostTickets, Json } from '@breakwater/sdk';
import { connectionProblem } from '../../../connectors/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { RemediationDeps } from '../source-files.ts';

type Deps = Pick<RemediationDeps, 'catalogue' | 'connections'>;

/** A ticket system of an organisation. */
export interface TicketTarget {
  connectorId: string;
  title: string;
  tickets: HostTickets;
  /** Public fields of its connection. */
  config: Readonly<Record<string, Json>>;
}

/** Where tickets go when nobody says where: as before there were other systems. */
const WEBHOOK = 'webhook';
const NONE = msg('No ticket webhook or other ticket system is configured.');

/** Name of a ticket system for people; its id where its plugin is not loaded any more. */
export const targetTitle = ({ catalogue }: Pick<Deps, 'catalogue'>, connectorId: string): string =>
  catalogue.entry(connectorId)?.connector.title ?? connectorId;

/** Every connector of an organisation that takes tickets, connected or not. */
const candidates = async (db: Db, { catalogue, connections }: Deps, clientId: string) => {
  const entries = await connections.entries(db, clientId);
  return entries.flatMap(({ connector }) => {
    const tickets = catalogue.capability('tickets', connector.id);
    return tickets === null ? [] : [{ connectorId: connector.id, title: connector.title, tickets }];
  });
};

const configured = async (db: Db, deps: Deps, clientId: string): Promise<TicketTarget[]> => {
  const targets: TicketTarget[] = [];
  for (const candidate of await candidates(db, deps, clientId)) {
    const { isConfigured, config } = await deps.connections.stored(db, clientId, candidate.connectorId);
    if (isConfigured) targets.push({ ...candidate, config });
  }
  return targets;
};

/** The ticket system that is meant. @throws integration_not_configured; validation_failed, where several could be */
export const chooseTarget = async (
  db: Db,
  deps: Deps,
  { clientId, connectorId }: { clientId: string; connectorId?: string | undefined },
): Promise<TicketTarget> => {
  const targets = await configured(db, deps, clientId);
  const wanted = connectorId ?? (targets.length === 1 ? targets[0]?.connectorId : WEBHOOK);
  const found = targets.find((target) => target.connectorId === wanted);
  if (found !== undefined) return found;
  if (connectorId === undefined && targets.length > 1) {
    const ids = targets.map((target) => target.connectorId).join(', ');
    throw new AppError(
      'validation_failed',
      say('Several ticket systems are connected: name one as connector_id ({ids}).', { ids }),
    );
  }
  throw new AppError('integration_not_configured', NONE);
};

/** The ticket systems that are configured, with what stands in their way. */
export const listTargets = async (db: Db, deps: Deps, clientId: string) => {
  const targets = await configured(db, deps, clientId);
  const items = await Promise.all(targets.map(({ connectorId }) => deps.connections.item(db, clientId, connectorId)));
  return targets.map(({ connectorId, title }, index) => {
    const item = items[index];
    return { connector_id: connectorId, title, problem: item === undefined ? null : connectionProblem(item) };
  });
};
