import { createHash } from 'node:crypto';
import { answerJson, readAnswer, Type } from '@breakwater/sdk';
import { startTestService } from '@breakwater/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createFakeGitlab } from './fake-gitlab.ts';
import { OAUTH_APP } from './oauth-routes.ts';

const { clientId, clientSecret } = OAUTH_APP;
const redirect = 'http://127.0.0.1:1/connector';
const Tokens = Type.Object({ access_token: Type.String(), refresh_token: Type.String() });
const verifier = 'v'.repeat(43);

async function consent() {
  const service = await startTestService(createFakeGitlab({ token: 'the-token', scopes: ['api'], projects: 1 }).answer);
  onTestFinished(() => service.close());
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirect,
    state: 'st',
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const answer = await fetch(new URL(`/oauth/authorize?${query}`, service.url), { redirect: 'manual' });
  const target = new URL(answer.headers.get('location') ?? '');
  const ask = (fields: Record<string, string>) =>
    fetch(new URL('/oauth/token', service.url), {
      method: 'POST',
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: redirect,
        ...fields,
      }),
    });
  return { target, ask, code: target.searchParams.get('code') ?? '' };
}

it('gives a code for a token once, and renews it once', async () => {
  const { target, ask, code } = await consent();
  expect(target.searchParams.get('state')).toBe('st');
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier };
  const tokens = readAnswer(Tokens, answerJson({ status: 200, headers: {}, body: await (await ask(fields)).bytes() }));
  expect(tokens.access_token).toBe('the-token');
  expect((await ask(fields)).status).toBe(400);
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await ask(refresh)).status).toBe(200);
  expect((await ask(refresh)).status).toBe(400);
});

it.each([
  ['a wrong verifier', { code_verifier: 'w'.repeat(43) }, 400],
  ['another address', { redirect_uri: 'http://elsewhere.example/' }, 400],
  ['a wrong secret', { client_secret: 'wrong' }, 401],
])('refuses %s', async (_, differs, status) => {
  const { ask, code } = await consent();
  expect((await ask({ grant_type: 'authorization_code', code, code_verifier: verifier, ...differs })).status).toBe(
    status,
  );
});
