import {
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type Identity,
  isConnectorError,
  readAnswer,
} from '@breakwater/sdk';
import type { RemediatorForm } from '../plugin.ts';
import { Completion, Model, parse, Refusal } from './answers.ts';
import { endpointOf } from './endpoint.ts';

/** Whether the key works and the deployment or model is there. Neither way costs a token. */
export async function checkRemediator(ctx: Ctx<RemediatorForm>): Promise<Identity> {
  const { type, deployment_name: deployment, base_url: base } = ctx.config;
  await (type === 'azure' ? checkDeployment(ctx) : checkModel(ctx));
  return { identity: `${deployment} · ${URL.canParse(base) ? new URL(base).host : base}` };
}

/** Source: OpenAI API reference, "Retrieve model". */
async function checkModel(ctx: Ctx<RemediatorForm>): Promise<void> {
  const { modelsPath, headers } = await endpointOf(ctx);
  const path = `${modelsPath}/${encodeURIComponent(ctx.config.deployment_name)}`;
  const answer = await ctx.http.request({ path, headers, accept: [404] });
  if (answer.status === 404) throw missing(answer, 'The provider has no such model{code}.');
  readAnswer(Model, parse(textOf(answer)));
}

/**
 * Azure has no call that shows one deployment to its key. A conversation without messages is refused with 400 by a deployment that is
 * there and with 404 by one that is not; neither is charged.
 * Source: Azure OpenAI REST API reference, "Chat completions - Create", and its error codes.
 */
async function checkDeployment(ctx: Ctx<RemediatorForm>): Promise<void> {
  const { chatPath, headers, query } = await endpointOf(ctx);
  const answer = await ctx.http.request({
    method: 'POST',
    path: chatPath,
    query,
    headers,
    body: { messages: [] },
    accept: [400, 404, 422],
  });
  if (answer.status === 404) throw missing(answer, 'The resource has no such deployment{code}.');
  if (answer.status < 300) readAnswer(Completion, parse(textOf(answer)));
  const code = refusalCode(answer);
  if (code === 'OperationNotSupported') {
    throw new ConnectorError('config', `The deployment is no chat model (${code}).`, {
      help: 'Enter a deployment of a chat model, such as gpt-4.1.',
    });
  }
  if (answer.status >= 400 && code === undefined) {
    throw new ConnectorError('upstream', 'The service answered in a way that Azure OpenAI does not.', {
      help: 'Check the endpoint: https://<resource>.openai.azure.com.',
    });
  }
}

function missing(answer: HttpAnswer, message: string): ConnectorError {
  const code = refusalCode(answer);
  const where = code === undefined || code === '' ? '' : ` (${code})`;
  return new ConnectorError('config', message.replace('{code}', where), {
    help: 'Check the name of the deployment or model, the endpoint and the API version.',
  });
}

/** The provider's own code, an empty text where it gives none, undefined where the answer is no refusal of this kind. */
function refusalCode(answer: HttpAnswer): string | undefined {
  try {
    return readAnswer(Refusal, parse(textOf(answer))).error.code ?? '';
  } catch (error) {
    if (isConnectorError(error)) return undefined;
    throw error;
  }
}

function textOf({ body }: HttpAnswer): string {
  return new TextDecoder().decode(body);
}
