import { serviceId } from './service-id.ts';

/** Everything that stores keep of the signed-in person's data; emptied at sign-out. */
export interface CachedData {
  /** A store names the function that forgets its data; call the answer when the store itself goes away. */
  register(forget: () => void): () => void;
  clear(): void;
}

export const createCachedData = (): CachedData => {
  const forgets = new Set<() => void>();
  return {
    register: (forget) => {
      forgets.add(forget);
      return () => {
        forgets.delete(forget);
      };
    },
    clear: () => {
      for (const forget of forgets) forget();
    },
  };
};

export const CACHED_DATA = serviceId<CachedData>('platform.cached-data');
