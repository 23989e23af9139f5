import { autorun, observable } from 'mobx';
import { describe, expect, it } from 'vitest';
import { LatestCall } from './latest-call.ts';

/** Readings that end when the test says so; like fetch, they break off with their signal. */
const scene = () => {
  const heard: string[] = [];
  const call = new LatestCall();
  const run = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = call.run(
      (signal) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        return promise;
      },
      (answer) => heard.push(`${name} took ${answer}`),
      (error) => heard.push(`${name} failed: ${String(error)}`),
    );
    return { resolve, reject, done };
  };
  return { heard, call, run };
};

describe('LatestCall', () => {
  it('takes an answer, and reports a failure', async () => {
    const { heard, run } = scene();
    const first = run('first');
    first.resolve('1');
    await first.done;
    const second = run('second');
    second.reject(new Error('away'));
    await second.done;
    expect(heard).toEqual(['first took 1', 'second failed: Error: away']);
  });

  it('gives up the reading before, in silence', async () => {
    const { heard, run } = scene();
    const first = run('first');
    const second = run('second');
    await first.done;
    expect(heard).toEqual([]);
    second.resolve('2');
    await second.done;
    expect(heard).toEqual(['second took 2']);
  });

  it('hears nothing of one that was given up too late to break off, whether it came or failed', async () => {
    const { heard, call } = scene();
    const late = async (end: Promise<string>) => {
      const done = call.run(
        () => end,
        (answer) => heard.push(answer),
        (error) => heard.push(String(error)),
      );
      call.dispose();
      await done;
    };
    await late(Promise.resolve('came'));
    await late(Promise.reject(new Error('failed')));
    expect(heard).toEqual([]);
  });

  it('keeps silent about what another gave up, and can be used again after its end', async () => {
    const { heard, call, run } = scene();
    const first = run('first');
    first.reject(new DOMException('given up', 'AbortError'));
    await first.done;
    const second = run('second');
    call.dispose();
    await second.done;
    const third = run('third');
    third.resolve('3');
    await third.done;
    expect(heard).toEqual(['third took 3']);
  });

  it('reports an error of the taking like one of the reading', async () => {
    const told: unknown[] = [];
    const issue = new Error('no such row');
    const take = () => {
      throw issue;
    };
    await new LatestCall().run(
      () => Promise.resolve(1),
      take,
      (error) => told.push(error),
    );
    expect(told).toEqual([issue]);
  });

  it('shows all that an answer changes at once', async () => {
    const state = observable({ rows: 0, total: 0 });
    const seen: string[] = [];
    const stop = autorun(() => seen.push(`${state.rows} of ${state.total}`));
    await new LatestCall().run(
      () => Promise.resolve(7),
      (answer) => {
        state.rows = answer;
        state.total = answer;
      },
      () => undefined,
    );
    stop();
    expect(seen).toEqual(['0 of 0', '7 of 7']);
  });
});
