import { accountJobs } from '@breakwater/core/accounts/server/index.ts';
import { auditJobs } from '@breakwater/core/audit/server/index.ts';
import { type BillingJobDeps, billingJobs } from '@breakwater/core/billing/server/index.ts';
import { clientJobs } from '@breakwater/core/clients/server/index.ts';
import { connectorJobs, type SyncDeps, upgradeStoredConnections } from '@breakwater/core/connectors/server/index.ts';
import { createRollupMetrics, findingJobs, type RollupMetrics } from '@breakwater/core/findings/server/index.ts';
import {
  createImportMetrics,
  createImportThreads,
  type ImportJobDeps,
  importRecords,
  ingestJobs,
} from '@breakwater/core/ingest/server/index.ts';
import { type ChannelDeps, notificationJobs } from '@breakwater/core/notifications/server/index.ts';
import { requeueStalled } from '@breakwater/core/platform/server/jobs/client-jobs.ts';
import { type AnyJob, type JobDeps, startJobs } from '@breakwater/core/platform/server/jobs/define-job.ts';
import { enqueueDue } from '@breakwater/core/platform/server/jobs/job-state.ts';
import { removeExpiredAttempts } from '@breakwater/core/platform/server/limits.ts';
import { type MailJobDeps, sendMails } from '@breakwater/core/platform/server/mail/send-mails.ts';
import { type FeedJobDeps, prioritisationJobs } from '@breakwater/core/prioritisation/server/index.ts';
import { reachabilityJobs } from '@breakwater/core/reachability/server/index.ts';
import { type RemediationDeps, remediationJobs } from '@breakwater/core/remediation/server/index.ts';
import { type LicenseJobDeps, sbomJobs, type VersionLookupDeps } from '@breakwater/core/sbom/server/index.ts';
import { type ScanJobDeps, scanningJobs } from '@breakwater/core/scanning/server/index.ts';
import { sessionJobs } from '@breakwater/core/session/server/index.ts';
import {
  type PostureJobDeps,
  sourceControlJobs,
  type WebhookJobDeps,
} from '@breakwater/core/source-control/server/index.ts';
import type { Container } from 'inversify';
import { SERVICE } from '../container.ts';
import { type ConfiguredPluginsDeps, lookForPlugins } from '../plugins/installed/configured-plugins.ts';
import { parseToolsModule } from '../plugins/parse-tools.ts';
import { appConnection } from '../postgres/pool.ts';

/** What jobs may ask for; each names its own part. */
export interface ServerJobDeps
  extends JobDeps,
    SyncDeps,
    ImportJobDeps,
    FeedJobDeps,
    LicenseJobDeps,
    VersionLookupDeps,
    ScanJobDeps,
    MailJobDeps,
    PostureJobDeps,
    WebhookJobDeps,
    BillingJobDeps,
    ConfiguredPluginsDeps {
  remediation: RemediationDeps;
  notificationChannels: ChannelDeps;
  jobs: JobDeps['jobs'];
  rollupMetrics: RollupMetrics;
  log: SyncDeps['log'];
}

/** Every job of the server: those of its slices, and of the platform. */
const JOBS: readonly AnyJob<ServerJobDeps>[] = [
  ...ingestJobs,
  ...connectorJobs,
  ...prioritisationJobs,
  ...findingJobs,
  ...sbomJobs,
  ...reachabilityJobs,
  ...sessionJobs,
  ...accountJobs,
  ...clientJobs,
  ...billingJobs,
  ...notificationJobs,
  ...auditJobs,
  ...scanningJobs,
  ...remediationJobs,
  ...sourceControlJobs,
  lookForPlugins,
  removeExpiredAttempts,
  sendMails,
];

const depsOf = (container: Container, appUrl: string): ServerJobDeps => {
  const config = container.get(SERVICE.config);
  const { databaseUrl, dataDirectory, feedUrls } = config;
  const ingest = container.get(SERVICE.ingest);
  const metrics = container.get(SERVICE.metrics);
  return {
    ...container.get(SERVICE.connectionsDeps),
    jobs: container.get(SERVICE.jobs),
    pluginInstaller: container.get(SERVICE.pluginInstaller),
    configuredPlugins: config,
    ingest,
    scanning: container.get(SERVICE.scanning),
    mailSender: container.get(SERVICE.mailSender),
    notificationChannels: container.get(SERVICE.notificationChannels),
    remediation: container.get(SERVICE.remediation),
    posture: container.get(SERVICE.posture),
    webhooks: container.get(SERVICE.webhooks),
    stripe: container.get(SERVICE.billing).stripe,
    marketplace: container.get(SERVICE.billing).marketplace,
    addresses: feedUrls,
    packages: container.get(SERVICE.packages),
    takeRecords: (source, records) => importRecords(ingest, source, records),
    importMetrics: createImportMetrics(metrics),
    rollupMetrics: createRollupMetrics(metrics),
    importThreads: createImportThreads(),
    importConnection: {
      ...appConnection(appUrl),
      dataDirectory: databaseUrl === undefined ? dataDirectory : undefined,
    },
    reportTools: container.get(SERVICE.reportTools),
    // threads find the plugins and the database by themselves
    toolsModule: parseToolsModule(config),
  };
};

/** Jobs that run. */
export interface RunningJobs {
  /** To be called when the queue has stopped: ends the threads; an import cut short is taken up by the next process. */
  stop(): Promise<void>;
}

/** Takes jobs from the queue, keeps schedules, takes up what a dead process left. */
export const startServerJobs = async (container: Container, appUrl: string): Promise<RunningJobs> => {
  const deps = depsOf(container, appUrl);
  await upgradeStoredConnections(deps);
  const jobs = [...JOBS, requeueStalled(JOBS), enqueueDue(JOBS)];
  await deps.jobs.keepSchedules(jobs);
  await startJobs(jobs, deps);
  return { stop: () => deps.importThreads.destroy() };
};
