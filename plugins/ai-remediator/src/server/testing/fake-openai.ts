import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** One provider with one model or deployment. */
export interface FakeProvider {
  readonly key: string;
  readonly model: string;
  readonly isChatModel: boolean;
  /** Pieces that the model answers with. */
  readonly pieces: readonly string[];
  readonly lineEnd: '\n' | '\r\n';
}

/** Source: OpenAI OpenAPI document (openai/openai-openapi), `GET /models/{model}`, `POST /chat/completions`, ErrorResponse. */
export function fakeOpenai(provider: FakeProvider): (request: TestRequest) => TestAnswer {
  return ({ headers, path, body }) => {
    if (headers['authorization'] !== `Bearer ${provider.key}`) return refusal(401, 'invalid_api_key');
    if (path === '/v1/models') return { json: { object: 'list', data: [modelOf(provider.model), modelOf('other')] } };
    if (path === `/v1/models/${provider.model}`) return { json: modelOf(provider.model) };
    if (path === '/v1/chat/completions') return completion(provider, JSON.parse(body));
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
    if (path === '/openai/models') return { json: { object: 'list', data: [modelOf('gpt-4.1-2025-04-14')] } };
    const deployment = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(path)?.[1];
    if (deployment !== provider.model) return refusal(404, 'DeploymentNotFound');
    if (!provider.isChatModel) return refusal(400, 'OperationNotSupported');
    const asked: Json = JSON.parse(body);
    const hasMessages = /"messages":\[\{/.test(body);
    return hasMessages ? completion(provider, asked) : refusal(400, null, "[] is too short - 'messages'");
  };
}

function modelOf(id: string): Json {
  return { id, object: 'model', created: 1_686_935_002, owned_by: 'openai' };
}

function completion({ pieces, lineEnd, model }: FakeProvider, asked: Json): TestAnswer {
  const counts = JSON.stringify(asked).includes('"include_usage":true');
  const events = [
    chunk(model, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...pieces.map((content) => chunk(model, [{ index: 0, delta: { content }, finish_reason: null }])),
    chunk(model, [{ index: 0, delta: {}, finish_reason: 'stop' }]),
    ...(counts ? [{ ...chunk(model, []), usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 } }] : []),
  ].map((event) => `data: ${JSON.stringify(event)}`);
  const body = `${[...events, 'data: [DONE]'].join(lineEnd + lineEnd)}${lineEnd}${lineEnd}`;
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

function chunk(model: string, choices: readonly Json[]) {
  return { id: 'chatcmpl-123', object: 'chat.completion.chunk', created: 1_694_268_190, model, choices };
}

function refusal(status: number, code: string | null, message = 'Refused.'): TestAnswer {
  return { status, json: { error: { message, type: 'invalid_request_error', param: null, code } } };
}
