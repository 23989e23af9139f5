import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Role } from '@breakwater/core/platform/model/permissions.ts';
import { createDatabase } from '@breakwater/core/platform/server/database.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import type { EventBus } from '@breakwater/core/platform/server/events.ts';
import {
  createDocumentSigner,
  createKeyRing,
  type DocumentSigner,
  setupCodeOf,
} from '@breakwater/core/platform/server/key-ring.ts';
import { createVault } from '@breakwater/core/platform/server/vault.ts';
import { createPluginRegistry, type LoadedPlugin } from '@breakwater/core/shell/plugins/index.ts';
import { readConfig } from '@breakwater/host-server/config.ts';
import { createContainer, endpointsOf, SERVICE } from '@breakwater/host-server/container.ts';
import { ListenEventBus } from '@breakwater/host-server/events/listen-event-bus.ts';
import { createApp } from '@breakwater/host-server/http/app.ts';
import { createMetrics } from '@breakwater/host-server/http/monitoring.ts';
import { startServerJobs } from '@breakwater/host-server/jobs/job-list.ts';
import { startJobQueue } from '@breakwater/host-server/jobs/pg-boss-queue.ts';
import { createLogger } from '@breakwater/host-server/logger.ts';
import { openRegistry, pluginFolders } from '@breakwater/host-server/plugins/open-registry.ts';
import { checkMigrations } from '@breakwater/host-server/postgres/migrate.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createUsers, type TestUsers } from './users.ts';

export interface TestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface TestRequest {
  /** Who calls; nobody when absent. A role of the test's organisation, or a token. */
  as?: Role | { token: string };
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestServer {
  baseUrl: string;
  /** The organisation and its users, one per role. */
  users: TestUsers;
  tokens: Record<Role, string>;
  scene: TestDatabase;
  endpoints: readonly Endpoint[];
  container: ReturnType<typeof createContainer>;
  events: EventBus;
  /** Verifies what the server signed. */
  signer: DocumentSigner;
  /** What the server would print for a first start from another machine. */
  setupCode: string;
  /** Sends JSON to `/api/v1` + path (or to a path that begins with `/api/`, `/healthz` and the like as it stands). */
  call(method: string, path: string, request?: TestRequest): Promise<TestAnswer>;
  /** What the server has logged, as lines of JSON. */
  logs: string[];
  close(): Promise<void>;
}

export interface TestServerOptions {
  /** Environment of the configuration, such as `BREAKWATER_MAX_REPORT_MB`. */
  environment?: Record<string, string>;
  /** Also works on jobs: uploads are imported. */
  isWorking?: boolean;
  /** Plugins besides ours. */
  plugins?: readonly LoadedPlugin[];
  /** Endpoints besides those of the slices. */
  extraEndpoints?: Endpoint[];
}

const ABSOLUTE = /^\/(api|scim|healthz|readyz|metrics)(\/|$)/;

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return isJson && text !== '' ? JSON.parse(text) : text;
};

/** The real server over a database of its own: all endpoints, every answer checked against its contract. For `*.db.test.ts`. */
export const startTestServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const scene = await createTestDatabase();
  const logs: string[] = [];
  const log = createLogger('info', { write: (line: string) => void logs.push(line) });
  const config = readConfig({ PORT: '0', DATABASE_URL: scene.url, ...options.environment });
  const events = new ListenEventBus({ url: scene.appUrl, log });
  await events.start();
  const jobs = await startJobQueue({ url: scene.url, log });
  const opened = await openRegistry({ parsers: true, server: true }, pluginFolders(config));
  const plugins = createPluginRegistry([...opened.plugins, ...(options.plugins ?? [])]);
  const metrics = createMetrics();
  const keyRing = createKeyRing(config.secretKeys ?? [randomBytes(32)]);
  const vault = createVault(keyRing);
  const signer = createDocumentSigner(keyRing);
  const { database } = scene;
  const attempts = createDatabase(createAppPool(scene.appUrl, 2));
  const parts = { config, log, database, attempts, events, jobs, plugins, metrics, vault, signer, keyRing };
  const container = createContainer(parts);
  const endpoints = [...endpointsOf(container), ...(options.extraEndpoints ?? [])];
  const running = options.isWorking === true ? await startServerJobs(container, scene.appUrl) : undefined;
  const stopping = new AbortController();
  const app = createApp({
    endpoints,
    database,
    authenticator: container.get(SERVICE.authenticator),
    events,
    publicUrl: config.publicUrl,
    stopping: stopping.signal,
    checkResponses: true,
    log,
    metrics,
    checks: {
      database: () => database.ping(),
      migrations: () => checkMigrations(database),
      queue: () => jobs.ping(),
    },
    site: undefined,
    trustedProxies: config.trustedProxies,
    allowedHosts: config.allowedHosts,
    metricsToken: config.metricsToken,
    googleIssuer: config.google?.issuer,
    cannyOrigin: config.canny?.origin,
  });
  // longer than any test: a call that is sent on a busy machine just as the server ends its idle connection would fail
  const server = createServer({ keepAliveTimeout: 600_000 }, app);
  // a thousand calls at once: what the queue of the kernel does not hold is reset
  const address = { host: '127.0.0.1', port: 0, backlog: 4096 };
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const users = await createUsers(database);
  const tokens = {
    superadmin: users.superadmin.token,
    admin: users.admin.token,
    cyberoper: users.cyberoper.token,
    developer: users.developer.token,
  };
  return {
    baseUrl,
    users,
    tokens,
    scene,
    endpoints,
    container,
    events,
    signer,
    setupCode: setupCodeOf(keyRing),
    logs,
    call: async (method, path, request = {}) => {
      const token = typeof request.as === 'string' ? tokens[request.as] : request.as?.token;
      const response = await fetch(`${baseUrl}${ABSOLUTE.test(path) ? path : `/api/v1${path}`}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      return { status: response.status, headers: response.headers, body: await readBody(response) };
    },
    close: async () => {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await jobs.stop();
      await running?.stop();
      await container.get(SERVICE.egress).close();
      await events.stop();
      await attempts.close();
      await scene.drop();
    },
  };
};
