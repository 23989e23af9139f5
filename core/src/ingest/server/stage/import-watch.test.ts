import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPulse, createPulseMemory, IMPORT_LIMITS, type ImportWatch, watchImport } from './import-watch.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MEGABYTE = 1024 * 1024;

let watch: ImportWatch;
let pulse: ReturnType<typeof createPulse>;
beforeEach(() => {
  vi.useFakeTimers();
  const memory = createPulseMemory();
  watch = watchImport(memory, IMPORT_LIMITS, () => []);
  pulse = createPulse(memory, 1);
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

test('silence ends an import while its report is read, and no sooner', () => {
  pulse.enter('reading');
  vi.advanceTimersByTime(110 * SECOND);
  pulse.beat();
  vi.advanceTimersByTime(110 * SECOND);
  expect(watch.failure()).toBeUndefined();
  vi.advanceTimersByTime(15 * SECOND);
  expect(watch.signal.aborted).toBe(true);
  expect(watch.failure()).toMatchObject({ code: 'import_stuck', detail: expect.stringContaining('for 2 minutes') });
});

test('a step of the database may be silent for long, up to the deadline', () => {
  pulse.enter('merging');
  vi.advanceTimersByTime(14 * MINUTE);
  expect(watch.failure()).toBeUndefined();
  vi.advanceTimersByTime(2 * MINUTE);
  expect(watch.failure()).toMatchObject({ detail: expect.stringContaining('not done after 15 minutes') });
});

test('a large report has more time', () => {
  pulse.enter('reading');
  pulse.read(500 * MEGABYTE);
  pulse.enter('merging');
  vi.advanceTimersByTime(90 * MINUTE);
  expect(watch.failure()).toBeUndefined();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(watch.failure()?.code).toBe('import_stuck');
});

test('the time in which it waits for another import of the repository does not count', () => {
  vi.advanceTimersByTime(10 * MINUTE);
  pulse.enter('waiting');
  vi.advanceTimersByTime(60 * MINUTE);
  expect(watch.failure()).toBeUndefined();
  pulse.enter('merging');
  vi.advanceTimersByTime(4 * MINUTE);
  expect(watch.failure()).toBeUndefined();
  vi.advanceTimersByTime(2 * MINUTE);
  expect(watch.failure()?.code).toBe('import_stuck');
});
