import type { HttpRequest } from '../../context.ts';
import type { Severity } from '../../findings/finding.ts';
import type { TextFormat } from '../../text/escape-text.ts';
import type { Expression, RecordsPath, Refusal, RequestTemplate } from '../request-parts.ts';

/**
 * A request that changes something. Beside the fields of the form it holds what its action names. What others wrote is escaped for the format
 * of the action wherever it is filled in, and stands neither in headers nor between double quotes. A property of `body` that is one template alone
 * is left out where that has no value.
 */
export interface ActionRequest extends Omit<RequestTemplate, 'method'> {
  /** Default: POST; for what only asks, GET. */
  readonly method?: Extract<HttpRequest['method'], 'GET' | 'POST' | 'PUT' | 'PATCH'>;
}

interface Action {
  /** How the service reads the texts that it is sent. */
  readonly text: TextFormat;
  /** The service's words for severities, `none` where there is none. Left out: our own, in lower case. */
  readonly severities?: Readonly<Partial<Record<Severity | 'none', string>>>;
}

/** What has to be so once the service answered; expressions see the answer as `$` (JSON, else text), the form as `$config`, the status as `$status`. */
export interface Answered {
  readonly request: ActionRequest;
  readonly refuse?: readonly Refusal[];
  /** Gives `true` where the service says that it did it: `ok = true`. Left out: a status of success is enough. */
  readonly taken?: Expression;
}

/**
 * Tells a channel what happens: `{{message.title}}`, `{{message.text}}`, `{{message.kind}}`, `{{message.severity}}`, `{{message.link}}` (a whole link, as the
 * format has it) or its `{{message.url}}` alone, and `{{idempotencyKey}}` for services that know a message again by it.
 */
export interface NotifyDocument extends Action, Answered {
  /** Most characters that the service takes, before escaping. What is longer is cut. */
  readonly maxLength?: { readonly title?: number; readonly text?: number };
}

/** How the answer about one ticket is read; expressions see the ticket as `$` and the form as `$config`. */
export interface TicketMapping {
  readonly id: Expression;
  /** What people call it. Left out: the id. */
  readonly key?: Expression;
  /** Its page for people. */
  readonly url: Expression;
  readonly status: Expression;
  /** Gives `true` where the work on it is over. Left out: it never is. */
  readonly isDone?: Expression;
}

/** Something that answers with one ticket, at `at` of the answer; left out: the answer itself. */
export interface TicketAnswer extends Answered {
  readonly at?: RecordsPath;
}

/**
 * Makes tickets, each once a key: what the key made before is looked for first. `{{idempotencyKey}}` has to stand in `create` where the service keeps it
 * and `find` sees it.
 */
export interface TicketDocument extends Action {
  /**
   * What a ticket says, field by field, shown to people before it is sent: `{{finding.title}}` and all other values of tickets (`TICKET_VALUES`), and fields of
   * the form. A field that is `{{finding.url}}` alone is an address and may be the target of a link.
   */
  readonly draft: Readonly<Record<string, string>>;
  /** Most characters of a field of the draft. What is longer is cut. */
  readonly maxLength?: Readonly<Record<string, number>>;
  /** Asks for what the key has made. An accepted status of 400 or more (`"accept": [404]`) says that there is nothing. */
  readonly find: {
    readonly request: ActionRequest;
    /** Where the list of tickets is, or the one ticket. Left out: the answer itself. */
    readonly records?: RecordsPath;
    /** Gives `true` for what the key made, `$key` is the key: for services that search words and not values. */
    readonly where?: Expression;
  };
  /** `{{draft.title}}` and all other fields of the draft. */
  readonly create: TicketAnswer;
  readonly map: TicketMapping;
  /** Asks how the ticket `{{ticket.id}}` stands. An accepted status of 400 or more says that it is gone. Left out: nobody asks. */
  readonly read?: TicketAnswer;
  /** Ends the work on the ticket `{{ticket.id}}`, because what it is about is fixed, as `{{comment}}` says. It is read afterwards. */
  readonly close?: Answered;
}

/** What a connector without code sends. */
export interface ActionsDocument {
  readonly notify?: NotifyDocument;
  readonly ticket?: TicketDocument;
}
