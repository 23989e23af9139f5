import { describe, expect, it, vi } from 'vitest';
import { type Actor, createActor } from 'xstate';
import { ApiError } from '../../platform/ui/data/api-error.ts';
import type { EventKind, LiveEvents } from '../../platform/ui/data/live-events.ts';
import { type Answer, answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { uploadMachine } from './upload.machine.ts';
import { type ReportSender, SCAN_COMPLETED, SCAN_PROGRESS, type SendReport } from './upload-transport.ts';

const REPOSITORY = '0191c2e0-7b1a-7000-8000-000000000001';

const counts = {
  total: 66,
  new: 66,
  unchanged: 0,
  reopened: 0,
  closed: 0,
  held: 0,
  held_components: 0,
  duplicate: 0,
  suppressed: 0,
  unreadable: 0,
  components: 0,
};

const scan = (changes: object = {}) => ({
  data: {
    _id: 'scan',
    attributes: {
      status: 'done',
      percentage: 100,
      tool: 'opengrep',
      counts,
      unreadable: [],
      incomplete: [],
      is_held_back: false,
      code: null,
      detail: null,
      ...changes,
    },
  },
});

/** Live events by hand. */
const eventsByHand = () => {
  const listeners = new Map<string, Set<(data: never) => void>>();
  const events: LiveEvents = {
    on: (kind, listener) => {
      const set = listeners.get(kind.type) ?? new Set();
      set.add(listener);
      listeners.set(kind.type, set);
      return () => set.delete(listener);
    },
    onReconnect: () => () => undefined,
    start: () => undefined,
    stop: () => undefined,
  };
  const emit = <T>(kind: EventKind<T>, data: T) => {
    for (const listener of listeners.get(kind.type) ?? []) listener(data as never);
  };
  return { events, emit, listening: (kind: EventKind<unknown>) => listeners.get(kind.type)?.size ?? 0 };
};

const refusal = (code: string, message: string) =>
  new ApiError({
    status: 422,
    code,
    messages: [message],
    issues: [],
    requestId: undefined,
    retryAfterSeconds: undefined,
  });

const file = (name: string) => new File(['{}'], name);

interface Setup {
  send?: ReportSender;
  answers?: Record<string, Answer>;
}

const start = ({ send = async ({ file: { name } }) => `scan-${name}`, answers = {} }: Setup = {}) => {
  const http = fakeHttp({
    'POST /create_repository_with_list': () => ({ success: true, data: [{ _id: REPOSITORY, attributes: {} }] }),
    'GET /scans/': () => scan(),
    'GET /findings': () => listOf([], 108),
    'GET /sbom-findings': () => listOf([], 840),
    ...answers,
  });
  const live = eventsByHand();
  const actor = createActor(uploadMachine, {
    input: { api: http.api, events: live.events, send, look: async () => undefined },
  });
  actor.start();
  return { actor, ...http, ...live };
};

const state = (actor: Actor<typeof uploadMachine>) => actor.getSnapshot().value;
const fileStates = (actor: Actor<typeof uploadMachine>) =>
  actor.getSnapshot().context.files.map((one) => one.getSnapshot().value);

const submit = (actor: Actor<typeof uploadMachine>, ...names: string[]) => {
  actor.send({ type: 'ADD_FILES', files: names.map(file) });
  actor.send({ type: 'SET_APPLICATION', application: { kind: 'new', name: 'juice-shop' } });
  actor.send({ type: 'SUBMIT' });
};

const until = (actor: Actor<typeof uploadMachine>, wanted: string) =>
  vi.waitFor(() => expect(state(actor)).toBe(wanted), { timeout: 120_000 });

describe('the upload', () => {
  it('waits for files and an application', () => {
    const { actor } = start();
    expect(state(actor)).toBe('idle');
    actor.send({ type: 'ADD_FILES', files: [file('a.json')] });
    expect(state(actor)).toBe('choosing');
    expect(actor.getSnapshot().can({ type: 'SUBMIT' })).toBe(false);
    actor.send({ type: 'SET_APPLICATION', application: { kind: 'new', name: 'x' } });
    expect(actor.getSnapshot().can({ type: 'SUBMIT' })).toBe(true);
  });

  it('makes the application, imports every file and adds up what came of it', async () => {
    const { actor, calls } = start();
    submit(actor, 'a.json', 'b.json');
    await until(actor, 'finished');
    expect(fileStates(actor)).toEqual(['done', 'done']);
    expect(actor.getSnapshot().context.summary).toEqual({
      ...{ results: 132, issues: 108, components: 840, failed: 0, before: undefined },
      changes: { new: 132, reopened: 0, closed: 0 },
    });
    expect(calls[0]?.body).toEqual({ source_control: 'git', data: [{ nickname: 'juice-shop', url: '' }] });
  });

  it('makes nothing new for an application that is there', async () => {
    const { actor, calls } = start();
    actor.send({ type: 'ADD_FILES', files: [file('a.json')] });
    actor.send({ type: 'SET_APPLICATION', application: { kind: 'existing', id: REPOSITORY, name: 'x' } });
    actor.send({ type: 'SUBMIT' });
    await until(actor, 'finished');
    expect(calls.some(({ path }) => path.startsWith('/create_repository'))).toBe(false);
  });

  it('sends the branch that was named, and counts its issues', async () => {
    const send = vi.fn<ReportSender>(async () => 'scan');
    const { actor, calls } = start({ send });
    actor.send({ type: 'ADD_FILES', files: [file('a.json')] });
    actor.send({ type: 'SET_APPLICATION', application: { kind: 'existing', id: REPOSITORY, name: 'x' } });
    actor.send({ type: 'SET_BRANCH', branch: ' feature/x ' });
    actor.send({ type: 'SUBMIT' });
    await until(actor, 'finished');
    expect(send.mock.calls.map(([sent]) => sent.branch)).toEqual(['feature/x']);
    const asked = calls.find(({ path }) => path.startsWith('/findings'));
    expect([...(asked?.query ?? [])].flat()).toContain('feature/x');
    actor.send({ type: 'CLOSE' });
    expect(actor.getSnapshot().context.branch).toBe('');
  });

  it('sends the part that each file was given', async () => {
    const send = vi.fn<ReportSender>(async () => 'scan');
    const { actor } = start({ send });
    actor.send({ type: 'ADD_FILES', files: [file('a.json'), file('b.json')] });
    actor.getSnapshot().context.files[1]?.send({ type: 'SET_PART', part: ' front end ' });
    actor.send({ type: 'SET_APPLICATION', application: { kind: 'existing', id: REPOSITORY, name: 'x' } });
    actor.send({ type: 'SUBMIT' });
    await until(actor, 'finished');
    expect(send.mock.calls.map(([sent]) => sent.part)).toEqual(['', 'front end']);
  });

  it('ends with an older or incomplete report as with any other, and sends an older one again so that it counts', async () => {
    const send = vi.fn<ReportSender>(async () => 'scan');
    let status = 'outdated';
    const { actor } = start({ send, answers: { 'GET /scans/': () => scan({ status }) } });
    submit(actor, 'a.json');
    await until(actor, 'finished');
    expect(fileStates(actor)).toEqual(['done']);
    status = 'incomplete';
    actor.send({ type: 'RETRY_FILE', id: actor.getSnapshot().context.files[0]!.id });
    expect(state(actor)).toBe('running');
    await until(actor, 'finished');
    expect(fileStates(actor)).toEqual(['done']);
    expect(send.mock.calls.map(([sent]) => sent.acceptsOlder)).toEqual([false, true]);
  });

  it('goes back to choosing, with the reason, when the application cannot be made', async () => {
    const { actor } = start({
      answers: {
        'POST /create_repository_with_list': () =>
          answer(403, { detail: 'Your role may not do this.', code: 'forbidden' }),
      },
    });
    submit(actor, 'a.json');
    await vi.waitFor(() => expect(actor.getSnapshot().context.messages).toEqual(['Your role may not do this.']), {
      timeout: 30_000,
    });
    expect(state(actor)).toBe('choosing');
  });

  it('never lets a broken file block the others', async () => {
    const send: ReportSender = async ({ file: { name } }) => {
      if (name === 'broken.xml') throw refusal('report_malformed', 'Line 3: not JSON.');
      return `scan-${name}`;
    };
    const { actor } = start({ send });
    submit(actor, 'a.json', 'broken.xml', 'c.json');
    await until(actor, 'finished');
    expect(fileStates(actor)).toEqual(['done', 'failed', 'done']);
    const broken = actor.getSnapshot().context.files[1]!.getSnapshot().context;
    expect([broken.code, broken.messages]).toEqual(['report_malformed', ['Line 3: not JSON.']]);
    expect(actor.getSnapshot().context.summary?.failed).toBe(1);
  });

  it('shows the reason of a scan that failed late', async () => {
    const { actor } = start({
      answers: {
        'GET /scans/': () =>
          scan({ status: 'failed', code: 'report_wrong_tool', detail: 'This is a report of grype.' }),
      },
    });
    submit(actor, 'a.json');
    await until(actor, 'finished');
    const { code, messages } = actor.getSnapshot().context.files[0]!.getSnapshot().context;
    expect([code, messages]).toEqual(['report_wrong_tool', ['This is a report of grype.']]);
  });

  it('sends a refused file again with the tool that was chosen for it', async () => {
    const tools: string[] = [];
    const send: ReportSender = async ({ tool }) => {
      tools.push(tool);
      if (tool === 'auto') throw refusal('report_unrecognised', 'Name the tool.');
      return 'scan-1';
    };
    const { actor } = start({ send });
    submit(actor, 'a.json');
    await until(actor, 'finished');
    const [refused] = actor.getSnapshot().context.files;
    refused!.send({ type: 'SET_TOOL', tool: 'grype' });
    actor.send({ type: 'RETRY_FILE', id: refused!.id });
    await vi.waitFor(() => expect(actor.getSnapshot().context.summary?.failed).toBe(0), { timeout: 120_000 });
    expect(tools).toEqual(['auto', 'grype']);
    expect(state(actor)).toBe('finished');
  });

  it('sends a refused table again with the mapping that was made of it, which another tool drops', async () => {
    const sent: (string | undefined)[] = [];
    const send: ReportSender = async ({ mapping }) => {
      sent.push(mapping?.tool);
      if (mapping === undefined) throw refusal('report_unmapped', 'Say what its columns are.');
      return 'scan-1';
    };
    const { actor } = start({ send });
    submit(actor, 'a.csv');
    await until(actor, 'finished');
    const [refused] = actor.getSnapshot().context.files;
    refused!.send({ type: 'SET_MAPPING', mapping: { tool: 'Acme', fields: [], severities: [] } });
    expect(refused!.getSnapshot().context.mapping?.tool).toBe('Acme');
    refused!.send({ type: 'SET_TOOL', tool: 'grype' });
    expect(refused!.getSnapshot().context.mapping).toBeUndefined();
    refused!.send({ type: 'SET_MAPPING', mapping: { tool: 'Acme', fields: [], severities: [] } });
    actor.send({ type: 'RETRY_FILE', id: refused!.id });
    await vi.waitFor(() => expect(actor.getSnapshot().context.summary?.failed).toBe(0), { timeout: 120_000 });
    expect(sent).toEqual([undefined, 'Acme']);
  });

  it('sends at most three files at once', async () => {
    const waiting: (() => void)[] = [];
    const send: ReportSender = () => new Promise((resolve) => waiting.push(() => resolve('scan')));
    const { actor } = start({ send });
    submit(actor, 'a', 'b', 'c', 'd', 'e');
    await vi.waitFor(() => expect(waiting).toHaveLength(3), { timeout: 30_000 });
    expect(fileStates(actor)).toEqual(['uploading', 'uploading', 'uploading', 'waiting', 'waiting']);
    for (let index = 0; index < 5; index += 1) {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(index), { timeout: 30_000 });
      waiting[index]!();
    }
    await until(actor, 'finished');
  });

  it('follows live progress, and the event of the end without waiting for the next question', async () => {
    let status = 'parsing';
    const { actor, emit, listening } = start({
      answers: { 'GET /scans/': () => scan(status === 'done' ? {} : { status, percentage: 10 }) },
    });
    submit(actor, 'a.json');
    await vi.waitFor(() => expect(listening(SCAN_PROGRESS)).toBe(1), { timeout: 30_000 });
    emit(SCAN_PROGRESS, { scan_id: 'scan-a.json', percentage: 47 });
    emit(SCAN_PROGRESS, { scan_id: 'another', percentage: 99 });
    expect(actor.getSnapshot().context.files[0]!.getSnapshot().context.percentage).toBe(47);
    status = 'done';
    emit(SCAN_COMPLETED, { scan_id: 'scan-a.json' });
    await until(actor, 'finished');
    expect(listening(SCAN_PROGRESS)).toBe(0);
  });

  it('goes on while the dialog is closed, and can be looked at again', async () => {
    const finish: ((id: string) => void)[] = [];
    const { actor } = start({ send: () => new Promise((resolve) => finish.push(resolve)) });
    submit(actor, 'a.json');
    await vi.waitFor(() => expect(finish).toHaveLength(1), { timeout: 30_000 });
    actor.send({ type: 'CLOSE' });
    expect(actor.getSnapshot().context.isOpen).toBe(false);
    finish[0]!('scan');
    await until(actor, 'finished');
    actor.send({ type: 'OPEN' });
    expect(actor.getSnapshot().context.isOpen).toBe(true);
    actor.send({ type: 'CLOSE' });
    expect([state(actor), actor.getSnapshot().context.files]).toEqual(['idle', []]);
  });

  it('gives up the sending of a file that is taken away', async () => {
    const { actor } = start();
    actor.send({ type: 'ADD_FILES', files: [file('a'), file('b')] });
    const [first] = actor.getSnapshot().context.files;
    actor.send({ type: 'REMOVE_FILE', id: first!.id });
    expect(actor.getSnapshot().context.files.map((one) => one.getSnapshot().context.file.name)).toEqual(['b']);
  });

  it('shows how far the sending is', async () => {
    let seen: SendReport | undefined;
    const { actor } = start({
      send: (report) => {
        seen = report;
        return new Promise(() => undefined);
      },
    });
    submit(actor, 'a.json');
    await vi.waitFor(() => expect(seen).toBeDefined(), { timeout: 30_000 });
    seen!.onProgress(64);
    expect(actor.getSnapshot().context.files[0]!.getSnapshot().context.percentage).toBe(64);
    expect([seen!.repositoryId, seen!.tool]).toEqual([REPOSITORY, 'auto']);
  });
});
