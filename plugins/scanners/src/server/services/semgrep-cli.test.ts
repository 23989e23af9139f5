import { openTestConnection, refusalOf, startTestService } from '@breakwater/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { plugin } from '../../plugin.ts';
import { server } from './index.ts';

const token = 'token-for-tests-only';
const check = server.connectors['semgrep_cli']!.check!;

/** Source: semgrep CLI, `tests/login/ok_response.json` and `semgrep/app/auth.py`. */
async function open(given: string, json: object | null = { deployment: { id: 1234, name: 'acme' } }) {
  const service = await startTestService(({ headers, path }) => {
    if (headers['authorization'] !== `Bearer ${token}`) return { status: 401, json: { error: 'Unauthorized' } };
    return path === '/api/agent/deployments/current' ? { body: JSON.stringify(json) } : { status: 404 };
  });
  onTestFinished(() => service.close());
  const connector = plugin.connectors.find(({ id }) => id === 'semgrep_cli')!;
  return openTestConnection(connector, { values: { token: given }, baseUrl: service.url });
}

it('says whose token it is', async () => {
  expect(await check(await open(token))).toEqual({ identity: 'acme' });
});

it.each([
  ['a wrong token', 'another-token', undefined, 'auth'],
  ['an answer without organisation', token, { deployment: null }, 'upstream'],
])('reports %s', async (_, given, json, code) => {
  expect(await refusalOf(check(await open(given, json)))).toMatchObject({ code });
});
