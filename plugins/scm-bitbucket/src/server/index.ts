import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkBitbucket } from './check.ts';
import { scm } from './scm.ts';
import { webhook } from './webhooks.ts';

/** Code of Bitbucket Cloud. */
export const server = defineServer(plugin, { bitbucket_cloud: { check: checkBitbucket, scm, webhook } });
