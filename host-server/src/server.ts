import path from 'node:path';
import { issueFirstPasswordLink } from '@breakwater/core/accounts/server/index.ts';
import { environmentName } from '@breakwater/core/connectors/server/index.ts';
import { removeLeftoverUploads } from '@breakwater/core/ingest/server/index.ts';
import { createDocumentSigner, createKeyRing, setupCodeOf } from '@breakwater/core/platform/server/key-ring.ts';
import { createVault } from '@breakwater/core/platform/server/vault.ts';
import { ensureFirstAdmin, ensureSuperadmin, isSetupNeeded } from '@breakwater/core/session/server/index.ts';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { AccountConfig, Config } from './config.ts';
import { createContainer, endpointsOf, type Parts, SERVICE } from './container.ts';
import { ListenEventBus } from './events/listen-event-bus.ts';
import { createApp } from './http/app.ts';
import { startListening } from './http/listen.ts';
import { createMetrics, measureQueue } from './http/monitoring.ts';
import { loadSite, type Site } from './http/site.ts';
import { startServerJobs } from './jobs/job-list.ts';
import { startJobQueue } from './jobs/pg-boss-queue.ts';
import { openDatabase } from './open-database.ts';
import { openRegistry, pluginFolders } from './plugins/open-registry.ts';
import { checkMigrations } from './postgres/migrate.ts';
import { publicAddress, withChosenPort } from './public-address.ts';
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
  /** What people at another machine have to enter to make the first organisation; nothing once there is one. */
  readSetupCode(): Promise<string | undefined>;
  /** Where a superadmin who was named without a password sets one, once; nothing once there is one. */
  readFirstPasswordLink(): Promise<string | undefined>;
  /** Ends when the database is lost for good. */
  lost: Promise<void>;
  /** Answers what is under way, finishes or hands back jobs, closes everything. */
  stop(): Promise<void>;
}

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

const newAccount = <P extends string | undefined>({
  email,
  password,
  organizationName,
}: Omit<AccountConfig, 'password'> & { password: P }) => ({
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
  const metrics = createMetrics();
  const opened = await openDatabase(config, log, metrics);
  teardown.add(opened.close);
  const { ownerUrl, appUrl, database, attempts } = opened;
  const events = new ListenEventBus({ url: appUrl, log });
  teardown.add(() => events.stop());
  const onSlowImport = (plugin: string) => log.warn({ plugin }, 'a plugin is slow to load: start waits for it');
  const [jobs, { registry: plugins, issues, close }] = await Promise.all([
    startJobQueue({ url: ownerUrl, log, isAlone: opened.isAlone }),
    openRegistry({ parsers: true, server: true, onSlowImport }, pluginFolders(config)),
    events.start(),
  ]);
  // threads end after the queue has let running imports finish
  const running = { stop: async (): Promise<void> => undefined };
  teardown.add(() => running.stop());
  teardown.add(jobs.stop);
  teardown.add(async () => close());
  for (const issue of issues) log.warn({ plugin: issue.name, reason: issue.reason }, 'a plugin was left out');
  const known = new Set([
    ...plugins.entries().map(({ connector }) => environmentName(connector.id)),
    'NPM_REGISTRY',
    'GOOGLE',
    'AVATAR',
    'CANNY',
    'USAGE',
    'CONNECTOR_DRAFT',
  ]);
  const unread = [...config.providerBaseUrls.keys()].filter((name) => !known.has(name));
  // other programs have such variables too
  if (unread.length > 0)
    log.info({ names: unread.map((name) => `${name}_BASE_URL`) }, 'addresses that no connector reads');
  measureQueue(metrics, jobs);
  const keyRing = createKeyRing(config.secretKeys ?? (await loadSecretKeys(config.dataDirectory)));
  const vault = createVault(keyRing);
  const signer = createDocumentSigner(keyRing);
  const parts: Parts = { config, log, database, attempts, events, jobs, plugins, metrics, vault, signer, keyRing };
  return { parts, jobs, running, appUrl, lost: opened.stopped };
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
  const { role, log } = options;
  const config = await withChosenPort(options.config);
  const teardown = new Teardown();
  const stopping = new AbortController();
  try {
    const site = await loadSiteFor(role, log);
    const { parts, jobs, running, appUrl, lost } = await startParts({ ...options, config }, teardown);
    await ensureAccounts(parts);
    const leftovers = await removeLeftoverUploads();
    if (leftovers > 0) log.info({ count: leftovers }, 'uploads of a killed process were removed');
    const container = createContainer(parts);
    teardown.add(() => container.get(SERVICE.egress).close());
    teardown.add(() => container.get(SERVICE.pluginCode).discard());
    if (role !== 'web') running.stop = (await startServerJobs(container, appUrl)).stop;
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
        migrations: () => checkMigrations(parts.database),
        queue: () => jobs.ping(),
      },
      site,
      trustedProxies: config.trustedProxies,
      allowedHosts: config.allowedHosts,
      metricsToken: config.metricsToken,
      googleIssuer: config.google?.issuer,
      cannyOrigin: config.canny?.origin,
    });
    const listener = await startListening(app, config);
    teardown.add(listener.drain);
    const stop = async (): Promise<void> => {
      stopping.abort();
      await teardown.run(log);
    };
    const readSetupCode = async () =>
      (await parts.database.forIdentity(isSetupNeeded)) ? setupCodeOf(parts.keyRing) : undefined;
    const url = publicAddress(config);
    const readFirstPasswordLink = async () => {
      const path = config.superadmin && (await issueFirstPasswordLink(parts.database, config.superadmin.email));
      return path === undefined ? undefined : `${url}${path}`;
    };
    return { url, container, readSetupCode, readFirstPasswordLink, lost, stop };
  } catch (error) {
    await teardown.run(log);
    throw error;
  }
};
