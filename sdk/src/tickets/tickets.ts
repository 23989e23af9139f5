import type { Ctx } from '../context.ts';
import type { CredentialSchema, PublicFields } from '../credentials.ts';
import type { Idempotent } from '../scm/scm.ts';
import type { TicketValue } from './ticket-template.ts';

/** What a ticket may say of a finding, its remediation and its repository. A value that is not known is empty. */
export type TicketValues = Readonly<Record<TicketValue, string>>;

/** What a ticket says, field by field, as people see it before it is sent. The same at every attempt. */
export type TicketDraft = Readonly<Record<string, string>>;

/** A ticket that is to exist. */
export interface NewTicket extends Idempotent {
  readonly draft: TicketDraft;
}

/** A ticket as its service shows it. */
export interface Ticket {
  /** Id at the service; it stays where the ticket is renamed or moved. */
  readonly id: string;
  /** What people call it: `SEC-12`. */
  readonly key: string;
  /** Address for people, http or https. */
  readonly url: string;
  /** In the service's own words: `In Progress`. */
  readonly status: string;
  /** Whether the work on it is over there. It says nothing of whether the finding is fixed. */
  readonly isDone: boolean;
}

/** What came of a ticket that was sent. */
export interface TicketReceipt {
  /** False where the receiver answered and did not take it. The host sends it again, with the same key. */
  readonly isTaken: boolean;
  /** Null where the receiver does not say what it made of it. */
  readonly ticket: Ticket | null;
  /** What the receiver answered, for people to read: at most 10,000 characters. Left out where tickets and errors say all there is. */
  readonly answer?: { readonly status: number; readonly body: string };
}

/** Where tickets can be made. */
export interface TicketProject {
  /** As it is entered in the form of the connection: `SEC`. */
  readonly key: string;
  readonly name: string;
}

/** A link from a ticket back to what it is about. One a ticket and key; the same key again replaces its address and title. */
export interface TicketLink extends Idempotent {
  /** `Ticket.id` */
  readonly ticket: string;
  readonly url: string;
  /** One line. */
  readonly title: string;
}

/** The end of the work on a ticket, because what it is about is fixed. */
export interface TicketTransition extends Idempotent {
  /** `Ticket.id` */
  readonly ticket: string;
  /** Why, one paragraph of plain text. It is written on the ticket once. */
  readonly comment: string;
}

/**
 * The half of a service that keeps tickets and tells how they stand. `scope` says which right is missing, `config` what stands in the way
 * at the service (a field that must be filled, no step to a state that is done). @throws ConnectorError
 */
export interface TicketTracking<S extends CredentialSchema = CredentialSchema> {
  /** Left out: the form is not offered any. */
  projects?(ctx: Ctx<S>): AsyncIterable<TicketProject>;
  /** Kinds of tickets that can be made in a project, `Bug`, by `TicketProject.key`; null where there is no such project. */
  types?(ctx: Ctx<S>, project: string): Promise<readonly string[] | null>;
  /** Left out: a ticket leads back by what its draft says. */
  link?(ctx: Ctx<S>, link: TicketLink): Promise<void>;
  /**
   * Brings a ticket to a state that is done. One that is done already gets the comment alone. Left out: people close their tickets.
   * @returns how it stands now
   */
  transition?(ctx: Ctx<S>, transition: TicketTransition): Promise<Ticket>;
  /** How a ticket stands, by `Ticket.id`; null where there is none any more. */
  ticket(ctx: Ctx<S>, id: string): Promise<Ticket | null>;
}

/**
 * A receiver of tickets: a service that keeps them, or an address that takes them. A connector that only takes them leaves `tracking`
 * out, and the host neither links nor follows its tickets.
 */
export interface Tickets<S extends CredentialSchema = CredentialSchema> {
  /** What the ticket of these values says. Pure: shown before anything is sent. */
  draft(config: PublicFields<S>, values: TicketValues): TicketDraft;
  /** One ticket a key: what the key made before is answered as it is. @throws ConnectorError */
  createTicket(ctx: Ctx<S>, ticket: NewTicket): Promise<TicketReceipt>;
  readonly tracking?: TicketTracking<S>;
}

/** Tickets as the host calls them, which may be drafted in another process. */
export interface HostTickets extends Omit<Tickets, 'draft'> {
  draft(config: PublicFields<CredentialSchema>, values: TicketValues): TicketDraft | Promise<TicketDraft>;
}

/** What a delivery of a service says of a ticket. Tickets that are not the host's own may be reported too. */
export interface TicketEvent {
  readonly kind: 'ticket';
  /** `Ticket.id` */
  readonly id: string;
  /** Null: it was deleted. */
  readonly now: Pick<Ticket, 'key' | 'status' | 'isDone'> | null;
}
