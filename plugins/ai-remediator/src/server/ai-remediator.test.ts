import type { CompletionPart } from '@breakwater/sdk';
import {
  checkPlugin,
  collect,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswer,
  type TestRequest,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { eventsOf } from './events.ts';
import { server } from './index.ts';
import { type FakeProvider, fakeAzureOpenai, fakeOpenai } from './testing/fake-openai.ts';

const key = 'made-for-tests-only-0123456789';
const azure = {
  type: 'azure',
  api_key: key,
  deployment_name: 'gpt-4.1',
  base_url: 'https://acme.openai.azure.com',
  version: '2024-10-21',
};
const openai = { ...azure, type: 'openai', base_url: 'https://api.openai.com', version: 'v1' };
const known: FakeProvider = {
  key,
  model: 'gpt-4.1',
  isChatModel: true,
  pieces: ['Use ', 'a prepared ', 'statement — ✓.'],
  lineEnd: '\n',
};
const code = server.connectors['ai_remediator']!;

async function open(values: Record<string, string>, answer: (request: TestRequest) => TestAnswer) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  return { service, ctx: openTestConnection(plugin.connectors[0], { values, baseUrl: service.url }) };
}

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('check', () => {
  it.each([
    [
      'azure',
      azure,
      fakeAzureOpenai(known),
      'gpt-4.1 · acme.openai.azure.com',
      '/openai/deployments/gpt-4.1/chat/completions',
    ],
    [
      'azure with /openai in its address',
      { ...azure, base_url: 'https://acme.openai.azure.com/openai/' },
      fakeAzureOpenai(known),
      'gpt-4.1 · acme.openai.azure.com',
      '/openai/deployments/gpt-4.1/chat/completions',
    ],
    ['openai', openai, fakeOpenai(known), 'gpt-4.1 · api.openai.com', '/v1/models/gpt-4.1'],
    [
      'openai with the version in its address',
      { ...openai, base_url: 'https://api.openai.com/v1' },
      fakeOpenai(known),
      'gpt-4.1 · api.openai.com',
      '/v1/models/gpt-4.1',
    ],
  ])('%s: finds the deployment and asks the model nothing', async (_, values, answer, identity, path) => {
    const { ctx, service } = await open(values, answer);
    expect(await code.check!(ctx)).toEqual({ identity });
    expect(service.requests.map((request) => request.path)).toEqual([path]);
    expect(service.requests[0]?.body.includes('"role"')).toBe(false);
  });

  it.each<[string, Record<string, string>, Partial<FakeProvider>, string, string]>([
    ['azure: a wrong key', azure, { key: 'another' }, 'auth', ''],
    ['azure: an unknown deployment', { ...azure, deployment_name: 'gpt-5' }, {}, 'config', 'DeploymentNotFound'],
    ['azure: a model that does not talk', azure, { isChatModel: false }, 'config', 'no chat model'],
    ['azure: a version that is none', { ...azure, version: 'v1' }, {}, 'config', '"v1"'],
    ['openai: a wrong key', openai, { key: 'another' }, 'auth', ''],
    ['openai: an unknown model', { ...openai, deployment_name: 'gpt-5' }, {}, 'config', 'model_not_found'],
  ])('reports %s', async (_, values, differs, errorCode, words) => {
    const provider = { ...known, ...differs };
    const { ctx } = await open(values, values['type'] === 'azure' ? fakeAzureOpenai(provider) : fakeOpenai(provider));
    const error = await refusalOf(code.check!(ctx));
    expect(error).toMatchObject({
      code: errorCode,
      message: expect.stringContaining(words),
      help: expect.stringMatching(/[.?]$/),
    });
    expect(`${error.message} ${error.help}`).not.toContain(key);
  });

  it('takes no web page for Azure', async () => {
    const { ctx } = await open(azure, () => ({ status: 400, body: '<html>Bad request</html>' }));
    expect(await refusalOf(code.check!(ctx))).toMatchObject({ code: 'upstream' });
  });
});

