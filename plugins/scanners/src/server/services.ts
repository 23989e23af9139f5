import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkToken } from './semgrep-cli/check.ts';

/** Code of the cards that talk to a service. The importers stand beside it in `index.ts`, because they run elsewhere. */
export const server = defineServer(plugin, {
  semgrep_cli: { check: checkToken },
});
