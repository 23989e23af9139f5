import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkGithub } from './check.ts';
import { scm } from './scm.ts';
import { webhook } from './webhooks.ts';

/** Code of GitHub. */
export const server = defineServer(plugin, { github: { check: checkGithub, scm, webhook } });
