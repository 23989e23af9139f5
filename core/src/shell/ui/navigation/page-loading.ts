import { serviceId, useService } from '../../../platform/ui/data/services.tsx';

/** Source: specification §9 "Route prefetch". */
const MAX_PENDING = 4;

/** What browsers with the Network Information API tell; others have none of it. */
export interface ConnectionHints {
  saveData?: boolean;
  effectiveType?: string;
}

const isSlow = (connection: ConnectionHints | undefined): boolean =>
  connection !== undefined && (connection.saveData === true || /2g$/.test(connection.effectiveType ?? ''));

type LoadPath = (path: string) => Promise<unknown>;

/** Loads a page's code before it is asked for: at most four at once, each once, none on a slow or metered connection. */
interface Prefetcher {
  prefetch(path: string): void;
  /** The router tells how to load a path's code. */
  connect(load: LoadPath): void;
}

export const createPrefetcher = (connection: () => ConnectionHints | undefined): Prefetcher => {
  const known = new Set<string>();
  let pending = 0;
  let load: LoadPath | undefined;
  return {
    connect: (loadPath) => {
      load = loadPath;
    },
    prefetch: (path) => {
      if (load === undefined || known.has(path) || pending >= MAX_PENDING || isSlow(connection())) return;
      known.add(path);
      pending += 1;
      load(path)
        // Nobody asked for it yet; when somebody does, the navigation itself tells.
        .catch(() => known.delete(path))
        .finally(() => {
          pending -= 1;
        });
    },
  };
};

export const PREFETCHER = serviceId<Prefetcher>('shell.prefetcher');

export const usePrefetch = (): ((path: string) => void) => useService(PREFETCHER).prefetch;

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
 * Reloads the page to get the new release, but at most once in ten seconds, so that a lasting error ends on the error
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
