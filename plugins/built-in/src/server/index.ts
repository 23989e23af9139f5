import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { templatesOf } from './mapping.ts';
import { webhookTickets } from './tickets.ts';
import { checkWebhook } from './webhook.ts';

/** Code of Breakwater's own cards. Git, local folders and tokens talk to no service. */
export const server = defineServer(plugin, {
  webhook: { check: checkWebhook, tickets: webhookTickets, migrate: [{ from: '0.1.0', config: templatesOf }] },
});
