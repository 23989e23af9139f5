import path from 'node:path';
import { environmentName, startConnectionWork, startSyncWork } from '@breakwater/core/connectors/server/index.ts';
import { startBulkWork, startVerdictSweep } from '@breakwater/core/findings/server/index.ts';
import { type ImportWork, importRecords, startImportWork } from '@breakwater/core/ingest/server/index.ts';
import { createDocumentSigner } from '@breakwater/core/platform/server/document-signer.ts';
import { createKeyRing } from '@breakwater/core/platform/server/key-ring.ts';
import { removeExpiredAttempts } from '@breakwater/core/platform/server/rate-limit.ts';
import type { Sweep } from '@breakwater/core/platform/server/sweep.ts';
import { createVault } from '@breakwater/core/platform/server/vault.ts';
import { startFeedWork } from '@breakwater/core/prioritisation/server/index.ts';
import { startLicenseWork } from '@breakwater/core/sbom/server/index.ts';
import { ensureFirstAdmin, ensureSuperadmin, warnOfExpiringTokens } from '@breakwater/core/session/server/index.ts';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { AccountConfig, Config } from './config.ts';
import { createContainer, endpointsOf, type Parts, SERVICE } from './container.ts';
import { ListenEventBus } from './events/listen-event-bus.ts';
import { createApp } from './http/app.ts';
import { type Listener, startListening } from './http/listen.ts';
import { createMetrics, measureQueue } from './http/metrics.ts';
import { loadSite, type Site } from './http/site.ts';
import { startJobQueue } from './jobs/pg-boss-queue.ts';
import { openDatabase } from './open-database.ts';
import { openRegistry, pluginFolders } from './plugins/open-registry.ts';
import { parseToolsModule } from './plugins/parse-tools.ts';
import { checkMigrations } from './postgres/migrate.ts';
import { appConnection } from './postgres/pool.ts';
import { loadSecretKeys } from './secret-keys.ts';

/** `all` in one process, or only requests, or only jobs. */
export type ServerRole = 'all' | 'web' | 'worker';

export interface ServerOptions {
  config: Config;
  role: ServerRole;
  log: Logger;
}

export interface RunningServer {
  /** Where people reach it. */
  url: string;
  container: Container;
  /** Ends when the database is lost for good. */
  lost: Promise<void>;
  /** Answers what is under way, finishes or hands back jobs, closes everything. */
  stop(): Promise<void>;
}

/** How often counters of attempts that no longer count are removed, and people told of tokens that end soon. */
const SWEEP_MS = 3_600_000;
const SITE = path.join(import.meta.dirname, '../../app/dist');

/** Undoes what was started, last first, also when something in between fails. */
class Teardown {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.unshift(step);
  }

  async run(log: Logger): Promise<void> {
    for (const step of this.#steps.splice(0)) {
      await step().catch((error: unknown) => log.error({ err: error }, 'stopping'));
    }
  }
}

const newAccount = ({ email, password, organizationName }: AccountConfig) => ({
  organizationName,
  email,
  username: email,
  password,
});

const ensureAccounts = async ({ config, database, log }: Parts): Promise<void> => {
  if (config.firstAdmin !== undefined && (await ensureFirstAdmin(database, newAccount(config.firstAdmin)))) {
    log.info('the first admin was created from BREAKWATER_ADMIN_EMAIL');
  }
  if (config.superadmin !== undefined && (await ensureSuperadmin(database, newAccount(config.superadmin)))) {
    log.info('the superadmin was created from BREAKWATER_SUPERADMIN_EMAIL');
  }
};

const startParts = async ({ config, log }: ServerOptions, teardown: Teardown) => {
  const opened = await openDatabase(config, log);
  teardown.add(opened.close);
  const { ownerUrl, pool, database } = opened;
  const events = new ListenEventBus({ url: ownerUrl, log });
  teardown.add(() => events.stop());
  const [jobs, { registry: plugins, faults }] = await Promise.all([
    startJobQueue({ url: ownerUrl, log, isAlone: opened.isAlone }),
    openRegistry({ parsers: true, server: true }, pluginFolders(config.pluginsDirectory)),
    events.start(),
  ]);
  // threads end after the queue has let running imports finish
  const imports = { stop: async (): Promise<void> => undefined };
  teardown.add(() => imports.stop());
  teardown.add(jobs.stop);
  for (const fault of faults) log.warn({ plugin: fault.name, reason: fault.reason }, 'a plugin was left out');
  const known = new Set(plugins.cards().map(({ connector }) => environmentName(connector.id)));
  const unread = [...config.providerBaseUrls.keys()].filter((name) => !known.has(name));
  // other programs have such variables too
  if (unread.length > 0)
    log.info({ names: unread.map((name) => `${name}_BASE_URL`) }, 'addresses that no connector reads');
  const sweeping = setInterval(() => {
    removeExpiredAttempts(pool).catch((error: unknown) => log.warn({ err: error }, 'old attempts stay'));
    warnOfExpiringTokens(database).catch((error: unknown) => log.warn({ err: error }, 'nobody was warned of tokens'));
  }, SWEEP_MS).unref();
  teardown.add(async () => clearInterval(sweeping));
  const metrics = createMetrics();
  measureQueue(metrics, jobs);
  const keyRing = createKeyRing(config.secretKeys ?? (await loadSecretKeys(config.dataDirectory)));
  const vault = createVault(keyRing);
  const signer = createDocumentSigner(keyRing);
  const parts: Parts = { config, log, pool, database, events, jobs, plugins, metrics, vault, signer };
  return { parts, jobs, imports, ownerUrl, lost: opened.stopped };
};

