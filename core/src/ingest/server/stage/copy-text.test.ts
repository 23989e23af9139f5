import { expect, test } from 'vitest';
import { copyLine, uuidv7 } from './copy-text.ts';

test('each kind of value has its COPY text', () => {
  expect(copyLine(['a\tb\n\\', null, undefined, 1.5, true, ['x"y', 'z\\'], { json: { a: '\t' } }])).toBe(
    'a\\tb\\n\\\\\t\\N\t\\N\t1.5\tt\t{"x\\\\"y","z\\\\\\\\"}\t{"a":"\\\\t"}',
  );
  expect(copyLine([[1, 2], []])).toBe('{1,2}\t{}');
});

test('what PostgreSQL cannot store is left out', () => {
  expect(copyLine(['a\0b\ud800', { json: { 'k\0': ['\udfff', 'ok'] } }])).toBe('ab\ufffd\t{"k":["\ufffd","ok"]}');
});

test('ids are version 7, unique, and grow', () => {
  const ids = Array.from({ length: 20_000 }, uuidv7);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
