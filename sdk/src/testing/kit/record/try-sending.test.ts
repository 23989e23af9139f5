import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeDesk, deskDocument } from '../../../declarative/__fixtures__/fake-desk.ts';
import { startTestService } from '../../test-service.ts';
import { runKit } from '../run-kit.ts';
import { tryDocument } from './try-document.ts';

const TOKEN = 'cana/ry+"7f3"9c=e1&b2d4 a6';
const document = await deskDocument();

/** Pier Desk, which keeps its tickets from one test to the next. */
const startDesk = async () => {
  const desk = createFakeDesk(TOKEN);
  const service = await startTestService(desk.answer);
  onTestFinished(() => service.close());
  const baseUrlOverride = new URL(`${service.url.href}v2`);
  const options = { allowPrivateHosts: false, trusted: [baseUrlOverride.host], baseUrlOverride };
  const values = { token: TOKEN, queue: 'security' };
  return { ...desk, attempt: (sends: boolean) => tryDocument({ ...options, document, values, sends }) };
};

test('without leave nothing is sent, and nothing is recorded that would stand for it', async () => {
  const { tickets, messages, attempt } = await startDesk();
  const tried = await attempt(false);
  expect(tried).toMatchObject({ isUnsent: true, fixtures: null, identity: 'ada@pier.example' });
  expect(tried.operations.map(({ name, isOk }) => [name, isOk])).toEqual([['check', true]]);
  expect([tickets.length, messages]).toEqual([1, []]);
});

test('one ticket and one message are sent, also in the test after it, and what is recorded reaches silver', async () => {
  const { tickets, messages, attempt } = await startDesk();
  const first = await attempt(true);
  expect(first.operations.map(({ name, isOk, message }) => [name, isOk, message])).toEqual([
    ['check', true, ''],
    ['tickets.createTicket', true, ''],
    ['notify.send', true, ''],
    ['tickets.ticket', true, ''],
  ]);
  expect(tickets.slice(1).map(({ subject }) => subject)).toEqual(['Test by Breakwater']);
  const second = await attempt(true);
  expect([tickets.length, messages.length]).toEqual([3, 2]);
  expect(JSON.stringify(second)).not.toContain(TOKEN);
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-try-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'connector.json'), JSON.stringify(document));
  await writeFile(join(folder, 'conformance.json'), JSON.stringify(second.fixtures));
  const { connectors } = await runKit(folder);
  const checks = connectors.flatMap((one) => one.checks);
  expect(checks.flatMap(({ issues }) => issues.map(({ what }) => what))).toEqual([]);
  expect(checks.flatMap(({ notes = [] }) => notes)).toEqual([
    'tickets.transition was not tried: say in calls.tickets.write what it is given',
  ]);
  expect(connectors.map(({ tier }) => tier)).toEqual(['silver']);
});

test('a ticket that is not found again is said, and nothing is recorded', async () => {
  const { tickets, faults, attempt } = await startDesk();
  faults.findsNothing = true;
  const tried = await attempt(true);
  expect(tried.fixtures).toBeNull();
  expect(tried.operations.at(-1)).toMatchObject({
    name: 'tickets.createTicket',
    isOk: false,
    message: expect.stringContaining('"find" did not find'),
  });
  expect(tickets).toHaveLength(3);
});
