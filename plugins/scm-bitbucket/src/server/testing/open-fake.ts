import type { AnyConnector } from '@breakwater/sdk';
import { openTestConnection, startTestService, type TestAnswers } from '@breakwater/sdk/testing';
import { onTestFinished } from 'vitest';
import { createFakeBitbucket } from './fake-bitbucket.ts';
import type { FakeOptions } from './state.ts';

export const values = {
  oauth_token: 'made-for-tests-only',
  refresh_token: 'refresh-for-tests',
  workspaces: 'acme, labs',
};
const known: FakeOptions = {
  token: values.oauth_token,
  scopes: ['account', 'repository:write', 'repository:admin', 'pullrequest:write', 'issue:write', 'webhook'],
  workspaces: ['labs', 'acme', 'other'],
  repositories: 3,
};

interface Differences {
  readonly entered?: Partial<typeof values>;
  /** Stands before the fake. */
  readonly around?: (answer: TestAnswers) => TestAnswers;
}

/** A connection to a Bitbucket of its own, which ends with the test. */
export async function openFake(
  connector: AnyConnector,
  differs: Partial<FakeOptions> = {},
  { entered = {}, around = (answer) => answer }: Differences = {},
) {
  const fake = createFakeBitbucket({ ...known, ...differs });
  const service = await startTestService(around(fake.answer), { git: fake.git });
  onTestFinished(async () => {
    await service.close();
    await fake.close();
  });
  const connect = (signal?: AbortSignal) =>
    openTestConnection(connector, {
      values: { ...values, ...entered },
      baseUrl: service.url,
      now: new Date('2026-11-23T00:00:00Z'),
      ...(signal === undefined ? {} : { signal }),
    });
  return { fake, service, connect, ctx: connect() };
}
