import { randomBytes } from 'node:crypto';
import { type ApiClient, addRepository, apiClient, setUp } from './api.ts';
import type { Reader } from './failover-load.ts';
import { type PatroniCluster, startPatroniCluster } from './patroni.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { generatedReport } from './reports.ts';
import { type RunningServer, removeFolder, startServer } from './server.ts';
import { addNeighbour } from './several-processes.ts';

/** Two web and two worker processes of one installation, behind PgBouncer, on a cluster whose primary may be killed. */
export interface FailoverScene {
  cluster: PatroniCluster;
  servers: readonly RunningServer[];
  second: RunningServer;
  /** At the first web process. */
  admin: ApiClient;
  /** The same at the second web process. */
  elsewhere: ApiClient;
  /** Readers of two organisations at both web processes. Repositories that are made later are to be added to the sets. */
  readers: readonly Reader[];
  ours: Set<string>;
  /** Findings that were imported before anything is killed. */
  findingIds: readonly string[];
  stop(): Promise<void>;
}

/** For PgBouncer on loopback; the guide names the same values. */
const POOLER = { server_login_retry: '1', server_connect_timeout: '5', query_wait_timeout: '15' };
const POOL_SIZE = 20;
const THEIRS = 100;

const importNow = async (api: ApiClient, nickname: string, results: number): Promise<string> => {
  const repository = await addRepository(api, nickname);
  const { status, body } = await api.upload(repository, 'report.json', generatedReport(results));
  if (status !== 200) throw new Error(`${nickname}: ${status} ${JSON.stringify(body)}`);
  return repository;
};

const idsOf = async (api: ApiClient): Promise<string[]> => {
  const { body } = await api.get('/findings?pagination=false');
  return body.data.map(({ _id }: { _id: string }) => _id);
};

const startServers = (cluster: PatroniCluster, bouncer: PgBouncer): Promise<RunningServer>[] => {
  const environment = {
    DATABASE_URL: bouncer.url('breakwater'),
    DATABASE_DIRECT_URL: cluster.url('breakwater'),
    BREAKWATER_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  return (['web', 'web', 'worker', 'worker'] as const).map((role) => startServer({ role, environment }));
};

export interface SceneSize {
  /** How many people read lists. */
  readers: number;
  /** How many findings there are to decide about. */
  findings: number;
}

const fill = async (
  [first, second]: readonly [RunningServer, RunningServer],
  cluster: PatroniCluster,
  { readers, findings }: SceneSize,
) => {
  const admin = await setUp(first);
  const ours = new Set([await importNow(admin, 'decided', findings)]);
  const findingIds = await idsOf(admin);
  const neighbour = await addNeighbour(second, cluster);
  const theirs = new Set([await importNow(neighbour, 'theirs', THEIRS)]);
  const readerAt = (index: number): Reader => {
    const [token, repositories] = index % 3 === 2 ? [neighbour.token, theirs] : [admin.token, ours];
    return { api: apiClient(index % 2 === 0 ? first : second, token), repositories };
  };
  return {
    ...{ admin, ours, findingIds },
    elsewhere: apiClient(second, admin.token),
    readers: Array.from({ length: readers }, (_, index) => readerAt(index)),
  };
};

/** Starts everything on loopback. */
export const startFailoverScene = async (size: SceneSize): Promise<FailoverScene> => {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const cluster = await startPatroniCluster();
    undo.push(cluster.stop);
    const bouncer = await startPgBouncer({
      server: { host: '127.0.0.1', port: cluster.port },
      mode: 'transaction',
      poolSize: POOL_SIZE,
      users: ['breakwater', 'breakwater_login_breakwater'],
      settings: POOLER,
    });
    undo.push(bouncer.stop);
    const starting = startServers(cluster, bouncer);
    for (const one of starting) {
      undo.push(async () => {
        const server = await one.catch(() => undefined);
        await server?.stop();
        if (server !== undefined) await removeFolder(server.dataDirectory);
      });
    }
    const servers = await Promise.all(starting);
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('There are no web processes.');
    return { cluster, servers, second, ...(await fill([first, second], cluster, size)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
