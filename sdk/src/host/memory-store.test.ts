import { expect, test } from 'vitest';
import { createMemoryStore } from './ctx.ts';

test('keeps values, not objects, and forgets what is deleted', async () => {
  const store = createMemoryStore();
  const value = { list: [1] };
  await store.set('a', value);
  value.list.push(2);
  await expect(store.get('a')).resolves.toEqual({ list: [1] });
  await store.delete('a');
  await expect(store.get('a')).resolves.toBeUndefined();
});

test('holds 1 MiB in all', async () => {
  const store = createMemoryStore();
  await store.set('a', 'x'.repeat(600_000));
  await expect(store.set('b', 'x'.repeat(600_000))).rejects.toMatchObject({ code: 'upstream' });
  await expect(store.get('b')).resolves.toBeUndefined();
  await store.set('a', 'x'.repeat(1_000_000));
});
