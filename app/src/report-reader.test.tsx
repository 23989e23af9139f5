import type { ReportPreview } from '@breakwater/core/ingest/model/report-preview.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReportReader } from './report-reader.ts';

afterEach(() => void vi.useRealTimers());

/** A worker that does what the test says. */
class FakeWorker extends EventTarget implements Worker {
  onmessage: Worker['onmessage'] = null;
  onmessageerror: Worker['onmessageerror'] = null;
  onerror: Worker['onerror'] = null;
  readonly asked: unknown[] = [];
  isEnded = false;
  postMessage(message: unknown): void {
    this.asked.push(message);
  }
  terminate(): void {
    this.isEnded = true;
  }
  say(data: object): void {
    this.onmessage?.(new MessageEvent('message', { data }));
  }
}

const READY = { kind: 'ready' };
const KNOWN: ReportPreview = { kind: 'uncounted', toolId: 'grype', title: 'Grype' };

const start = () => {
  const workers: FakeWorker[] = [];
  const look = createReportReader(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  }, 1_000);
  const file = new File(['{}'], 'a.json');
  return { workers, ask: (signal = new AbortController().signal) => look(file, null, signal) };
};

describe('the reader of reports', () => {
  it('asks one worker, one report after the other', async () => {
    const { workers, ask } = start();
    const answers = [ask(), ask()];
    expect(workers).toHaveLength(1);
    expect(workers[0]?.asked).toHaveLength(0);
    workers[0]?.say(READY);
    expect(workers[0]?.asked).toHaveLength(1);
    workers[0]?.say(KNOWN);
    expect(workers[0]?.asked).toHaveLength(2);
    workers[0]?.say({ kind: 'empty' });
    expect(await Promise.all(answers)).toEqual([KNOWN, { kind: 'empty' }]);
  });

  it('ends a worker that takes too long or breaks, and goes on with another', async () => {
    vi.useFakeTimers();
    const { workers, ask } = start();
    const answers = [ask(), ask(), ask()];
    workers[0]?.say(READY);
    vi.advanceTimersByTime(1_000);
    expect(workers[0]?.isEnded).toBe(true);
    workers[1]?.say(READY);
    workers[1]?.onerror?.(new ErrorEvent('error'));
    expect(workers[1]?.isEnded).toBe(true);
    workers[2]?.say(READY);
    workers[2]?.say(KNOWN);
    expect(await Promise.all(answers)).toEqual([{ kind: 'given_up' }, { kind: 'given_up' }, KNOWN]);
  });

  it('says nothing of a report where the worker cannot be loaded, or nobody waits any more', async () => {
    const { workers, ask } = start();
    const unloaded = ask();
    workers[0]?.onerror?.(new ErrorEvent('error'));
    expect(await unloaded).toBeUndefined();
    const abort = new AbortController();
    const [stopped, queued] = [ask(abort.signal), ask(abort.signal)];
    workers[1]?.say(READY);
    abort.abort();
    expect(await Promise.all([stopped, queued])).toEqual([undefined, undefined]);
    expect(workers[1]?.isEnded).toBe(true);
    expect(workers).toHaveLength(2);
  });
});
