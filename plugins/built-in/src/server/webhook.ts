import { ConnectorError, type Ctx, type Identity } from '@breakwater/sdk';
import type { WebhookForm } from '../plugin.ts';
import { faultOfMapping, sampleTicket } from './mapping.ts';

/** What a receiver gets when the connection is tested: marked in three places, so that nobody takes it for a ticket. */
function testEvent(ctx: Ctx<WebhookForm>) {
  return {
    event: 'webhook.test',
    test: true,
    message: 'This is a test by Breakwater. It is no ticket; nothing needs to be done.',
    sent_at: ctx.now().toISOString(),
    ticket: sampleTicket(ctx.config.mapping),
  };
}

/** Posts one event that is marked as a test. Any 2xx means that the address takes tickets. */
export async function checkWebhook(ctx: Ctx<WebhookForm>): Promise<Identity> {
  const fault = faultOfMapping(ctx.config.mapping);
  if (fault !== undefined) {
    throw new ConnectorError('config', fault, {
      help: 'Write a field of the ticket on the left; on the right a field of the remediation, such as title, or a fixed text.',
    });
  }
  const answer = await ctx.http.request({
    method: 'POST',
    path: '',
    headers: { 'x-breakwater-event': 'webhook.test' },
    body: testEvent(ctx),
    accept: [404, 405, 410],
  });
  if (answer.status >= 300) {
    throw new ConnectorError('config', `Nothing at this address takes tickets (${answer.status}).`, {
      help: 'Check the address; it must accept POST with JSON.',
    });
  }
  const { host, pathname } = new URL(ctx.config.url);
  return { identity: `${host}${pathname}` };
}
