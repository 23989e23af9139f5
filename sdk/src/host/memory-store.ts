import type { Json, Store } from '../context.ts';
import { ConnectorError } from '../errors.ts';
import { LIMITS } from './limits.ts';

/** A `Store` in memory with the limit of the real one, for the kit and for tests. */
export function createMemoryStore(): Store {
  const texts = new Map<string, string>();
  const sizeOf = (key: string, text: string): number => Buffer.byteLength(key) + Buffer.byteLength(text);
  const set = (key: string, value: Json): void => {
    const text = JSON.stringify(value);
    const others = [...texts].reduce((sum, [name, kept]) => (name === key ? sum : sum + sizeOf(name, kept)), 0);
    if (others + sizeOf(key, text) > LIMITS.storeBytes) {
      throw new ConnectorError('upstream', 'ctx.store holds at most 1 MiB per connection.');
    }
    texts.set(key, text);
  };
  return {
    get: async (key) => {
      const text = texts.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    set: async (key, value) => set(key, value),
    delete: async (key) => {
      texts.delete(key);
    },
  };
}
