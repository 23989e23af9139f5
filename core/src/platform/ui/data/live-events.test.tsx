import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStream, eventKind } from './live-events.ts';

const PROGRESS = eventKind<{ percentage: number }>('scan.progress');

class FakeSource extends EventTarget {
  static readonly all: FakeSource[] = [];
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 2;
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor() {
    super();
    FakeSource.all.push(this);
  }

  open() {
    this.readyState = this.OPEN;
    this.onopen?.();
  }

  fail() {
    this.readyState = this.CLOSED;
    this.onerror?.();
  }

  send(type: string, data: object) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }

  close() {
    this.readyState = this.CLOSED;
  }
}

const openFake = () => new FakeSource() as unknown as EventSource;
const latest = () => FakeSource.all.at(-1)!;

beforeEach(() => {
  FakeSource.all.length = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('listeners hear their kind, whether they came before or after the connection', () => {
  const stream = new EventStream('/events', openFake);
  const early = vi.fn();
  const late = vi.fn();
  stream.on(PROGRESS, early);
  stream.start();
  const unsubscribe = stream.on(PROGRESS, late);
  stream.on(eventKind('other'), late);
  latest().open();
  latest().send('scan.progress', { percentage: 40 });
  expect(early).toHaveBeenCalledWith({ percentage: 40 });
  expect(late).toHaveBeenCalledTimes(1);
  unsubscribe();
  latest().send('scan.progress', { percentage: 50 });
  expect(early).toHaveBeenCalledTimes(2);
  expect(late).toHaveBeenCalledTimes(1);
});

test('a refused connection is tried again ever more slowly, and listeners are notified when it is back', () => {
  const stream = new EventStream('/events', openFake);
  const heard = vi.fn();
  const reconnected = vi.fn();
  stream.on(PROGRESS, heard);
  stream.onReconnect(reconnected);
  stream.start();
  latest().open();
  latest().fail();
  vi.advanceTimersByTime(1_000);
  expect(FakeSource.all).toHaveLength(2);
  latest().fail();
  vi.advanceTimersByTime(1_999);
  expect(FakeSource.all).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(FakeSource.all).toHaveLength(3);
  expect(reconnected).not.toHaveBeenCalled();
  latest().open();
  expect(reconnected).toHaveBeenCalledTimes(1);
  latest().send('scan.progress', { percentage: 90 });
  expect(heard).toHaveBeenCalledTimes(1);
});

test('a stopped stream stays closed', () => {
  const stream = new EventStream('/events', openFake);
  stream.start();
  stream.start();
  expect(FakeSource.all).toHaveLength(1);
  latest().fail();
  stream.stop();
  vi.advanceTimersByTime(60_000);
  expect(FakeSource.all).toHaveLength(1);
});
