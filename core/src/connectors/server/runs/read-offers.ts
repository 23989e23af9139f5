import { ConnectorError, type CredentialField, type FieldOffer, type TicketTracking } from '@breakwater/sdk';
import { LIMITS } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry, ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { type ProbeOrder, runTrial } from './probe-connection.ts';
import type { ConnectionCtx } from './run-with-connection.ts';

/** A value that a field may hold, as its service names it. */
export interface OfferedValue {
  value: string;
  /** Name for people; the value where it has no other. */
  label: string;
}

export interface OfferedValues {
  values: OfferedValue[];
  /** False where the service has more than are told. */
  isComplete: boolean;
}

const MAX_VALUES = 1000;

type Tracking = Required<TicketTracking>;

const ticketsOf = (catalogue: ConnectorCatalogue, connectorId: string) => catalogue.capability('tickets', connectorId);

const offerOf = (field: CredentialField | undefined): FieldOffer | undefined =>
  field?.type === 'string' ? field.offers : undefined;

const fieldsThatOffer = ({ connector }: CatalogueEntry, offers: readonly FieldOffer[]): string[] =>
  Object.entries(connector.credentials.properties).flatMap(([name, field]) => {
    const offer = offerOf(field);
    return offer !== undefined && offers.includes(offer) ? [name] : [];
  });

const readProjects = async (projects: Tracking['projects'], ctx: ConnectionCtx): Promise<OfferedValues> => {
  const values: OfferedValue[] = [];
  for await (const { key, name } of projects(ctx)) {
    if (values.length === MAX_VALUES) return { values, isComplete: false };
    values.push({ value: key, label: name === '' || name === key ? key : `${name} (${key})` });
  }
  return { values, isComplete: true };
};

const readTypes = async (types: Tracking['types'], ctx: ConnectionCtx, project: string): Promise<OfferedValues> => {
  const names = await types(ctx, project);
  if (names === null)
    throw new ConnectorError(
      'config',
      sayEnglish('There is no project {project}, or the account may not see it.', { project }),
    );
  return {
    values: names.slice(0, MAX_VALUES).map((name) => ({ value: name, label: name })),
    isComplete: names.length <= MAX_VALUES,
  };
};

type AskOffers = (ctx: ConnectionCtx) => Promise<OfferedValues>;

/** How values of one kind are asked for; nothing where the connector's code names none. */
const askOf = (
  { projects, types }: Partial<Tracking>,
  offer: FieldOffer,
  projectField: string,
): AskOffers | undefined => {
  if (offer === 'ticket-projects') return projects && ((ctx) => readProjects(projects, ctx));
  return types && ((ctx) => readTypes(types, ctx, String(ctx.config[projectField])));
};

/**
 * What the service offers for one field, asked with the fields as they are typed; nothing is stored. What depends on the answer (the type of
 * tickets on the project) need not be typed yet. @throws validation_failed, conflict, integration_not_configured, upstream_failed
 */
export const readOffers = (deps: ConnectionsDeps, order: ProbeOrder & { field: string }): Promise<OfferedValues> => {
  const { entry, field, values = {} } = order;
  const offer = offerOf(entry.connector.credentials.properties[field]);
  const [projectField = ''] = fieldsThatOffer(entry, ['ticket-projects']);
  const tracking = ticketsOf(deps.catalogue, order.connectorId)?.tracking ?? {};
  const ask = offer && askOf(tracking, offer, projectField);
  if (ask === undefined) {
    throw new AppError(
      'validation_failed',
      say('{title} offers no values for this field.', { title: entry.connector.title }),
    );
  }
  const except = fieldsThatOffer(
    entry,
    offer === 'ticket-types' ? ['ticket-types'] : ['ticket-projects', 'ticket-types'],
  );
  const typed = Object.fromEntries(Object.entries(values).filter(([name]) => !except.includes(name)));
  return runTrial(deps, { ...order, values: typed }, ask, { timeoutMs: LIMITS.checkMs, except });
};
