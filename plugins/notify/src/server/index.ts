import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkSlack, slackNotify } from './slack.ts';
import { checkTeams, teamsNotify } from './teams.ts';

/** Code of the channels. */
export const server = defineServer(plugin, {
  slack: { check: checkSlack, notify: slackNotify },
  'microsoft-teams': { check: checkTeams, notify: teamsNotify },
});
