import { serviceId } from './service-id.ts';

/** Everything that stores keep of the signed-in person's data; emptied at sign-out. */
export interface CachedData {
  /** A store names the function that clearers its data; call the answer when the store itself goes away. */
  register(clearStore: () => void): () => void;
  clear(): void;
}

export const createCachedData = (): CachedData => {
  const clearers = new Set<() => void>();
  return {
    register: (clearStore) => {
      clearers.add(clearStore);
      return () => {
        clearers.delete(clearStore);
      };
    },
    clear: () => {
      for (const clearStore of clearers) clearStore();
    },
  };
};

export const CACHED_DATA = serviceId<CachedData>('platform.cached-data');
