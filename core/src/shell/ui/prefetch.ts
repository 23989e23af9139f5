import { serviceId, useService } from '../../platform/ui/services.tsx';

/** Source: specification §9 "Route prefetch". */
const MAX_PENDING = 4;

/** What browsers with the Network Information API tell; others have none of it. */
export interface ConnectionHints {
  saveData?: boolean;
  effectiveType?: string;
}

const isSlow = (connection: ConnectionHints | undefined): boolean =>
  connection !== undefined && (connection.saveData === true || /2g$/.test(connection.effectiveType ?? ''));

export type LoadPath = (path: string) => Promise<unknown>;

/** Loads a page's code before it is asked for: at most four at once, each once, none on a slow or metered connection. */
export interface Prefetcher {
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
