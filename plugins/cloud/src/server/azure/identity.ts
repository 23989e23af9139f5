import { type CloudIdentity, ConnectorError, type Ctx, readAnswer, Type } from '@breakwater/sdk';
import type { azure } from '../../cards/azure.ts';
import { jsonOf } from '../lib/answer.ts';
import { subscriptionFailure } from './failure.ts';
import { azureToken } from './token.ts';

type AzureCtx = Ctx<(typeof azure)['credentials']>;

const Subscription = Type.Object({
  subscriptionId: Type.String(),
  displayName: Type.String(),
  state: Type.String(),
  tenantId: Type.Optional(Type.String()),
});

/**
 * The subscription, read with the application's own token: proves that the application may look at it.
 * Source: Azure Resource Manager REST API, Subscriptions - Get, api-version 2022-12-01.
 */
export async function azureIdentity(ctx: AzureCtx): Promise<CloudIdentity> {
  const token = await azureToken(ctx);
  const { subscription_id: id, tenant_id: tenant, client_id: client } = ctx.config;
  const answer = await ctx.http.request({
    path: `/subscriptions/${encodeURIComponent(id)}`,
    query: { 'api-version': '2022-12-01' },
    headers: { authorization: `Bearer ${token}` },
    accept: [400, 401, 403, 404],
  });
  if (answer.status !== 200) throw subscriptionFailure(answer.status, jsonOf(answer));
  const subscription = readAnswer(Subscription, jsonOf(answer));
  if (subscription.tenantId !== undefined && subscription.tenantId.toLowerCase() !== tenant.toLowerCase()) {
    throw new ConnectorError('config', 'The subscription belongs to another directory (tenant).', {
      help: 'Enter the directory ID that the overview of the subscription shows.',
    });
  }
  // A disabled subscription can be read but holds nothing that runs.
  if (!/^(Enabled|Warned|PastDue)$/.test(subscription.state)) {
    throw new ConnectorError('unsupported', `The subscription is ${subscription.state.toLowerCase()}.`, {
      help: 'Reactivate the subscription in the Azure portal, or enter another one.',
    });
  }
  return { account: `${subscription.displayName} (${subscription.subscriptionId})`, principal: client };
}
