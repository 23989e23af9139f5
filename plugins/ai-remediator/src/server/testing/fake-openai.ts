import { readFileSync } from 'node:fs';
import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** A recorded completion, or another answer of the service. */
export type FakeReply =
  | { readonly text: string; readonly finish?: 'stop' | 'length' | 'content_filter'; readonly isBrokenOff?: boolean }
  | { readonly answer: TestAnswer };

/** One provider with one model or deployment. */
export interface FakeProvider {
  readonly key: string;
  readonly model: string;
  readonly isChatModel: boolean;
  /** Pieces that the model answers with. */
  readonly pieces: readonly string[];
  readonly lineEnd: '\n' | '\r\n';
  /** In place of `pieces`: what is answered to the texts of a conversation. */
  readonly reply?: (messages: readonly string[]) => FakeReply;
}

const { shapes }: { shapes: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../__fixtures__/openapi-shapes.json', import.meta.url), 'utf8'),
);

type Shape =
  | 'CreateChatCompletionRequest'
  | 'CreateChatCompletionStreamResponse'
  | 'Model'
  | 'ListModelsResponse'
  | 'ErrorResponse';

/** @throws where a message is not as OpenAI's document says */
function checked<T extends Json>(shape: Shape, message: T): T {
  readAnswer(Type.Unsafe(shapes[shape] ?? { not: {} }), message);
  return message;
}

const Question = Type.Object({ messages: Type.Array(Type.Object({ content: Type.String() })) });

/** Source: OpenAI OpenAPI document (openai/openai-openapi), `GET /models/{model}`, `POST /chat/completions`, ErrorResponse. */
export function fakeOpenai(provider: FakeProvider): (request: TestRequest) => TestAnswer {
  return ({ headers, path, body }) => {
    if (headers['authorization'] !== `Bearer ${provider.key}`) return refusal(401, 'invalid_api_key');
    if (path === '/v1/models') return { json: listOf(modelOf(provider.model), modelOf('other')) };
    if (path === `/v1/models/${provider.model}`) return { json: modelOf(provider.model) };
    if (path === '/v1/chat/completions')
      return completion(provider, checked('CreateChatCompletionRequest', JSON.parse(body)));
    return refusal(404, 'model_not_found');
  };
}

/**
 * Source: Azure OpenAI REST API reference, data plane inference 2024-10-21: key in `api-key`, deployment in the path, `DeploymentNotFound`,
 * `OperationNotSupported`.
 */
export function fakeAzureOpenai(provider: FakeProvider): (request: TestRequest) => TestAnswer {
  return ({ headers, path, query, body }) => {
    if (headers['api-key'] !== provider.key) return refusal(401, '401');
    if (query.get('api-version') === null) return refusal(404, '404');
    if (path === '/openai/models') return { json: listOf(modelOf('gpt-4.1-2025-04-14')) };
    const deployment = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(path)?.[1];
    if (deployment !== provider.model) return refusal(404, 'DeploymentNotFound');
    if (!provider.isChatModel) return refusal(400, 'OperationNotSupported');
    const asked: Json = JSON.parse(body);
    const hasMessages = /"messages":\[\{/.test(body);
    if (!hasMessages) return refusal(400, null, "[] is too short - 'messages'");
    // the same body as OpenAI's, but for the model, which the path names
    checked('CreateChatCompletionRequest', { model: deployment, ...Object(asked) });
    return completion(provider, asked);
  };
}

function modelOf(id: string): Json {
  return checked('Model', { id, object: 'model', created: 1_686_935_002, owned_by: 'openai' });
}

function listOf(...models: Json[]): Json {
  return checked('ListModelsResponse', { object: 'list', data: models });
}

function completion(provider: FakeProvider, asked: Json): TestAnswer {
  const { pieces, reply } = provider;
  if (reply === undefined) return streamed(provider, asked, { pieces, finish: 'stop', isBrokenOff: false });
  const given = reply(readAnswer(Question, asked).messages.map(({ content }) => content));
  if ('answer' in given) return given.answer;
  const { text, finish = 'stop', isBrokenOff = false } = given;
  return streamed(provider, asked, { pieces: text.match(/[\s\S]{1,40}/gu) ?? [], finish, isBrokenOff });
}

function streamed(
  { lineEnd, model }: FakeProvider,
  asked: Json,
  { pieces, finish, isBrokenOff }: { pieces: readonly string[]; finish: string; isBrokenOff: boolean },
): TestAnswer {
  const counts = JSON.stringify(asked).includes('"include_usage":true');
  const events = [
    chunk(model, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...pieces.map((content) => chunk(model, [{ index: 0, delta: { content }, finish_reason: null }])),
    ...(isBrokenOff ? [] : [chunk(model, [{ index: 0, delta: {}, finish_reason: finish }])]),
    ...(counts && !isBrokenOff
      ? [{ ...chunk(model, []), usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 } }]
      : []),
  ].map((event) => `data: ${JSON.stringify(checked('CreateChatCompletionStreamResponse', event))}`);
  const last = isBrokenOff ? [] : ['data: [DONE]'];
  const body = `${[...events, ...last].join(lineEnd + lineEnd)}${lineEnd}${lineEnd}`;
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

function chunk(model: string, choices: readonly Json[]) {
  return { id: 'chatcmpl-123', object: 'chat.completion.chunk', created: 1_694_268_190, model, choices };
}

function refusal(status: number, code: string | null, message = 'Refused.'): TestAnswer {
  const error = { message, type: 'invalid_request_error', param: null, code };
  return { status, json: checked('ErrorResponse', { error }) };
}
