import { TICKET_VALUES, type Ticket, type TicketValues } from '@breakwater/sdk';
import {
  ANSWER_FAULTS,
  checkPlugin,
  collect,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswers,
  withFault,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { createFakeJira, deliveryOf } from './testing/fake-jira.ts';
import { DONE, type Edition, type FakeJira, FIELDS } from './testing/state.ts';

const TOKEN = 'made-for-tests-only';
const EDITIONS = { cloud: 'jira_cloud', 'data-center': 'jira_data_center' } as const;
const SETTINGS = { project: 'SEC', issue_type: 'bug' };
const VALUES: TicketValues = { ...TICKET_VALUES, 'finding.severity': 'critical', 'finding.file': 'a_b*c.ts' };

async function connect(edition: Edition, answer: TestAnswers, more: object = {}, signal?: AbortSignal) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const connector = plugin.connectors.find(({ id }) => id === EDITIONS[edition])!;
  const login = {
    base_url: 'https://jira.example.com',
    email: 'ada@example.com',
    api_token: TOKEN,
    access_token: TOKEN,
  };
  const values = { ...login, ...SETTINGS, ...more };
  return { service, ctx: openTestConnection(connector, { values, baseUrl: service.url, ...(signal && { signal }) }) };
}

async function open(edition: Edition, more: object = {}) {
  const jira = createFakeJira({ edition, token: TOKEN });
  const connection = await connect(edition, jira.answer, more);
  const { check, tickets, webhook } = server.connectors[EDITIONS[edition]]!;
  const { projects, types, link, transition, ticket } = tickets!.tracking!;
  const tracking = { projects: projects!, types: types!, link: link!, transition: transition!, ticket };
  return { jira, ...connection, check: check!, tickets: tickets!, tracking, webhook: webhook! };
}

type Opened = Awaited<ReturnType<typeof open>>;
const draftIn = ({ tickets }: Pick<Opened, 'tickets'>, more: object = {}) =>
  tickets.draft({ ...SETTINGS, ...more }, VALUES);
const create = (opened: Opened, idempotencyKey = 'key-1') =>
  opened.tickets.createTicket(opened.ctx, { draft: draftIn(opened), idempotencyKey });
const made = async (opened: Opened): Promise<Ticket> => (await create(opened)).ticket!;
const project = (jira: FakeJira) => jira.projects.find(({ key }) => key === 'SEC')!;