/** What people type. A wildcard address is reached by the name of this machine. */
const addressOf = (config: Config, listener: Listener): string => {
  if (config.publicUrl !== undefined) return config.publicUrl.href.replace(/\/$/, '');
  const isWildcard = config.host === '0.0.0.0' || config.host === '::';
  const host = isWildcard ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${listener.port}`;
};

/** Imports parse in threads, which find the plugins and the database by themselves. */
export const startImports = (container: Container, ownerUrl: string): Promise<ImportWork> => {
  const { databaseUrl, dataDirectory, pluginsDirectory } = container.get(SERVICE.config);
  return startImportWork({
    database: container.get(SERVICE.database),
    jobs: container.get(SERVICE.jobs),
    log: container.get(SERVICE.log),
    metrics: container.get(SERVICE.importMetrics),
    connection: { ...appConnection(ownerUrl), dataDirectory: databaseUrl === undefined ? dataDirectory : undefined },
    toolsModule: parseToolsModule(pluginsDirectory),
  });
};

/** Retries, scheduled checks and what a dead process left of connections. */
export const startConnections = (container: Container): Promise<Sweep> =>
  startConnectionWork({ ...container.get(SERVICE.connectionsDeps), jobs: container.get(SERVICE.jobs) });

/** Findings that connectors pull. */
export const startSyncs = (container: Container): Promise<Sweep> =>
  startSyncWork({
    ...container.get(SERVICE.connectionsDeps),
    jobs: container.get(SERVICE.jobs),
    ingest: container.get(SERVICE.ingest),
  });

/** EPSS and KEV from feeds, and the scoring of findings with what they bring. */
export const startFeeds = (container: Container): Promise<Sweep> =>
  startFeedWork({
    database: container.get(SERVICE.database),
    jobs: container.get(SERVICE.jobs),
    log: container.get(SERVICE.log),
    gate: container.get(SERVICE.egress),
    addresses: container.get(SERVICE.config).feedUrls,
  });

/** Inventories held against the licence policy; what is found goes in as a report does. */
export const startLicenses = (container: Container): Promise<Sweep> =>
  startLicenseWork({
    database: container.get(SERVICE.database),
    jobs: container.get(SERVICE.jobs),
    log: container.get(SERVICE.log),
    takeRecords: (order, records) => importRecords(container.get(SERVICE.ingest), order, records),
  });

/** Decisions about many findings, and accepted risks that end. */
export const startVerdicts = async (container: Container): Promise<Sweep> => {
  const database = container.get(SERVICE.database);
  const log = container.get(SERVICE.log);
  const bulk = await startBulkWork({ database, log, jobs: container.get(SERVICE.jobs) });
  const verdicts = startVerdictSweep({ database, log });
  return {
    stop: async () => {
      await bulk.stop();
      await verdicts.stop();
    },
  };
};

/** Without a build (someone runs this file by hand) the API is served alone. */
const loadSiteFor = async (role: ServerRole, log: Logger): Promise<Site | undefined> => {
  if (role === 'worker') return undefined;
  return loadSite(SITE).catch((error: unknown) => {
    log.warn({ err: error }, 'no pages are served');
    return undefined;
  });
};

/** Starts everything in order, and takes it back when one part fails. */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const { config, role, log } = options;
  const teardown = new Teardown();
  const stopping = new AbortController();
  try {
    const site = await loadSiteFor(role, log);
    const { parts, jobs, imports, ownerUrl, lost } = await startParts(options, teardown);
    await ensureAccounts(parts);
    const container = createContainer(parts);
    teardown.add(() => container.get(SERVICE.egress).close());
    if (role !== 'web') {
      imports.stop = (await startImports(container, ownerUrl)).stop;
      teardown.add((await startConnections(container)).stop);
      teardown.add((await startSyncs(container)).stop);
      teardown.add((await startFeeds(container)).stop);
      teardown.add((await startVerdicts(container)).stop);
      teardown.add((await startLicenses(container)).stop);
    }
    const app = createApp({
      endpoints: role === 'worker' ? [] : endpointsOf(container),
      database: parts.database,
      authenticator: container.get(SERVICE.authenticator),
      events: parts.events,
      publicUrl: config.publicUrl,
      stopping: stopping.signal,
      log,
      metrics: parts.metrics,
      checks: {
        database: () => parts.database.ping(),
        migrations: () => checkMigrations(parts.pool),
        queue: () => jobs.ping(),
      },
      site,
      trustedProxies: config.trustedProxies,
    });
    const listener = await startListening(app, config);
    teardown.add(listener.drain);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await teardown.run(log);
    };
    return { url: addressOf(config, listener), container, lost, stop };
  } catch (error) {
    await teardown.run(log);
    throw error;
  }
};
