import type { Mutations } from './mutate.ts';

/** A service of ours with a stream and two ways of asking. */
export const aiRemediator: Mutations = {
  connector: 'ai_remediator',
  folder: 'plugins/ai-remediator',
  faults: [
    {
      name: 'the version of the API is not sent',
      file: 'src/server/endpoint.ts',
      find: "query: { 'api-version': version },",
      replace: 'query: {},',
    },
    {
      name: 'the version of the API is fixed',
      file: 'src/server/endpoint.ts',
      find: "query: { 'api-version': version },",
      replace: "query: { 'api-version': '2024-06-01' },",
    },
    {
      name: 'Azure gets a bearer token',
      file: 'src/server/endpoint.ts',
      find: "headers: { 'api-key': key },",
      replace: "headers: { authorization: 'Bearer '.concat(key) },",
    },
    {
      name: 'the key stands in the address',
      file: 'src/server/endpoint.ts',
      find: "query: { 'api-version': version },",
      replace: "query: { 'api-version': version, 'api-key': key },",
    },
    {
      name: 'OpenAI gets the header of Azure',
      file: 'src/server/endpoint.ts',
      find: 'headers: { authorization: ',
      replace: "headers: { 'api-key': ",
    },
    {
      name: 'an endpoint that ends with /openai has it twice',
      file: 'src/server/endpoint.ts',
      find: "/\\/openai\\/?$/.test(config.base_url) ? '' : '/openai'",
      replace: "'/openai'",
    },
    {
      name: 'an endpoint that ends with /v1 has it twice',
      file: 'src/server/endpoint.ts',
      find: "const root = hasVersion ? '' :",
      replace: "const root = hasVersion && isDated ? '' :",
    },
    {
      name: 'a version that Azure does not have is asked for',
      file: 'src/server/endpoint.ts',
      find: "if (type === 'azure' && !isDated) {",
      replace: "if (type === 'openai' && version === '') {",
    },
    {
      name: 'an unknown deployment is a bad answer',
      file: 'src/server/check.ts',
      find: "return new ConnectorError('config', message",
      replace: "return new ConnectorError('upstream', message",
    },
    {
      name: 'a model that does not talk passes',
      file: 'src/server/check.ts',
      find: "code === 'OperationNotSupported'",
      replace: "code === 'operation_not_supported'",
    },
    {
      name: 'the check writes a sentence, which costs',
      file: 'src/server/check.ts',
      find: 'body: { messages: [] },',
      replace: "body: { messages: [{ role: 'user', content: 'Hi' }] },",
    },
    {
      name: 'any refusal passes the check',
      file: 'src/server/check.ts',
      find: 'if (answer.status >= 400 && code === undefined) {',
      replace: 'if (answer.status >= 500 && code === undefined) {',
    },
    {
      name: 'the identity does not say which service',
      file: 'src/server/check.ts',
      find: 'new URL(base).host : base',
      replace: 'deployment : base',
    },
    {
      name: 'the models of a region are named, not the deployment',
      file: 'src/server/remediator.ts',
      find: "return ctx.config.type === 'azure' ? [ctx.config.deployment_name] : data.map(({ id }) => id);",
      replace: 'return data.map(({ id }) => id);',
    },
    {
      name: 'the deployment of the form is asked, whatever model is wanted',
      file: 'src/server/remediator.ts',
      find: "path: ctx.config.type === 'azure' ? withDeployment(chatPath, request.model) : chatPath,",
      replace: "path: request.model === '' ? withDeployment(chatPath, request.model) : chatPath,",
    },
    {
      name: 'the upper bound of the answer is not sent',
      file: 'src/server/remediator.ts',
      find: '...(request.maxOutputTokens === undefined',
      replace: '...(request.maxOutputTokens === undefined || request.maxOutputTokens > 0',
    },
    {
      name: 'an answer that reached its upper bound is whole',
      file: 'src/server/remediator.ts',
      find: "if (reason === 'length') return 'length';",
      replace: "if (reason === 'max_tokens') return 'length';",
    },
    {
      name: 'an answer that was cut off is whole',
      file: 'src/server/remediator.ts',
      find: 'let isDone = false;',
      replace: 'let isDone = stream !== undefined;',
    },
    {
      name: 'tokens of input and output are swapped',
      file: 'src/server/remediator.ts',
      find: '{ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }',
      replace: '{ inputTokens: usage.completion_tokens, outputTokens: usage.prompt_tokens }',
    },
    {
      name: 'an event that comes in two pieces is read as two',
      file: 'src/server/events.ts',
      find: "rest = lines.pop() ?? '';",
      replace: "rest = '';",
    },
  ],
};
