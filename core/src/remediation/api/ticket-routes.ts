import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Nullable, OneOf } from '../../platform/api/envelope.ts';

const strict = { additionalProperties: false } as const;

/** A ticket as the service that keeps it shows it. */
const Ticket = Type.Object({
  key: Type.String(),
  url: Type.String(),
  /** In the words of the service. */
  status: Type.String(),
  /** The work is over there; whether the finding is fixed, the next scan says. */
  is_done: Type.Boolean(),
});

/** `pending`: it is sent again by itself; `dead`: only when somebody asks for it. */
const Status = OneOf(['pending', 'delivered', 'dead']);

export const SentTicket = Type.Object({
  /** The ticket system: `webhook`, `jira_cloud`. */
  connector_id: Type.String(),
  title: Type.String(),
  status: Status,
  /** Null where the receiver keeps no tickets that can be asked for, or has none yet. */
  ticket: Nullable(Ticket),
  /** It was deleted there; it can be sent anew. */
  is_gone: Type.Boolean(),
  /** Why it was not taken, linked or closed. */
  problem: Nullable(Type.String()),
});

const TicketResult = Type.Object({
  /** Whether it was taken. */
  success: Type.Boolean(),
  data: Type.Object({
    /** The same at every attempt. */
    delivery_id: Id,
    connector_id: Type.String(),
    status: Status,
    /** What a webhook answered; null without an answer. */
    status_code: Nullable(Type.Integer()),
    body: Nullable(Type.String()),
    title: Type.String(),
    description: Nullable(Type.String()),
    ticket: Nullable(Ticket),
  }),
});

const Named = Type.Object(
  {
    remediation_id: Id,
    /** Which ticket system, where several are connected. Left out: the webhook, else the only one. */
    connector_id: Type.Optional(Type.String({ maxLength: 100 })),
  },
  strict,
);

export const sendTicketRoute = route({
  method: 'POST',
  path: '/webhook/send_ticket',
  tag: 'remediation',
  summary: 'Send the ticket of a remediation to a ticket system; one that was taken is not sent twice',
  // asks a service: the handler opens its own, short transactions
  access: { permission: 'findings.fix', tenant: false },
  body: Named,
  response: TicketResult,
  errors: ['remediation_not_found', 'integration_not_configured', 'conflict'],
});

export const previewTicketRoute = route({
  method: 'POST',
  path: '/webhook/preview_ticket',
  tag: 'remediation',
  summary: 'What the ticket of a remediation would say; nothing is sent',
  access: { permission: 'findings.fix', tenant: true },
  body: Named,
  response: Type.Object({ data: Type.Object({ ticket: Type.Record(Type.String(), Type.String()) }) }),
  errors: ['remediation_not_found', 'integration_not_configured'],
});

export const listTicketTargets = route({
  method: 'GET',
  path: '/tickets/targets',
  tag: 'remediation',
  summary: 'The ticket systems that are configured',
  access: { permission: 'findings.fix', tenant: true },
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        connector_id: Type.String(),
        title: Type.String(),
        /** Why nothing can be sent there now. */
        problem: Nullable(Type.String()),
      }),
    ),
  }),
});
