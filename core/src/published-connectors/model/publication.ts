import { msg } from '../../platform/model/message.ts';

/** Who sees a published connector: its organisation, or all. */
export const VISIBILITIES = ['private', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const PUBLICATION_STATES = ['published', 'unpublished', 'revoked'] as const;
export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** What a connector without code may send, by its name in `actions` of a document. */
export const SENDINGS = ['notify', 'ticket'] as const;
export type Sending = (typeof SENDINGS)[number];

/** What people approve with it. */
export const SENDING_LABELS: Readonly<Record<Sending, string>> = {
  notify: msg('Messages of your notifications, to the channel of the connection'),
  ticket: msg('Tickets with titles, places and descriptions of findings'),
};

/** The same in a word. */
export const SENDING_NAMES: Readonly<Record<Sending, string>> = {
  notify: msg('Sends messages'),
  ticket: msg('Makes tickets'),
};

/** What a document sends. */
export const sendingsIn = (actions: unknown): Sending[] =>
  typeof actions === 'object' && actions !== null ? SENDINGS.filter((one) => Object.hasOwn(actions, one)) : [];

/** Characters of a report that is recorded: it is published with the connector. */
export const MOST_REPORT = 200_000;
