import { ConnectorError, type Ctx, type HttpAnswer, type HttpRequest, type Json, readAnswer } from '@breakwater/sdk';
import type { FortifyForm } from '../../cards/services.ts';
import { parseBody } from '../lib/answer-body.ts';
import { Token } from './answers.ts';

/** Asks Fortify on Demand for something, as the API key. */
export type Ask = (request: Pick<HttpRequest, 'path' | 'query'>) => Promise<Json>;

/** Source: Fortify on Demand API, "Authentication": client credentials, scope `api-tenant`. */
export async function openSession(ctx: Ctx<FortifyForm>): Promise<Ask> {
  const clientSecret = await ctx.reveal('client_secret');
  const answer = await ctx.http.request({
    method: 'POST',
    path: '/oauth/token',
    form: {
      scope: 'api-tenant',
      grant_type: 'client_credentials',
      client_id: ctx.config.client_id,
      client_secret: clientSecret,
    },
    accept: [400, 401, 429],
  });
  throwIfLimited(answer);
  if (answer.status !== 200) {
    throw new ConnectorError('auth', 'Fortify on Demand refused the API key.', {
      help: 'Check key and secret: Administration, Settings, API; the key must not be expired and belongs to this data center.',
    });
  }
  const token = readAnswer(Token, parseBody(answer)).access_token;
  return async (request) =>
    read(await ctx.http.request({ ...request, headers: bearer(token), accept: [403, 404, 429] }));
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept: 'application/json' };
}

function read(answer: HttpAnswer): Json {
  throwIfLimited(answer);
  if (answer.status === 404) {
    throw new ConnectorError('config', 'Fortify on Demand has no such release, or the API key may not see it.', {
      help: 'Copy the release ID from the address of the release, and give the API key access to its application.',
    });
  }
  if (answer.status === 403) {
    throw new ConnectorError('scope', 'The API key may not read the release.', {
      help: 'Give the key the role "Read only" or higher and access to the application: Administration, Settings, API.',
    });
  }
  return parseBody(answer);
}

/** Fortify says after how many seconds its limit is reset, in a header of its own. */
function throwIfLimited({ status, headers }: HttpAnswer): void {
  if (status !== 429) return;
  const seconds = Number(headers['retry-after'] ?? headers['x-rate-limit-reset']);
  throw new ConnectorError('rate_limited', 'Fortify on Demand is asked too often with this API key.', {
    ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    help: 'Nothing needs to be done: it goes on by itself when Fortify allows it.',
  });
}
