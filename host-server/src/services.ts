import type { BillingDeps } from '@breakwater/core/billing/server/index.ts';
import type { Connections, ConnectionsDeps } from '@breakwater/core/connectors/server/index.ts';
import type { IngestDependencies } from '@breakwater/core/ingest/server/index.ts';
import type { PluginInstaller } from '@breakwater/core/installed-plugins/server/index.ts';
import type { ChannelDeps } from '@breakwater/core/notifications/server/index.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import type { EventBus } from '@breakwater/core/platform/server/events.ts';
import type { JobQueue } from '@breakwater/core/platform/server/jobs/define-job.ts';
import type { DocumentSigner, KeyRing } from '@breakwater/core/platform/server/key-ring.ts';
import type { PlanLimits } from '@breakwater/core/platform/server/limits.ts';
import type { MailSender } from '@breakwater/core/platform/server/mail/mail-sender.ts';
import type { ReportToolSource } from '@breakwater/core/platform/server/report-tool-source.ts';
import type { Vault } from '@breakwater/core/platform/server/vault.ts';
import type { RemediationDeps } from '@breakwater/core/remediation/server/index.ts';
import type { PackageService } from '@breakwater/core/sbom/server/index.ts';
import type { ScanningDeps } from '@breakwater/core/scanning/server/index.ts';
import type { Authenticator, LoginLimiters } from '@breakwater/core/session/server/index.ts';
import type { PluginRegistry } from '@breakwater/core/shell/plugins/index.ts';
import type { PostureDeps, WebhookDeps } from '@breakwater/core/source-control/server/index.ts';
import type { EgressGate } from '@breakwater/sdk/host';
import type { ServiceIdentifier } from 'inversify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { AddedCatalogue } from './plugins/added-connectors.ts';
import type { PluginCode } from './plugins/installed/plugin-code.ts';

/** What is started before the container is filled. */
export interface Parts {
  config: Config;
  log: Logger;
  database: DatabaseHandle;
  /** The same on connections of its own: attempts are counted while the request already has one, and may be the last that the others wait for. */
  attempts: DatabaseHandle;
  events: EventBus;
  jobs: JobQueue;
  plugins: PluginRegistry;
  metrics: Registry;
  vault: Vault;
  signer: DocumentSigner;
  keyRing: KeyRing;
}

const name = <T>(text: string): ServiceIdentifier<T> => Symbol(text);

/** Names of what the container holds. */
export const SERVICE = {
  config: name<Config>('Config'),
  log: name<Logger>('Logger'),
  database: name<DatabaseHandle>('DatabaseHandle'),
  attempts: name<DatabaseHandle>('Attempts'),
  events: name<EventBus>('EventBus'),
  jobs: name<JobQueue>('JobQueue'),
  plugins: name<PluginRegistry>('PluginRegistry'),
  /** The catalogue with what organisations added for themselves. */
  addedCatalogue: name<AddedCatalogue>('AddedCatalogue'),
  /** Importers, with those that organisations added. */
  reportTools: name<ReportToolSource>('ReportToolSource'),
  pluginCode: name<PluginCode>('PluginCode'),
  pluginInstaller: name<PluginInstaller>('PluginInstaller'),
  metrics: name<Registry>('Registry'),
  vault: name<Vault>('Vault'),
  signer: name<DocumentSigner>('DocumentSigner'),
  /** Nothing where no mail server is configured. */
  mailSender: name<MailSender | undefined>('MailSender'),
  planLimits: name<PlanLimits>('PlanLimits'),
  loginLimiters: name<LoginLimiters>('LoginLimiters'),
  authenticator: name<Authenticator>('Authenticator'),
  heads: name<IngestDependencies['heads']>('HeadReader'),
  ingest: name<IngestDependencies>('IngestDependencies'),
  /** The egress gate of every connector. */
  egress: name<EgressGate>('EgressGate'),
  packages: name<PackageService>('PackageService'),
  connectionsDeps: name<ConnectionsDeps>('ConnectionsDeps'),
  connections: name<Connections>('Connections'),
  notificationChannels: name<ChannelDeps>('ChannelDeps'),
  posture: name<PostureDeps>('PostureDeps'),
  webhooks: name<WebhookDeps>('WebhookDeps'),
  scanning: name<ScanningDeps>('ScanningDeps'),
  remediation: name<RemediationDeps>('RemediationDeps'),
  billing: name<BillingDeps>('BillingDeps'),
  /** One binding per slice. */
  endpoints: name<Endpoint[]>('Endpoint[]'),
};
