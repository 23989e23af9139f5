import { createHmac } from 'node:crypto';
import { type Ctx, type HttpRequest, isConnectorError, type Tickets } from '@breakwater/sdk';
import type { WebhookForm } from '../plugin.ts';
import { filledTicket } from './mapping.ts';

const MAX_ANSWER = 10_000;

/** Every status is an answer of the receiver, to be recorded; none says anything of the connection. */
const ANSWERS = Array.from({ length: 300 }, (_, index) => 300 + index);

/** The address as it was entered: many receivers carry their key in the query, and some tell `/hook` from `/hook/`. */
export function enteredAddress(address: string): Pick<HttpRequest, 'path' | 'query'> {
  const url = new URL(address);
  return {
    path: url.pathname.length > 1 && url.pathname.endsWith('/') ? '/' : '',
    query: Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)])),
  };
}

async function signingSecret(ctx: Ctx<WebhookForm>): Promise<string | null> {
  try {
    return await ctx.reveal('signing_secret');
  } catch (error) {
    // it is optional
    if (isConnectorError(error) && error.code === 'config') return null;
    throw error;
  }
}

/**
 * Headers of one attempt. With a secret they prove where it comes from: `webhook-signature` as Standard Webhooks has it, over id, time
 * and body; `x-breakwater-signature` over the body alone, for receivers that check as they do for GitHub.
 */
function headersOf({ id, body, at }: { id: string; body: string; at: Date }, secret: string | null) {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const named = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'x-breakwater-event': 'remediation.ticket',
  };
  if (secret === null) return named;
  const hmac = (content: string) => createHmac('sha256', secret).update(content);
  return {
    ...named,
    'webhook-signature': `v1,${hmac(`${id}.${seconds}.${body}`).digest('base64')}`,
    'x-breakwater-signature': `sha256=${hmac(body).digest('hex')}`,
  };
}

/** Tickets by POST: what the mapping makes of a remediation. The receiver tells two of one key apart by `webhook-id`. */
export const webhookTickets: Tickets<WebhookForm> = {
  draft: ({ mapping }, values) => filledTicket(mapping, values),
  createTicket: async (ctx, { draft, idempotencyKey }) => {
    const body = JSON.stringify(draft);
    const secret = await signingSecret(ctx);
    const { status, body: bytes } = await ctx.http.request({
      method: 'POST',
      ...enteredAddress(ctx.config.url),
      headers: headersOf({ id: idempotencyKey, body, at: ctx.now() }, secret),
      raw: body,
      accept: ANSWERS,
    });
    const said = new TextDecoder().decode(bytes.subarray(0, MAX_ANSWER)).replaceAll('\0', '');
    return { isTaken: status >= 200 && status < 300, ticket: null, answer: { status, body: said } };
  },
};
