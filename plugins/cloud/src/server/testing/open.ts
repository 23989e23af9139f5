import type { ConnectorError, Identity } from '@breakwater/sdk';
import {
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswer,
  type TestRequest,
  type TestService,
} from '@breakwater/sdk/testing';
import { onTestFinished } from 'vitest';
import { plugin } from '../../plugin.ts';
import { server } from '../index.ts';

interface Situation {
  readonly values: Readonly<Record<string, unknown>>;
  readonly answer: (request: TestRequest) => TestAnswer;
  readonly now?: Date;
}

/** Runs `check` of a card against a fake provider. */
export async function check(
  id: string,
  { values, answer, now }: Situation,
): Promise<{ identity: Identity; service: TestService }> {
  const connector = plugin.connectors.find((candidate) => candidate.id === id);
  const code = server.connectors[id]?.check;
  if (connector === undefined || code === undefined) throw new Error(`no card "${id}"`);
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const ctx = openTestConnection(connector, { values, baseUrl: service.url, ...(now === undefined ? {} : { now }) });
  return { identity: await code(ctx), service };
}

/** The refusal of a check that must fail. */
export function refusal(id: string, situation: Situation): Promise<ConnectorError> {
  return refusalOf(check(id, situation));
}
