import { type Ctx, readAnswer } from '@breakwater/sdk';
import type { azure } from '../../cards/azure.ts';
import { jsonOf, TokenAnswer } from '../lib/answer.ts';
import { tokenFailure } from './failure.ts';

/**
 * Access token of the application for Azure Resource Manager.
 * Source: Microsoft identity platform, OAuth 2.0 client credentials flow, "First case: access token request with a shared secret".
 */
export async function azureToken(ctx: Ctx<(typeof azure)['credentials']>): Promise<string> {
  const { tenant_id: tenant, client_id: clientId } = ctx.config;
  const clientSecret = await ctx.reveal('client_secret');
  const answer = await ctx.http.request({
    service: 'login',
    method: 'POST',
    path: `/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    form: {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
      scope: 'https://management.azure.com/.default',
    },
    accept: [400, 401],
  });
  if (answer.status !== 200) throw tokenFailure(answer.status, jsonOf(answer));
  return readAnswer(TokenAnswer, jsonOf(answer)).access_token;
}
