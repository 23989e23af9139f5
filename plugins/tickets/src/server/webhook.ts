import { type Delivery, readAnswer, type TicketEvent } from '@breakwater/sdk';
import { IssueDelivery } from './answers.ts';
import { ticketOf } from './requests.ts';

/** Source: Jira, "Webhooks": Cloud and Data Center sign with `X-Hub-Signature` where the webhook has a secret. */
const EVENTS = new Set(['jira:issue_created', 'jira:issue_updated', 'jira:issue_deleted']);

/** What Jira reports of issues. */
export const webhook = {
  proof: { type: 'hmac-sha256', header: 'x-hub-signature', secret: 'webhook_secret' } as const,
  on: async (_ctx: unknown, { body }: Pick<Delivery, 'body'>): Promise<TicketEvent[] | undefined> => {
    const { webhookEvent, issue } = readAnswer(IssueDelivery, body);
    if (!EVENTS.has(webhookEvent) || issue === undefined) return undefined;
    if (webhookEvent === 'jira:issue_deleted') return [{ kind: 'ticket', id: issue.id, now: null }];
    const { key, status, isDone } = ticketOf(issue, '');
    return [{ kind: 'ticket', id: issue.id, now: { key, status, isDone } }];
  },
};