it('passes the conformance rules', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe.each(['cloud', 'data-center'] as const)('Jira %s', (edition) => {
  it('says who we are and where tickets go', async () => {
    const { ctx, check, jira } = await open(edition);
    expect(await check(ctx)).toEqual({ identity: `Ada Lovelace · SEC at ${new URL(jira.baseUrl).host}` });
    expect(jira.issues).toEqual([]);
  });

  it.each<[string, object, (jira: FakeJira) => void, string, string]>([
    ['no such project', { project: 'NO' }, () => undefined, 'config', 'It sees these projects: OPS, SEC.'],
    ['no such type', { issue_type: 'Epic' }, () => undefined, 'config', 'Its issue types are: Task, Bug.'],
    [
      'no right to create',
      {},
      (jira) => {
        project(jira).mayCreate = false;
      },
      'scope',
      'Create issues',
    ],
    [
      'a required field that nobody fills',
      {},
      (jira) => {
        project(jira).fields = [
          ...FIELDS,
          { fieldId: 'customfield_1', name: 'Team', required: true, hasDefaultValue: false },
        ];
      },
      'config',
      'Issues of the type Bug in SEC require "Team".',
    ],
    [
      'no labels on the screen',
      {},
      (jira) => {
        project(jira).fields = FIELDS.filter(({ fieldId }) => fieldId !== 'labels');
      },
      'config',
      'cannot have labels',
    ],
  ])('refuses %s with words', async (_name, more, change, code, words) => {
    const { ctx, check, jira } = await open(edition, more);
    change(jira);
    const { code: said, message, help } = await refusalOf(check(ctx));
    expect([said, `${message} ${help}`]).toEqual([code, expect.stringContaining(words)]);
  });

  it('names projects and types', async () => {
    const { ctx, tracking, jira } = await open(edition);
    jira.projects = Array.from({ length: 120 }, (_, index) => ({ ...jira.projects[0]!, key: `P${index}` }));
    expect(await collect(tracking.projects(ctx))).toHaveLength(120);
    expect(await tracking.types(ctx, 'P7')).toEqual(['Task', 'Bug']);
    expect(await tracking.types(ctx, 'NO')).toBeNull();
  });

  it('makes one issue a key, with label, priority and text, also of many at different times', async () => {
    const opened = await open(edition);
    const first = await made(opened);
    expect(first).toEqual({
      id: '10001',
      key: 'SEC-1',
      url: `${opened.jira.baseUrl}/browse/SEC-1`,
      status: 'To Do',
      isDone: false,
    });
    expect(await made(opened)).toEqual(first);
    expect((await create(opened, 'key-2')).ticket?.key).toBe('SEC-2');
    const [issue] = opened.jira.issues;
    expect(issue?.fields).toMatchObject({
      priority: { name: 'Highest' },
      summary: VALUES['remediation.title'],
      labels: ['breakwater', 'security', expect.stringMatching(/^breakwater-[0-9a-f]{20}$/)],
    });
    const text = JSON.stringify(issue?.fields['description']).replaceAll('\\', '');
    expect(text).toContain('a_b*c.ts');
    expect(text).toContain(VALUES['finding.url']);
  });

  it('leaves out a priority that the project does not have, and takes those of the form', async () => {
    const opened = await open(edition);
    const draft = draftIn(opened, { priorities: { critical: 'Blocker' } });
    expect(draft['priority']).toBe('Blocker');
    await opened.tickets.createTicket(opened.ctx, { draft, idempotencyKey: 'k' });
    expect(opened.jira.issues[0]?.fields).not.toHaveProperty('priority');
  });

  it('shows what Jira says against a new issue', async () => {
    const opened = await open(edition);
    project(opened.jira).refusals = { summary: 'Say which system it is about.' };
    const { code, message } = await refusalOf(create(opened));
    expect([code, message]).toEqual([
      'config',
      'Jira does not create an issue in SEC: Summary: Say which system it is about.',
    ]);
  });

  it('makes no second issue where the answer to the first was lost', async () => {
    const jira = createFakeJira({ edition, token: TOKEN });
    let isLost = false;
    const { ctx } = await connect(edition, async (request) => {
      const answer = await jira.answer(request);
      if (request.method !== 'POST' || isLost) return answer;
      isLost = true;
      return { ends: 'cut' };
    });
    const { tickets } = server.connectors[EDITIONS[edition]]!;
    const ticket = { draft: tickets!.draft(SETTINGS, VALUES), idempotencyKey: 'key-1' };
    expect(await refusalOf(tickets!.createTicket(ctx, ticket))).toMatchObject({ code: 'unreachable' });
    expect((await tickets!.createTicket(ctx, ticket)).ticket?.key).toBe('SEC-1');
    expect(jira.issues).toHaveLength(1);
  });

  it('links back once a key, and says which right is missing', async () => {
    const opened = await open(edition);
    const { id: ticket } = await made(opened);
    const link = { ticket, url: 'https://breakwater.example/f/1', title: 'A finding', idempotencyKey: 'key-1' };
    for (const title of ['A finding', 'Another title']) await opened.tracking.link(opened.ctx, { ...link, title });
    expect([...opened.jira.issues[0]!.links.values()]).toEqual([
      { url: 'https://breakwater.example/f/1', title: 'Another title' },
    ]);
    opened.jira.mayLink = false;
    expect(await refusalOf(opened.tracking.link(opened.ctx, link))).toMatchObject({
      code: 'scope',
      message: expect.stringContaining('No Link Issue Permission'),
    });
  });

  it('closes an issue by a step that means done, with one comment', async () => {
    const opened = await open(edition);
    const { id: ticket } = await made(opened);
    const request = { ticket, comment: 'It is *fixed*.', idempotencyKey: 'key-1:fixed' };
    expect(await opened.tracking.transition(opened.ctx, request)).toMatchObject({ status: 'Done', isDone: true });
    expect(await opened.tracking.transition(opened.ctx, request)).toMatchObject({ isDone: true });
    const { comments } = opened.jira.issues[0]!;
    expect(comments).toHaveLength(1);
    expect(JSON.stringify(comments).replaceAll('\\', '')).toContain('It is *fixed*.');
  });

  it('fills a resolution, and says which other fields the step asks for', async () => {
    const opened = await open(edition);
    const { id: ticket } = await made(opened);
    const close = () => opened.tracking.transition(opened.ctx, { ticket, comment: 'c', idempotencyKey: 'k' });
    const resolution = { name: 'Resolution', required: true, allowed: ["Won't Fix", 'Fixed'] };
    const team = { name: 'Team', required: true };
    opened.jira.transitions = [{ id: '5', name: 'Close', to: DONE, fields: { resolution, customfield_1: team } }];
    expect(await refusalOf(close())).toMatchObject({
      code: 'config',
      message: 'The transition "Close" asks for "Team".',
    });
    opened.jira.transitions = [{ id: '5', name: 'Close', to: DONE, fields: { resolution } }];
    expect(await close()).toMatchObject({ isDone: true });
    expect(opened.jira.issues[0]?.resolution).toBe('Fixed');
  });

  it('takes the step that the form names, and says what there is instead', async () => {
    const opened = await open(edition, { done_transition: 'reject' });
    const { id: ticket } = await made(opened);
    const request = { ticket, comment: 'c', idempotencyKey: 'k' };
    expect(await opened.tracking.transition(opened.ctx, request)).toMatchObject({ status: "Won't Do" });
    const other = await open(edition, { done_transition: 'Nowhere' });
    const { id } = await made(other);
    expect(await refusalOf(other.tracking.transition(other.ctx, { ...request, ticket: id }))).toMatchObject({
      code: 'config',
      help: 'Its transitions are: Review, Reject, Finish.',
    });
  });

  it('tells how an issue stands, and that one is gone', async () => {
    const opened = await open(edition);
    const { id } = await made(opened);
    opened.jira.issues[0]!.status = DONE;
    expect(await opened.tracking.ticket(opened.ctx, id)).toMatchObject({ status: 'Done', isDone: true });
    expect(await opened.tracking.ticket(opened.ctx, '999')).toBeNull();
    expect(await refusalOf(opened.tracking.ticket(opened.ctx, '../myself'))).toMatchObject({ code: 'config' });
  });

  it('reads deliveries', async () => {
    const opened = await open(edition);
    const { id, key } = await made(opened);
    const issue = opened.jira.issues[0]!;
    const read = (body: string) => opened.webhook.on(opened.ctx, { event: '', id: '1', body: JSON.parse(body) });
    const now = { key, status: 'To Do', isDone: false };
    expect(await read(deliveryOf(issue, 's').body)).toEqual([{ kind: 'ticket', id, now }]);
    expect(await read(deliveryOf(issue, 's', 'jira:issue_deleted').body)).toEqual([{ kind: 'ticket', id, now: null }]);
    expect(await read('{"webhookEvent":"sprint_started"}')).toBeUndefined();
  });

  describe.each(ANSWER_FAULTS.filter(({ isOfLists }) => isOfLists !== true))('that $name', (fault) => {
    it('fails by its code at every request, and makes one issue in the end', async () => {
      for (let at = 0; at < 12; at += 1) {
        const jira = createFakeJira({ edition, token: TOKEN });
        const faulty = withFault(jira.answer, fault, at);
        let isStruck = false;
        void faulty.struck.then(() => {
          isStruck = true;
        });
        const abort = new AbortController();
        if (fault.isHeld === true) void faulty.struck.then(() => abort.abort());
        const { ctx } = await connect(edition, faulty.answer, {}, abort.signal);
        const { tickets } = server.connectors[EDITIONS[edition]]!;
        const ticket = { draft: tickets!.draft(SETTINGS, VALUES), idempotencyKey: 'key-1' };
        const work = tickets!.createTicket(ctx, ticket);
        const outcome = await work.then(
          () => 'made',
          (error: unknown) => error,
        );
        if (!isStruck) return expect(at).toBeGreaterThan(5);
        if (outcome !== 'made') expect(outcome).toMatchObject({ code: fault.code });
        const healthy = await connect(edition, jira.answer);
        await tickets!.createTicket(healthy.ctx, ticket);
        expect(jira.issues).toHaveLength(1);
      }
      throw new Error('There are more requests than the test breaks.');
    });
  });
});

it('tells one edition from the other', async () => {
  const jira = createFakeJira({ edition: 'cloud', token: TOKEN });
  const { ctx } = await connect('cloud', async (request) => {
    const answer = await jira.answer(request);
    const isInfo = request.path.endsWith('/serverInfo');
    return isInfo ? { json: { baseUrl: jira.baseUrl, deploymentType: 'Server' } } : answer;
  });
  expect(await refusalOf(server.connectors['jira_cloud']!.check!(ctx))).toMatchObject({
    code: 'config',
    help: 'Use the card Jira Data Center.',
  });
});
