import type { NormalizedFinding, SyncRecord } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import { walkSync } from './sync-stream.ts';

const finding = (ruleId: string): NormalizedFinding => ({
  kind: 'finding',
  ruleId,
  title: ruleId,
  type: 'SAST',
  severity: 'low',
});
const target = (id: string) => ({ kind: 'target', id, name: id }) as const;
const cursor = (text: string) => ({ kind: 'cursor', cursor: text }) as const;

async function* streamOf(...records: SyncRecord[]): AsyncGenerator<SyncRecord> {
  yield* records;
}

const walk = async (stream: AsyncIterable<SyncRecord>, stepTimeoutMs = 1000) => {
  const seen: string[] = [];
  const count = await walkSync(stream, {
    stepTimeoutMs,
    take: async (to, findings) => {
      const rules: string[] = [];
      for await (const one of findings) rules.push(one.ruleId);
      seen.push(`${to.id}: ${rules.join(',')}`);
    },
    reached: async (text) => void seen.push(`at ${text}`),
  });
  return { seen, count };
};

test('findings go to the target before them, empty targets too', async () => {
  const { seen, count } = await walk(
    streamOf(target('a'), finding('1'), finding('2'), target('b'), target('c'), finding('3')),
  );
  expect(seen).toEqual(['a: 1,2', 'b: ', 'c: 3']);
  expect(count).toBe(3);
});

test('a cursor counts when its target is complete, not inside it, and not at the end', async () => {
  const { seen } = await walk(
    streamOf(target('a'), finding('1'), cursor('x'), finding('2'), target('b'), cursor('y'), finding('3')),
  );
  expect(seen).toEqual(['a: 1,2', 'at x', 'b: 3']);
});

test('nothing at all is no target', async () => {
  expect(await walk(streamOf())).toEqual({ seen: [], count: 0 });
});

test('a finding without a target is refused', async () => {
  await expect(walk(streamOf(finding('1')))).rejects.toMatchObject({ code: 'unsupported' });
});

test('a silent connector is cut off, with the reason', async () => {
  let isClosed = false;
  async function* silent(): AsyncGenerator<SyncRecord> {
    try {
      yield target('a');
      await new Promise((resolve) => setTimeout(resolve, 300));
      yield finding('1');
    } finally {
      isClosed = true;
    }
  }
  await expect(walk(silent(), 50)).rejects.toMatchObject({ code: 'unreachable' });
  await expect.poll(() => isClosed).toBe(true);
});

test('what the connector throws comes through', async () => {
  async function* broken(): AsyncGenerator<SyncRecord> {
    yield target('a');
    throw new Error('gone');
  }
  await expect(walk(broken())).rejects.toThrow('gone');
});

test('a target that is not read to its end by the one who takes it does not lose the next', async () => {
  const seen: string[] = [];
  const stream = streamOf(target('a'), finding('1'), target('b'));
  await expect(
    walkSync(stream, {
      take: async (to) => void seen.push(to.id),
      reached: async () => undefined,
    }),
  ).rejects.toThrow(/read to their end/);
  expect(seen).toEqual(['a']);
});
