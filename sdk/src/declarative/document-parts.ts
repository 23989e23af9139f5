import { secretKeys } from '../credentials.ts';
import { TICKET_VALUES } from '../tickets/ticket-template.ts';
import { isAddressField } from './actions/action-texts.ts';
import type { Answered } from './actions/actions.ts';
import type { ConnectorDocument, Expression } from './document.ts';

/** A part of a document, and where it stands. */
export type Placed<T> = readonly [path: readonly string[], value: T];

/** Which names templates of one place may hold beside fields of the form. */
export interface Scope {
  /** Values that mean nothing to a service wherever they stand. */
  readonly safe: readonly string[];
  /** What others wrote: neither in headers nor between double quotes. */
  readonly texts: readonly string[];
}

const FORM: Scope = { safe: [], texts: [] };
const TARGET: Scope = { safe: ['target.id', 'target.name'], texts: [] };
const KEY = 'idempotencyKey';
const MESSAGE: Scope = {
  safe: ['message.severity', 'message.url', KEY],
  texts: ['message.title', 'message.text', 'message.kind', 'message.link'],
};
const TICKET: Scope = { safe: ['ticket.id'], texts: [] };
/** A draft is shown to people as it is, and escaped where it is sent. */
const VALUES: Scope = { safe: Object.keys(TICKET_VALUES), texts: [] };

const draftScope = (draft: Readonly<Record<string, string>>): Scope => {
  const names = Object.keys(draft);
  return {
    safe: [KEY, ...names.filter((name) => isAddressField(draft[name])).map((name) => `draft.${name}`)],
    texts: names.filter((name) => !isAddressField(draft[name])).map((name) => `draft.${name}`),
  };
};

/** A template, and what it may hold. */
export interface PlacedTemplate {
  readonly path: readonly string[];
  readonly template: unknown;
  readonly scope: Scope;
}

/** Every part that holds templates. */
export function templatesOf({ check, findings, actions = {} }: ConnectorDocument): PlacedTemplate[] {
  const { notify, ticket } = actions;
  const at = (path: string, template: unknown, scope: Scope): PlacedTemplate[] =>
    template === undefined ? [] : [{ path: path.split('.'), template, scope }];
  return [
    ...at('check.request', check?.request, FORM),
    ...at('findings.request', findings?.request, TARGET),
    ...at('findings.targets.request', findings?.targets?.request, FORM),
    ...at('actions.notify.request', notify?.request, MESSAGE),
    ...at('actions.ticket.draft', ticket?.draft, VALUES),
    ...at('actions.ticket.find.request', ticket?.find.request, draftScope(ticket?.draft ?? {})),
    ...at('actions.ticket.create.request', ticket?.create.request, draftScope(ticket?.draft ?? {})),
    ...at('actions.ticket.read.request', ticket?.read?.request, TICKET),
    ...at('actions.ticket.close.request', ticket?.close?.request, { ...TICKET, texts: ['comment'] }),
  ];
}

/** Every expression. */
export function expressionsOf({ check, findings, report, actions = {} }: ConnectorDocument): Placed<Expression>[] {
  const { notify, ticket } = actions;
  return [
    ...at('check.identity', check?.identity),
    ...at('check.scopes', check?.scopes),
    ...refusalsOf('check', check),
    ...at('findings.where', findings?.where),
    ...fieldsOf('findings.targets.map', findings?.targets?.map),
    ...fieldsOf('findings.map', findings?.map),
    ...at('report.where', report?.where),
    ...fieldsOf('report.map', report?.map),
    ...answersOf('actions.notify', notify),
    ...at('actions.ticket.find.where', ticket?.find.where),
    ...fieldsOf('actions.ticket.map', ticket?.map),
    ...answersOf('actions.ticket.create', ticket?.create),
    ...answersOf('actions.ticket.read', ticket?.read),
    ...answersOf('actions.ticket.close', ticket?.close),
  ];
}

const at = (path: string, expression: Expression | undefined): Placed<Expression>[] =>
  expression === undefined ? [] : [[path.split('.'), expression]];

const fieldsOf = (path: string, map: object | undefined): Placed<Expression>[] =>
  Object.entries(map ?? {}).flatMap(([name, expression]) => at(`${path}.${name}`, expression));

const answersOf = (path: string, part: Answered | undefined): Placed<Expression>[] => [
  ...refusalsOf(path, part),
  ...at(`${path}.taken`, part?.taken),
];

const refusalsOf = (path: string, part: Pick<Answered, 'refuse'> | undefined): Placed<Expression>[] =>
  (part?.refuse ?? []).flatMap(({ when }, index) => at(`${path}.refuse.${index}.when`, when));

/** Parts that make findings of records. */
export const mappingsOf = ({ findings, report }: ConnectorDocument) => [
  ...(findings === undefined ? [] : [[['findings'], findings] as const]),
  ...(report === undefined ? [] : [[['report'], report] as const]),
];

/** Sentences for people that the document says itself. */
export const sentencesOf = ({ check, actions = {} }: ConnectorDocument): string[] => {
  const { notify, ticket } = actions;
  return [check, notify, ticket?.create, ticket?.read, ticket?.close]
    .flatMap((part) => part?.refuse ?? [])
    .flatMap(({ message, help }) => [message, ...(help === undefined ? [] : [help])]);
};

/** Public fields of the form, and its secrets. */
export const formNames = ({ credentials }: ConnectorDocument) => ({
  fields: Object.keys(credentials?.properties ?? {}),
  secrets: credentials === undefined ? [] : secretKeys(credentials).map(String),
});
