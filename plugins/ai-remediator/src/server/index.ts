import { defineServer } from '@breakwater/sdk';
import { plugin } from '../plugin.ts';
import { checkRemediator } from './check.ts';
import { remediator } from './remediator.ts';
import { checkValidation, validation } from './validation.ts';

/** Code of the AI provider. */
export const server = defineServer(plugin, {
  ai_remediator: { check: checkRemediator, remediator },
  ai_validation: { check: checkValidation, remediator: validation },
});
