import { expect, test } from 'vitest';
import { HeldRecords } from './held-records.ts';

test('what is held comes back as it was, in its order, also beyond what is held as it is', () => {
  const held = new HeldRecords<string>();
  const bytes = Buffer.alloc(1024 * 1024);
  for (let index = 0; index < 30; index += 1) {
    bytes.fill(`{"record":${index}}`);
    held.add({ place: 'list', index, count: 1, bytes, isCut: index % 2 === 0 });
  }
  let index = 0;
  for (const taken of held.take()) {
    expect(taken).toMatchObject({ place: 'list', index, count: 1, isCut: index % 2 === 0 });
    expect(taken.bytes.equals(bytes.fill(`{"record":${index}}`))).toBe(true);
    index += 1;
  }
  expect(index).toBe(30);
  expect([...held.take()]).toEqual([]);
});
