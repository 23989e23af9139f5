import type { Ctx, Identity, Remediator } from '@breakwater/sdk';
import type { RemediatorForm, ValidationForm } from '../plugin.ts';
import { checkRemediator } from './check.ts';
import { remediator } from './remediator.ts';

/** The same connection under the names of the other form. */
function renamed(ctx: Ctx<ValidationForm>): Ctx<RemediatorForm> {
  const { openai_type: type, openai_deployment_name, openai_base_url, openai_version } = ctx.config;
  return {
    ...ctx,
    config: {
      type,
      deployment_name: openai_deployment_name,
      base_url: openai_base_url,
      version: openai_version,
    },
    reveal: () => ctx.reveal('openai_api_key'),
  };
}

/** Whether the key works and the deployment or model is there. */
export const checkValidation = (ctx: Ctx<ValidationForm>): Promise<Identity> => checkRemediator(renamed(ctx));

/** The model that judges findings. */
export const validation: Remediator<ValidationForm> = {
  models: (ctx) => remediator.models(renamed(ctx)),
  complete: (ctx, request) => remediator.complete(renamed(ctx), request),
};
