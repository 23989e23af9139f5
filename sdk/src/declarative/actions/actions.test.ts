import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../context.ts';
import { createMapper } from '../../host/index.ts';
import { PluginError } from '../../plugin.ts';
import { openTestConnection, refusalOf, runKit, startTestService, type TestAnswers } from '../../testing/index.ts';
import { TICKET_VALUES } from '../../tickets/ticket-template.ts';
import { createFakeDesk } from '../__fixtures__/fake-desk.ts';
import { readDocument } from '../index.ts';

const FIXTURES = path.join(import.meta.dirname, '../__fixtures__');
const mapper = createMapper();
const documentOf = async (id: string) => JSON.parse(await readFile(path.join(FIXTURES, id, 'connector.json'), 'utf8'));
const desk = await documentOf('pier-desk');
const chat = await documentOf('dock-chat');

/** Anything may be changed in it, also to what a document may not be. */
// biome-ignore lint/suspicious/noExplicitAny: a document as an author writes it, before it is read
type Change = (document: any) => void;

const changed = (sound: unknown, change: Change): unknown => {
  const document = structuredClone(sound);
  change(document);
  return document;
};

const issuesOf = (sound: unknown, change: Change): readonly string[] => {
  try {
    readDocument(changed(sound, change), mapper);
    return [];
  } catch (error) {
    if (error instanceof PluginError) return error.issues;
    throw error;
  }
};

test('a channel is as good as silver asks, and tickets that are followed and closed reach gold', async () => {
  const [channel, tickets] = [
    await runKit(path.join(FIXTURES, 'dock-chat')),
    await runKit(path.join(FIXTURES, 'pier-desk'), { upTo: 'gold' }),
  ];
  expect([...channel.issues, ...tickets.issues]).toEqual([]);
  expect(channel.connectors).toMatchObject([{ id: 'dock-chat', tier: 'silver' }]);
  expect(tickets.connectors).toMatchObject([{ id: 'pier-desk', tier: 'gold' }]);
});

test('the page "Tickets and channels without code" shows both word for word', async () => {
  const guide = await readFile(
    path.join(import.meta.dirname, '../../../../docs/connectors/no-code-actions.md'),
    'utf8',
  );
  const shown = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json ?? ''));
  expect(shown).toEqual([chat.actions, desk.actions]);
});

describe('what a document may not send', () => {
  test.each<[string, Change, string]>([
    ['no format', (d) => delete d.actions.ticket.text, 'field "actions.ticket.text"'],
    ['a format that nobody knows', (d) => (d.actions.ticket.text = 'rtf'), 'plain, markdown, slack, html'],
    [
      'tickets that nobody finds again',
      (d) => delete d.actions.ticket.create.request.body.external_id,
      'field "actions.ticket.create": does not send {{idempotencyKey}}',
    ],
    [
      'a search for something else',
      (d) => {
        d.actions.ticket.find.request.query = { text: '{{draft.title}}' };
        delete d.actions.ticket.find.where;
      },
      'field "actions.ticket.find": neither asks for {{idempotencyKey}} nor compares with $key',
    ],
    ['a ticket that is closed unseen', (d) => delete d.actions.ticket.read, 'field "actions.ticket.read": is missing'],
    [
      'text of others inside of a text of JSON',
      (d) => (d.actions.ticket.create.request.body = '{"key": "{{idempotencyKey}}", "title": "x {{draft.title}}"}'),
      '{{draft.title}} stands between double quotes',
    ],
    [
      'text of others inside of GraphQL',
      (d) => (d.actions.ticket.create.request.body.query = 'mutation { make(title: "{{draft.title}}") { id } }'),
      '{{draft.title}} stands between double quotes',
    ],
    [
      'text of others in a header',
      (d) => (d.actions.ticket.create.request.headers = { subject: '{{draft.title}}' }),
      '{{draft.title}} is text of others, which may not stand in a header',
    ],
    [
      'a field that the draft does not have',
      (d) => (d.actions.ticket.create.request.body.x = '{{draft.nothing}}'),
      '{{draft.nothing}} is not a field of the form, idempotencyKey, draft.url',
    ],
    [
      'a value that tickets do not have',
      (d) => (d.actions.ticket.draft.x = '{{finding.secret}}'),
      '{{finding.secret}} is not a field of the form or finding.id and the others of tickets',
    ],
    ['a secret', (d) => (d.actions.ticket.draft.x = '{{token}}'), '{{token}} is a secret'],
    ['a limit of nothing', (d) => (d.actions.ticket.maxLength.x = 5), 'maxLength.x": is no field of "draft"'],
    ['a method that removes', (d) => (d.actions.ticket.close.request.method = 'DELETE'), 'GET, POST, PUT, PATCH'],
    ['code', (d) => (d.actions.ticket.map.url = "$eval('1')"), 'field "actions.ticket.map.url": calls $eval'],
  ])('%s', (_name, change, words) => {
    expect(issuesOf(desk, change).join('\n')).toContain(words);
  });

  test('an address of a ticket may stand in quotes, and all text in HTML', () => {
    const change: Change = (d) => {
      d.actions.ticket.text = 'html';
      d.actions.ticket.create.request.body.body = '<p title="{{draft.title}}"><a href="{{draft.url}}">Open</a></p>';
    };
    expect(issuesOf(desk, change)).toEqual([]);
  });
});

