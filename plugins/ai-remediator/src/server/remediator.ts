import {
  type CompletionEnd,
  type CompletionPart,
  type CompletionRequest,
  ConnectorError,
  type Ctx,
  type Json,
  type Remediator,
  readAnswer,
} from '@breakwater/sdk';
import type { RemediatorForm } from '../plugin.ts';
import { Chunk, Models, parse } from './answers.ts';
import { endpointOf } from './endpoint.ts';
import { eventsOf } from './events.ts';

/** Azure counts tokens of a streamed answer from this version on. Source: Azure OpenAI API version lifecycle, 2024-09-01-preview. */
const COUNTS_FROM = '2024-09-01';

/** The address with the name of the model in the place of the deployment. */
function withDeployment(path: string, model: string): string {
  const parts = path.split('/');
  const at = parts.indexOf('chat');
  return at > 0 && at < parts.length - 1 ? parts.with(at - 1, encodeURIComponent(model)).join('/') : path;
}

/** The AI provider. */
export const remediator: Remediator<RemediatorForm> = {
  /** Azure lists what its region offers, but is asked by deployment; OpenAI lists what the key may use. */
  async models(ctx) {
    const { modelsPath, headers, query } = await endpointOf(ctx);
    const { data } = readAnswer(Models, await ctx.http.json({ path: modelsPath, headers, query }));
    return ctx.config.type === 'azure' ? [ctx.config.deployment_name] : data.map(({ id }) => id);
  },

  async *complete(ctx: Ctx<RemediatorForm>, request: CompletionRequest): AsyncIterable<CompletionPart> {
    const { chatPath, query, headers } = await endpointOf(ctx);
    const stream = ctx.http.stream({
      method: 'POST',
      path: ctx.config.type === 'azure' ? withDeployment(chatPath, request.model) : chatPath,
      query,
      headers: { ...headers, accept: 'text/event-stream' },
      body: bodyOf(request, ctx.config),
    });
    let isDone = false;
    for await (const event of eventsOf(stream)) {
      // Read on to the end: only then it is known that nothing was cut off.
      if (event === '[DONE]') isDone = true;
      else yield* partsOf(parse(event));
    }
    if (!isDone) throw new ConnectorError('upstream', 'The answer of the model was cut off.', { help: 'Try again.' });
  },
};

function bodyOf(request: CompletionRequest, { type, version }: { type: 'azure' | 'openai'; version: string }): Json {
  const countsTokens = type === 'openai' || version.slice(0, 10) >= COUNTS_FROM;
  return {
    ...(type === 'openai' ? { model: request.model } : {}),
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    stream: true,
    ...(countsTokens ? { stream_options: { include_usage: true } } : {}),
    ...(request.maxOutputTokens === undefined
      ? {}
      : { [countsTokens ? 'max_completion_tokens' : 'max_tokens']: request.maxOutputTokens }),
  };
}

/** Of OpenAI's `finish_reason`; what a server says besides counts as done, since its stream came to its end. */
function endOf(reason: string): CompletionEnd {
  if (reason === 'length') return 'length';
  return reason === 'content_filter' ? 'filter' : 'done';
}

function* partsOf(event: Json): Iterable<CompletionPart> {
  const { choices, usage } = readAnswer(Chunk, event);
  const [choice] = choices;
  if (choice?.delta?.content) yield { text: choice.delta.content };
  if (choice?.finish_reason) yield { end: endOf(choice.finish_reason) };
  if (usage) yield { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } };
}
