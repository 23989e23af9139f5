import { ConnectorError, type Ctx, type Identity, TICKET_VALUES } from '@breakwater/sdk';
import type { WebhookForm } from '../plugin.ts';
import { filledTicket, issueOfMapping } from './mapping.ts';
import { enteredAddress } from './tickets.ts';

/** What a receiver gets when the connection is tested: marked in three places, so that nobody takes it for a ticket. */
function testEvent(ctx: Ctx<WebhookForm>) {
  return {
    event: 'webhook.test',
    test: true,
    message: 'This is a test by Breakwater. It is no ticket; nothing needs to be done.',
    sent_at: ctx.now().toISOString(),
    ticket: filledTicket(ctx.config.mapping, TICKET_VALUES),
  };
}

/** Posts one event that is marked as a test. Any 2xx means that the address takes tickets. */
export async function checkWebhook(ctx: Ctx<WebhookForm>): Promise<Identity> {
  const issue = issueOfMapping(ctx.config.mapping);
  if (issue !== undefined) {
    throw new ConnectorError('config', issue, {
      help: 'Write a field of the ticket on the left; on the right a field of the remediation, such as title, or a fixed text.',
    });
  }
  const answer = await ctx.http.request({
    method: 'POST',
    ...enteredAddress(ctx.config.url),
    headers: { 'x-breakwater-event': 'webhook.test' },
    body: testEvent(ctx),
    accept: [404, 405, 410],
  });
  if (answer.status >= 300) {
    throw new ConnectorError('config', `Nothing at this address takes tickets (${answer.status}).`, {
      help: 'Check the address; it must accept POST with JSON.',
    });
  }
  // Not the path: it may be the only secret that the receiver has.
  return { identity: new URL(ctx.config.url).host };
}