const connect = async (document: unknown, answer: TestAnswers, values: Readonly<{ [key: string]: Json }>) => {
  const { plugin, server } = readDocument(document, mapper);
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const connector = plugin.connectors[0]!;
  const { tickets, notify } = server.connectors[connector.id]!;
  const ctx = openTestConnection(connector, { values, baseUrl: service.url });
  return { ctx, tickets: tickets!, notify: notify!, requests: service.requests };
};

const TITLE = '@octo [x](https://evil.example) *now*';
const VALUES = { ...TICKET_VALUES, 'finding.title': TITLE, 'finding.severity': 'critical' };

const openDesk = async (change: Change = () => undefined) => {
  const { tickets: records, ...fake } = createFakeDesk('a-token');
  const opened = await connect(changed(desk, change), fake.answer, { token: 'a-token', queue: 'security' });
  const draft = opened.tickets.draft({ queue: 'security' }, VALUES);
  const create = (idempotencyKey = 'one') => opened.tickets.createTicket(opened.ctx, { draft, idempotencyKey });
  return { ...fake, records, ...opened, draft, create };
};

describe('tickets', () => {
  test('people see the text as it is; the service is sent it escaped, and knows nothing of a link in it', async () => {
    const { draft, create, records } = await openDesk();
    expect(draft).toMatchObject({ title: TITLE, priority: '1 - Urgent' });
    const { ticket } = await create();
    expect(ticket).toEqual({ id: '2', key: 'PD-2', url: 'https://pier.example/t/2', status: 'open', isDone: false });
    expect(records[1]).toMatchObject({
      queue: 'security',
      subject: '@\u200Bocto \\[x\\](https\\://evil.example) \\*now\\*',
      external_id: expect.stringMatching(/^breakwater-[0-9a-f]{20}$/),
    });
    expect(records[1]!.body).toContain('\n\n[Open in Breakwater](https://breakwater.example/findings/test)');
  });

  test('the same key makes one, also where the answer to the first attempt was lost; another key makes another', async () => {
    const { create, records, faults } = await openDesk();
    faults.losesAnswer = true;
    expect(await refusalOf(create())).toMatchObject({ code: 'unreachable' });
    expect(records).toHaveLength(2);
    faults.losesAnswer = false;
    expect((await create()).ticket).toMatchObject({ id: '2' });
    expect((await create('two')).ticket).toMatchObject({ id: '3' });
    expect(records).toHaveLength(3);
  });

  test('nothing is made where the answer to the search is not what it should be', async () => {
    const { create, records, faults } = await openDesk();
    faults.forgetsList = true;
    expect(await refusalOf(create())).toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('"tickets" is missing'),
    });
    expect(records).toHaveLength(1);
  });

  test('one that is done already is not closed again, and one that stays open is no success', async () => {
    const { create, records, ctx, requests, faults, tickets } = await openDesk();
    const id = (await create()).ticket!.id;
    const { ticket, transition } = tickets.tracking!;
    const close = () => transition!(ctx, { ticket: id, comment: '@octo fixed', idempotencyKey: 'close' });
    faults.keepsOpen = true;
    expect(await refusalOf(close())).toMatchObject({
      code: 'config',
      message: expect.stringContaining('is not closed'),
    });
    faults.keepsOpen = false;
    expect(await close()).toMatchObject({ status: 'solved', isDone: true });
    expect(await close()).toMatchObject({ isDone: true });
    const patches = requests.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body).note);
    expect(patches).toEqual(['@\u200Bocto fixed', '@\u200Bocto fixed']);
    records.pop();
    expect(await ticket(ctx, id)).toBeNull();
  });

  test.each<[string, Change, string]>([
    [
      'no address of the web',
      (d) => (d.actions.ticket.map.url = "'javascript:alert(1)'"),
      '"url" is no address of the web',
    ],
    ['no id', (d) => (d.actions.ticket.map.id = 'number'), '"id" is missing'],
    ['no ticket', (d) => (d.actions.ticket.create.at = 'ticket.subject'), 'It holds no ticket'],
  ])('an answer with %s is refused', async (_name, change, words) => {
    const { create } = await openDesk(change);
    expect(await refusalOf(create())).toMatchObject({ code: 'upstream', message: expect.stringContaining(words) });
  });

  test('nobody follows tickets that the document does not read', async () => {
    const change: Change = (d) => {
      delete d.actions.ticket.read;
      delete d.actions.ticket.close;
    };
    const { create, requests } = await openDesk(change);
    expect((await create()).ticket).toMatchObject({ key: 'PD-2' });
    expect('tracking' in readDocument(changed(desk, change), mapper).server.connectors['pier-desk']!.tickets!).toBe(
      false,
    );
    expect(requests.length).toBe(2);
  });
});

