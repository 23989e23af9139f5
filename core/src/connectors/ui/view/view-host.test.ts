import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createViewHost, type ViewHost, type ViewHostOptions } from './view-host.ts';

const CONNECTION = {
  connectorId: 'board',
  title: 'Board',
  state: 'connected',
  config: { team: 'Fleet' },
  locale: 'en',
  theme: 'light',
} as const;

/** A port whose other end is read and written by the test, at once. */
const fakePort = () => {
  const sent: { id?: number; result?: unknown; error?: { code: string; message: string }; event?: string }[] = [];
  const port = { postMessage: (text: string) => void sent.push(JSON.parse(text)), close: vi.fn() };
  return { sent, port };
};

let hosts: ViewHost[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const host of hosts) host.close();
  hosts = [];
  vi.useRealTimers();
});

const open = (options: Partial<ViewHostOptions> = {}) => {
  const { port, sent } = fakePort();
  const [resize, end, call] = [vi.fn(), vi.fn(), vi.fn(async (): Promise<unknown> => [])];
  const host = createViewHost({
    port,
    connection: () => CONNECTION,
    call,
    resize,
    end,
    isHidden: () => false,
    ...options,
  });
  hosts.push(host);
  const say = (data: unknown) => host.heard(typeof data === 'string' ? data : JSON.stringify(data));
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { port, sent, resize, end, call, host, say, settle };
};

describe('the end of the host', () => {
  it('gives the public facts of its connection, and says how the page looks', async () => {
    const { sent, say, settle, host } = open();
    say({ id: 1, method: 'getConnection' });
    await settle();
    host.changed({ locale: 'de', theme: 'dark' });
    expect(sent).toEqual([
      { id: 1, result: CONNECTION },
      { event: 'change', appearance: { locale: 'de', theme: 'dark' } },
    ]);
  });

  it('calls what it is asked, and says why it cannot', async () => {
    const call = vi.fn(async (name: string) => {
      if (name === 'GET /bad') throw new Error('Your role does not allow this.');
      return { name };
    });
    const { sent, say, settle } = open({ call });
    say({ id: 1, method: 'call', route: 'GET /good', input: { page: 2 } });
    say({ id: 2, method: 'call', route: 'GET /bad' });
    say({ id: 3, method: 'call', route: 'GET /../session' });
    await settle();
    expect(call.mock.calls).toEqual([
      ['GET /good', { page: 2 }],
      ['GET /bad', {}],
    ]);
    expect(sent).toContainEqual({ id: 1, result: { name: 'GET /good' } });
    expect(sent).toContainEqual({ id: 2, error: { code: 'call_failed', message: 'Your role does not allow this.' } });
    expect(sent).toContainEqual({ id: 3, error: { code: 'invalid', message: expect.any(String) } });
  });

  it('lets four calls run at once, sixty a minute, and no endless answer through', async () => {
    const waiting: (() => void)[] = [];
    const call = vi.fn(() => new Promise<unknown>((done) => void waiting.push(() => done('x'.repeat(1024 * 1024)))));
    const { sent, say, settle } = open({ call });
    for (let id = 1; id <= 6; id += 1) say({ id, method: 'call', route: 'GET /a' });
    await settle();
    expect(sent.filter(({ error }) => error?.code === 'rate_limited').map(({ id }) => id)).toEqual([5, 6]);
    for (const done of waiting) done();
    await settle();
    expect(sent.filter(({ error }) => error?.code === 'too_large').map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    call.mockImplementation(async () => 1);
    for (let id = 7; id <= 80; id += 1) {
      say({ id, method: 'call', route: 'GET /a' });
      await vi.advanceTimersByTimeAsync(100);
    }
    // the two that were too many at once count for nothing
    expect(call).toHaveBeenCalledTimes(60);
    await vi.advanceTimersByTimeAsync(60_000);
  });

  it('keeps the height within its bounds', async () => {
    const { resize, say, settle } = open();
    for (const [id, height] of [1e9, 1, 250.4].entries()) say({ id: id + 1, method: 'resize', height });
    await settle();
    expect(resize.mock.calls).toEqual([[600], [80], [250]]);
  });

  it('ends what sends too much, by the channel or past it', async () => {
    const { end, say, sent, port, settle } = open();
    for (let id = 1; id <= 500; id += 1) say({ id, method: 'getConnection' });
    await settle();
    expect(end.mock.calls).toEqual([['flood']]);
    expect(port.close).toHaveBeenCalledTimes(1);
    expect(sent.length).toBeLessThan(60);
    const other = open();
    for (let times = 0; times < 60; times += 1) other.host.noise();
    other.host.left();
    expect(other.end.mock.calls).toEqual([['flood']]);
    const third = open();
    third.host.left();
    expect(third.end.mock.calls).toEqual([['left']]);
  });

  it('ends what does not answer a ping, and keeps what does', async () => {
    const stuck = open();
    const alive = open();
    for (let seconds = 0; seconds < 30; seconds += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      alive.say({ method: 'pong' });
    }
    expect(stuck.end.mock.calls).toEqual([['stuck']]);
    expect(alive.end).not.toHaveBeenCalled();
    expect(alive.sent.filter(({ event }) => event === 'ping').length).toBeGreaterThanOrEqual(5);
  });
});
