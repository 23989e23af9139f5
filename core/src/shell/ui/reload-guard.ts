/** Source: specification §2 "A route reload guard lasts 10 s". */
const GUARD_MS = 10_000;
const STORAGE_KEY = 'bw-reloaded-at';

export interface ReloadEnvironment {
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  now: () => number;
  reload: () => void;
}

/** A page's code could not be fetched: a new release replaced the files, or the network broke. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message);

/**
 * Reloads the page to get the new release, but at most once in ten seconds, so that a lasting fault ends on the error
 * page instead of a loop. True when the page is about to reload.
 */
export const reloadOnce = ({ storage, now, reload }: ReloadEnvironment): boolean => {
  try {
    const last = Number(storage.getItem(STORAGE_KEY) ?? '0');
    if (now() - last < GUARD_MS) return false;
    storage.setItem(STORAGE_KEY, String(now()));
  } catch {
    // Without storage a loop could not be told from a first try.
    return false;
  }
  reload();
  return true;
};

/** Loads code; where that fails because the files are gone, reloads instead and never answers. */
export const loadGuarded = async <T>(load: () => Promise<T>, environment: ReloadEnvironment): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    if (isChunkLoadError(error) && reloadOnce(environment)) return new Promise<T>(() => undefined);
    throw error;
  }
};
