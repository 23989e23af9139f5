import { expect, test } from 'vitest';
import { HeldRecords } from './held-records.ts';

test('what is held comes back as it was, in its order, also beyond what is held as it is', () => {
  const held = new HeldRecords<{ node: object | undefined }>();
  const place = { node: {} };
  const bytes = Buffer.alloc(1024 * 1024);
  for (let index = 0; index < 30; index += 1) {
    bytes.fill(`{"record":${index}}`);
    held.add({ place, index, count: 1, bytes });
  }
  let index = 0;
  for (const taken of held.takeAll()) {
    expect(taken).toMatchObject({ place, index, count: 1 });
    expect(taken.bytes.equals(bytes.fill(`{"record":${index}}`))).toBe(true);
    index += 1;
  }
  expect(index).toBe(30);
  expect([...held.takeAll()]).toEqual([]);
});

test('what is held of one part comes back alone', () => {
  const held = new HeldRecords<{ node: object | undefined }>();
  const first = { node: {} };
  const second = { node: {} };
  const add = (place: { node: object }, index: number) =>
    held.add({ place, index, count: 1, bytes: Buffer.from(`${index}`) });
  add(first, 0);
  add(second, 1);
  add(first, 2);
  expect([...held.take(first.node)].map(({ index }) => index)).toEqual([0, 2]);
  expect(held.has(first.node)).toBe(false);
  expect([...held.takeAll()].map(({ index }) => index)).toEqual([1]);
});
