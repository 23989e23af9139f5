import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkCheckmarx } from './checkmarx-sync/check.ts';
import { syncCheckmarx } from './checkmarx-sync/sync.ts';
import { checkFortify } from './fortify-sync/check.ts';
import { syncFortify } from './fortify-sync/sync.ts';
import { checkToken } from './semgrep-cli/check.ts';

/** Code of the cards that talk to a service. The importers stand beside it in `index.ts`, because they run elsewhere. */
export const server = defineServer(plugin, {
  semgrep_cli: { check: checkToken },
  fortify: { check: checkFortify, findings: { sync: syncFortify } },
  checkmarx: { check: checkCheckmarx, findings: { sync: syncCheckmarx } },
});
