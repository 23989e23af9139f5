import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { countedMs, ProcessClock } from './process-clock.ts';
import { processorTimeOf, programOf } from './processor-time.ts';
import { halfOfProcessors } from './processors.ts';

describe('of a quarter of a second there counts', () => {
  const elapsed = 250;
  test.each([
    ['all, where the process sleeps', { ran: 0, waited: 0 }, 250],
    ['all, where it runs', { ran: 250, waited: 0 }, 250],
    ['all, where more of its threads than one run', { ran: 700, waited: 0 }, 250],
    ['no waiting for a processor', { ran: 20, waited: 150 }, 100],
    ['all, where it waits for others that run as much: several that loop', { ran: 84, waited: 166 }, 250],
    ['three times what it runs', { ran: 50, waited: 200 }, 150],
    ['a sixth, where it only waits', { ran: 0, waited: 250 }, 250 / 6],
    ['a sixth, where it waited longer than this step', { ran: 0, waited: 900 }, 250 / 6],
  ])('%s', (_name, step, expected) => {
    expect(countedMs({ elapsed, ...step })).toBeCloseTo(expected);
  });
});

const LOOP = 'for (;;);';
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
const start = (...command: readonly string[]): number => {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: 'ignore' });
  children.push(child);
  return child.pid ?? expect.unreachable('not started');
};

test('what a process runs and waits for is read of the program, through what started it', async () => {
  const [processor = '0'] = (halfOfProcessors() ?? '0').split(',');
  const loop = ['taskset', '-c', processor, process.execPath, '-e', LOOP];
  const started = [start('unshare', '--pid', '--fork', '--kill-child', ...loop), start(...loop)];
  await expect.poll(() => programOf(started[0] ?? 0)).not.toBe(started[0]);
  const programs = started.map(programOf);
  expect(programs[1]).toBe(started[1]);
  // both have one processor, which gives each of them half of it
  for (const pid of programs) {
    await expect.poll(() => processorTimeOf(pid)?.ranMs).toBeGreaterThan(200);
    await expect.poll(() => processorTimeOf(pid)?.waitedMs).toBeGreaterThan(100);
  }
});

test('a process that is gone has no times', () => {
  // no process gets so high a number. Source: proc(5), pid_max
  expect(processorTimeOf(2 ** 22 + 1)).toBeNull();
  expect(programOf(2 ** 22 + 1)).toBe(2 ** 22 + 1);
});

test('the clock leaves out what the kernel says was waiting, and begins anew with another program', async () => {
  const clock = new ProcessClock();
  await sleep(60);
  clock.step({ pid: 1, ranMs: 0, waitedMs: 1_000 });
  expect(clock.now()).toBeLessThan(50);
  clock.step({ pid: 2, ranMs: 400, waitedMs: 0 });
  expect(clock.ranLatelyMs).toBe(400);
  clock.step({ pid: 2, ranMs: 450, waitedMs: 0 });
  expect(clock.ranLatelyMs).toBe(450);
  clock.forgetLately();
  expect(clock.ranLatelyMs).toBe(0);
  const before = clock.now();
  await sleep(60);
  clock.step(null);
  expect(clock.now() - before).toBeGreaterThan(50);
});
