import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkGitlab } from './check.ts';
import { scm } from './scm.ts';
import { webhook } from './webhooks.ts';

/** Code of GitLab. */
export const server = defineServer(plugin, { gitlab: { check: checkGitlab, scm, webhook } });
