import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkJira } from './check.ts';
import { createTicket } from './create.ts';
import { draftOf } from './draft.ts';
import { CLOUD, DATA_CENTER, type Flavour } from './flavour.ts';
import { trackingOf } from './tracking.ts';
import { webhook } from './webhook.ts';

const codeOf = (flavour: Flavour) => ({
  check: checkJira(flavour),
  tickets: { draft: draftOf, createTicket: createTicket(flavour), tracking: trackingOf(flavour) },
  webhook,
});

/** Code of both editions of Jira. */
export const server = defineServer(plugin, { jira_cloud: codeOf(CLOUD), jira_data_center: codeOf(DATA_CENTER) });