describe('remediator', () => {
  const request = {
    model: 'gpt-4.1',
    messages: [{ role: 'user', content: 'Repair this.' }],
    maxOutputTokens: 500,
  } as const;
  const textOf = (parts: CompletionPart[]) => parts.map((part) => ('text' in part ? part.text : '')).join('');

  it.each([
    ['azure', azure, fakeAzureOpenai(known)],
    ['openai', openai, fakeOpenai(known)],
    ['openai, lines of another kind', openai, fakeOpenai({ ...known, lineEnd: '\r\n' })],
  ])('%s: streams the answer and counts its tokens', async (_, values, answer) => {
    const { ctx, service } = await open(values, answer);
    const parts = await collect(code.remediator!.complete(ctx, request));
    expect(textOf(parts)).toBe('Use a prepared statement — ✓.');
    expect(parts.at(-1)).toEqual({ usage: { inputTokens: 9, outputTokens: 12 } });
    expect(JSON.parse(service.requests[0]!.body)).toMatchObject({ stream: true, max_completion_tokens: 500 });
  });

  it.each([
    ['stop', 'done'],
    ['length', 'length'],
    ['content_filter', 'filter'],
  ] as const)('says why an answer ended: %s', async (finish, end) => {
    const { ctx } = await open(azure, fakeAzureOpenai({ ...known, reply: () => ({ text: 'Half of', finish }) }));
    expect(await collect(code.remediator!.complete(ctx, request))).toContainEqual({ end });
  });

  it('asks an older Azure only for what it knows', async () => {
    const { ctx, service } = await open({ ...azure, version: '2024-02-01' }, fakeAzureOpenai(known));
    await collect(code.remediator!.complete(ctx, request));
    const body = JSON.parse(service.requests[0]!.body);
    expect(body).toMatchObject({ max_tokens: 500 });
    expect(body).not.toHaveProperty('stream_options');
  });

  it('takes half an answer for none', async () => {
    const { ctx } = await open(openai, (asked) => {
      const { body } = fakeOpenai(known)(asked);
      return { body: String(body).replace('data: [DONE]', '') };
    });
    expect(await refusalOf(collect(code.remediator!.complete(ctx, request)))).toMatchObject({ code: 'upstream' });
  });

  it('lists what may be used', async () => {
    const atOpenai = await open(openai, fakeOpenai(known));
    expect(await code.remediator!.models(atOpenai.ctx)).toEqual(['gpt-4.1', 'other']);
    const atAzure = await open(azure, fakeAzureOpenai(known));
    expect(await code.remediator!.models(atAzure.ctx)).toEqual(['gpt-4.1']);
    const wrongKey = await open(azure, fakeAzureOpenai({ ...known, key: 'another' }));
    expect(await refusalOf(code.remediator!.models(wrongKey.ctx))).toMatchObject({ code: 'auth' });
  });
});

it('validation is the same service under the names of its own form', async () => {
  const service = await startTestService(fakeOpenai(known));
  onTestFinished(() => service.close());
  const values = Object.fromEntries(Object.entries(openai).map(([name, value]) => [`openai_${name}`, value]));
  const ctx = openTestConnection(plugin.connectors[1], { values, baseUrl: service.url });
  const own = server.connectors['ai_validation']!;
  expect(await own.check!(ctx)).toEqual({ identity: 'gpt-4.1 · api.openai.com' });
  expect(await own.remediator!.models(ctx)).toEqual(['gpt-4.1', 'other']);
  const asked = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Is it?' }] } as const;
  expect(await collect(own.remediator!.complete(ctx, asked))).toContainEqual({ text: 'a prepared ' });
});

describe('eventsOf', () => {
  const bytes = new TextEncoder().encode(
    'data: {"a":"é"}\r\n\r\n: comment\n\nevent: x\ndata: one\ndata: two\n\ndata:three',
  );
  const cut = async function* (size: number) {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  };

  it.each([1, 2, 3, 7, 1000])('reads events cut into pieces of %i bytes', async (size) => {
    expect(await collect(eventsOf(cut(size)))).toEqual(['{"a":"é"}', 'one\ntwo', 'three']);
  });

  it('gives up on a line without an end', async () => {
    const endless = async function* () {
      for (let count = 0; count < 20; count += 1) yield new Uint8Array(100_000).fill(97);
    };
    await expect(collect(eventsOf(endless()))).rejects.toMatchObject({ code: 'upstream' });
  });
});
