import type { AnyConnector } from '@breakwater/sdk';
import { openTestConnection, startTestService, type TestAnswers } from '@breakwater/sdk/testing';
import { onTestFinished } from 'vitest';
import { createFakeGitlab } from './fake-gitlab.ts';
import type { FakeOptions } from './state.ts';

export const values = {
  oauth_token: 'made-for-tests-only',
  refresh_token: 'refresh-for-tests',
  hosted_url: 'https://gitlab.example.com',
};
const known: FakeOptions = { token: values.oauth_token, scopes: ['api'], projects: 3 };

/** A connection to a GitLab of its own, which ends with the test. */
export async function openFake(
  connector: AnyConnector,
  differs: Partial<FakeOptions> = {},
  around: (answer: TestAnswers) => TestAnswers = (answer) => answer,
) {
  const fake = createFakeGitlab({ ...known, ...differs });
  const service = await startTestService(around(fake.answer), { git: fake.git });
  onTestFinished(async () => {
    await service.close();
    await fake.close();
  });
  const connect = (signal?: AbortSignal) =>
    openTestConnection(connector, {
      values,
      baseUrl: service.url,
      now: new Date('2026-11-23T00:00:00Z'),
      ...(signal === undefined ? {} : { signal }),
    });
  return { fake, service, connect, ctx: connect() };
}
