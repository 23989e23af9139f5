import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkGitea } from './check.ts';
import { scm } from './scm.ts';
import { webhook } from './webhooks.ts';

/** Code of Gitea. */
export const server = defineServer(plugin, { gitea: { check: checkGitea, scm, webhook } });