describe('channels', () => {
  const message = { title: 'T'.repeat(200), text: '', kind: 'Test', severity: null, link: null, idempotencyKey: 'k' };
  const openChat = async (answer: TestAnswers, change: Change = () => undefined) => {
    const document = changed(chat, (d) => {
      d.auth = { type: 'none' };
      d.baseUrl = 'https://hooks.dock.example';
      d.credentials.properties = { thread: { type: 'string', title: 'Thread' } };
      d.credentials.required = [];
      change(d);
    });
    return connect(document, answer, {});
  };

  test('what has no value is left out, and what is too long is cut', async () => {
    const { notify, ctx, requests } = await openChat(() => ({ status: 204 }));
    await notify.send(ctx, message);
    expect(JSON.parse(requests[0]!.body)).toEqual({
      content: `**${'T'.repeat(99)}…** (Test)\n\n`,
      priority: 'P5',
      nonce: expect.any(String),
      mentions: [],
    });
  });

  test.each<[string, TestAnswers, object]>([
    [
      'a status that means something',
      () => ({ status: 404 }),
      { code: 'scope', message: expect.stringContaining('does not exist') },
    ],
    [
      'words that mean something',
      () => ({ status: 403, json: { error: 'muted' } }),
      { message: 'The webhook is muted.', help: 'Unmute it in Dock Chat.' },
    ],
    ['a status that says nothing more', () => ({ status: 400, body: 'no' }), { code: 'config' }],
    ['a success that says no', () => ({ json: { ok: false } }), { code: 'upstream' }],
    ['a page', () => ({ body: '<html>Sign in</html>' }), { code: 'upstream' }],
  ])('%s is refused', async (_name, answer, refusal) => {
    const { notify, ctx } = await openChat(answer, (d) => (d.actions.notify.taken = 'ok = true'));
    expect(await refusalOf(notify.send(ctx, message))).toMatchObject(refusal);
  });
});
