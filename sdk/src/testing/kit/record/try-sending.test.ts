import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { runKit } from '../run-kit.ts';
import { tryDocument } from './try-document.ts';

const FIXTURES = join(import.meta.dirname, '../../../declarative/__fixtures__');
const TOKEN = 'cana/ry+"7f3"9c=e1&b2d4 a6';
const desk = JSON.parse(await readFile(join(FIXTURES, 'pier-desk/connector.json'), 'utf8'));
const channel = JSON.parse(await readFile(join(FIXTURES, 'dock-chat/connector.json'), 'utf8')).actions;
/** Tickets and a channel of one service. */
const document = {
  ...desk,
  actions: {
    ...desk.actions,
    notify: {
      ...channel.notify,
      request: { path: '/messages', body: { text: '{{message.title}}', nonce: '{{idempotencyKey}}' } },
    },
  },
};

interface Kept {
  id: number;
  external_id: string;
  subject: string;
}

/** Pier Desk, which keeps its tickets from one test to the next. */
const startDesk = async ({ forgets = false } = {}) => {
  const kept: Kept[] = [];
  const messages: unknown[] = [];
  const shown = (ticket: Kept) => ({
    ...ticket,
    state: 'open',
    link: `https://pier.example/t/${ticket.id}`,
    by: TOKEN,
  });
  const service = await startTestService(({ method, path, query, body }) => {
    if (path === '/v2/me') return { json: { email: 'ada@pier.example' } };
    if (path === '/v2/messages') {
      messages.push(JSON.parse(body));
      return { status: 204 };
    }
    if (method === 'POST') {
      const made: Kept = { ...JSON.parse(body), id: kept.length + 7 };
      kept.push(made);
      return { status: 201, json: { ticket: shown(made) } };
    }
    if (path === '/v2/tickets') {
      const found = forgets ? [] : kept.filter((one) => one.external_id === query.get('external_id'));
      return { json: { tickets: found.map(shown) } };
    }
    const one = kept.find(({ id }) => path === `/v2/tickets/${id}`);
    return one === undefined ? { status: 404 } : { json: { ticket: shown(one) } };
  });
  onTestFinished(() => service.close());
  const baseUrlOverride = new URL(`${service.url.href}v2`);
  const options = {
    values: { token: TOKEN, queue: 'security' },
    allowPrivateHosts: false,
    trusted: [baseUrlOverride.host],
    baseUrlOverride,
  };
  const attempt = (sends: boolean) => tryDocument({ ...options, document, sends });
  return { kept, messages, attempt };
};

test('without leave nothing is sent, and nothing is recorded that would stand for it', async () => {
  const { kept, messages, attempt } = await startDesk();
  const tried = await attempt(false);
  expect(tried).toMatchObject({ isUnsent: true, fixtures: null, identity: 'ada@pier.example' });
  expect(tried.operations.map(({ name, isOk }) => [name, isOk])).toEqual([['check', true]]);
  expect([kept, messages]).toEqual([[], []]);
});

test('one ticket and one message are sent, also in the test after it, and what is recorded reaches silver', async () => {
  const { kept, messages, attempt } = await startDesk();
  const first = await attempt(true);
  expect(first.operations.map(({ name, isOk, message }) => [name, isOk, message])).toEqual([
    ['check', true, ''],
    ['tickets.createTicket', true, ''],
    ['notify.send', true, ''],
    ['tickets.ticket', true, ''],
  ]);
  expect(kept.map(({ subject }) => subject)).toEqual(['Test by Breakwater']);
  const second = await attempt(true);
  expect([kept.length, messages.length]).toEqual([2, 2]);
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
  const { kept, attempt } = await startDesk({ forgets: true });
  const tried = await attempt(true);
  expect(tried.fixtures).toBeNull();
  expect(tried.operations.at(-1)).toMatchObject({
    name: 'tickets.createTicket',
    isOk: false,
    message: expect.stringContaining('"find" did not find'),
  });
  expect(kept).toHaveLength(2);
});
