import 'reflect-metadata/lite';
import { createBillingEndpoints, PURCHASE_LIMIT, planLimits } from '@breakwater/core/billing/server/index.ts';
import { readRegulations } from '@breakwater/core/clients/server/index.ts';
import {
  createChannels,
  createConnections,
  createConnectorEndpoints,
  createSourceControls,
} from '@breakwater/core/connectors/server/index.ts';
import { createFeedbackEndpoints, createUsageReporter } from '@breakwater/core/feedback/server/index.ts';
import {
  createAssignmentEndpoints,
  createExportEndpoints,
  createFilterEndpoints,
  createFindingsEndpoints,
  createVerdictEndpoints,
} from '@breakwater/core/findings/server/index.ts';
import { createFrameworkEndpoints } from '@breakwater/core/frameworks/server/index.ts';
import { createHeadReader, createIngestEndpoints, importRemovals } from '@breakwater/core/ingest/server/index.ts';
import { createOperationsEndpoints } from '@breakwater/core/operations/server/index.ts';
import { createPartnerEndpoints } from '@breakwater/core/partners/server/index.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import { proofKeyOf } from '@breakwater/core/platform/server/key-ring.ts';
import { setPluginTexts } from '@breakwater/core/platform/server/languages.ts';
import { createAttemptLimiter } from '@breakwater/core/platform/server/limits.ts';
import { createMailSender } from '@breakwater/core/platform/server/mail/mail-sender.ts';
import { createPostureEndpoints } from '@breakwater/core/posture/server/index.ts';
import { createReferenceEndpoints } from '@breakwater/core/prioritisation/server/index.ts';
import {
  createFollowDeliveries,
  createFollowTickets,
  createLockTools,
  createRemediationEndpoints,
  fixEngine,
} from '@breakwater/core/remediation/server/index.ts';
import { createRepositoriesEndpoints } from '@breakwater/core/repositories/server/index.ts';
import { createPackageService, createSbomEndpoints } from '@breakwater/core/sbom/server/index.ts';
import {
  createAfterDelivery,
  createAfterSave,
  createScannerDetection,
  createScanningEndpoints,
  localFolderIssue,
  removeScanRequests,
} from '@breakwater/core/scanning/server/index.ts';
import {
  createAuthenticator,
  hasActiveToken,
  LOGIN_LIMITS,
  TOKEN_GUESSES,
} from '@breakwater/core/session/server/index.ts';
import {
  createSourceControlEndpoints,
  createWebhookFollower,
  removeWebhooks,
} from '@breakwater/core/source-control/server/index.ts';
import { createEgressGate } from '@breakwater/sdk/host';
import { Container } from 'inversify';
import { createBillingDeps } from './billing-deps.ts';
import { bindClients } from './client-endpoints.ts';
import type { Config } from './config.ts';
import { checkSchema, checkTexts } from './http/validation.ts';
import { bindManaged } from './managed-endpoints.ts';
import { createPeopleEndpoints } from './people-endpoints.ts';
import { bindAddedPlugins } from './plugins/bind-added-plugins.ts';
import { disabledReasonOf, withLocalFolders } from './plugins/local-folders.ts';
import { parseToolsModule } from './plugins/parse-tools.ts';
import { publicAddress } from './public-address.ts';
import { type Parts, SERVICE } from './services.ts';

export { type Parts, SERVICE };

const bindParts = (container: Container, parts: Parts): void => {
  container.bind(SERVICE.config).toConstantValue(parts.config);
  container.bind(SERVICE.log).toConstantValue(parts.log);
  container.bind(SERVICE.database).toConstantValue(parts.database);
  container.bind(SERVICE.attempts).toConstantValue(parts.attempts);
  container.bind(SERVICE.events).toConstantValue(parts.events);
  container.bind(SERVICE.jobs).toConstantValue(parts.jobs);
  container.bind(SERVICE.plugins).toConstantValue(withLocalFolders(parts.plugins, parts.config));
  setPluginTexts(parts.plugins.texts);
  container.bind(SERVICE.metrics).toConstantValue(parts.metrics);
  container.bind(SERVICE.vault).toConstantValue(parts.vault);
  container.bind(SERVICE.signer).toConstantValue(parts.signer);
  container
    .bind(SERVICE.mailSender)
    .toDynamicValue(() => {
      const { smtp } = parts.config;
      return smtp === undefined ? undefined : createMailSender({ ...smtp, origin: publicAddress(parts.config) });
    })
    .inSingletonScope();
  container.bind(SERVICE.planLimits).toConstantValue(planLimits);
  container
    .bind(SERVICE.loginLimiters)
    .toDynamicValue(() => ({
      account: createAttemptLimiter(parts.attempts, LOGIN_LIMITS.account),
      address: createAttemptLimiter(parts.attempts, LOGIN_LIMITS.address),
      device: createAttemptLimiter(parts.attempts, LOGIN_LIMITS.device),
    }))
    .inSingletonScope();
  container
    .bind(SERVICE.authenticator)
    .toDynamicValue(() => createAuthenticator(parts.database, createAttemptLimiter(parts.attempts, TOKEN_GUESSES)))
    .inSingletonScope();
};

const bindSbom = (container: Container, { config }: Parts): void => {
  container
    .bind(SERVICE.packages)
    .toDynamicValue((of) => createPackageService({ ...config.packageService, gate: of.get(SERVICE.egress) }))
    .inSingletonScope();
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createSbomEndpoints({
      database: of.get(SERVICE.database),
      jobs: of.get(SERVICE.jobs),
      packages: of.get(SERVICE.packages),
    }),
  );
};

const bindIngest = (container: Container): void => {
  container
    .bind(SERVICE.heads)
    .toDynamicValue((of) => createHeadReader(parseToolsModule(of.get(SERVICE.config))))
    .inSingletonScope();
  container.bind(SERVICE.ingest).toDynamicValue((of) => ({
    database: of.get(SERVICE.database),
    tools: of.get(SERVICE.reportTools),
    heads: of.get(SERVICE.heads),
    jobs: of.get(SERVICE.jobs),
    limits: of.get(SERVICE.planLimits),
    maxReportBytes: of.get(SERVICE.config).maxReportBytes,
    events: of.get(SERVICE.events),
  }));
  container.bind(SERVICE.endpoints).toDynamicValue((of) => createIngestEndpoints(of.get(SERVICE.ingest)));
};

const bindConnectors = (container: Container, parts: Parts): void => {
  const { config } = parts;
  container
    .bind(SERVICE.egress)
    // a host that the operator names for one connector is no way in for the others: trust goes with the connection
    .toDynamicValue(() => createEgressGate({ allowPrivateHosts: config.allowPrivateHosts }))
    .inSingletonScope();
  container
    .bind(SERVICE.connectionsDeps)
    .toDynamicValue((of) => ({
      database: of.get(SERVICE.database),
      vault: of.get(SERVICE.vault),
      ...of.get(SERVICE.addedCatalogue),
      jobs: of.get(SERVICE.jobs),
      planLimits: of.get(SERVICE.planLimits),
      log: of.get(SERVICE.log),
      gate: of.get(SERVICE.egress),
      providerBaseUrls: config.providerBaseUrls,
      oauthClients: config.oauthClients,
      publicOrigin: config.publicUrl?.origin,
      proofKeyOf: (state) => proofKeyOf(parts.keyRing, state),
      checkSchema,
      checkTexts,
      configuredElsewhere: async (db, clientId) => new Set((await hasActiveToken(db, clientId)) ? ['plexalyzer'] : []),
      afterSave: createAfterSave(of.get(SERVICE.database), of.get(SERVICE.jobs)),
      afterDelivery: async (connection, events) => {
        await createFollowTickets(of.get(SERVICE.database))(connection, events);
        const ofRepositories = events.filter((event) => event.kind !== 'ticket');
        await createFollowDeliveries(of.get(SERVICE.database))(connection, ofRepositories);
        await createAfterDelivery(of.get(SERVICE.database), of.get(SERVICE.jobs))(connection, ofRepositories);
      },
      ...createWebhookFollower(() => of.get(SERVICE.webhooks)),
    }))
    .inSingletonScope();
  container
    .bind(SERVICE.connections)
    .toDynamicValue((of) => createConnections(of.get(SERVICE.connectionsDeps)))
    .inSingletonScope();
  container.bind(SERVICE.endpoints).toDynamicValue((of) => createConnectorEndpoints(of.get(SERVICE.connectionsDeps)));
  container.bind(SERVICE.posture).toDynamicValue((of) => ({
    database: of.get(SERVICE.database),
    catalogue: of.get(SERVICE.plugins),
    connections: of.get(SERVICE.connections),
    ingest: of.get(SERVICE.ingest),
    publicOrigin: config.publicUrl?.origin,
  }));
  container.bind(SERVICE.webhooks).toDynamicValue((of) => ({
    database: of.get(SERVICE.database),
    catalogue: of.get(SERVICE.plugins),
    connections: of.get(SERVICE.connections),
    publicOrigin: config.publicUrl?.origin,
    log: of.get(SERVICE.log),
  }));
  container
    .bind(SERVICE.endpoints)
    .toDynamicValue((of) => createSourceControlEndpoints({ ...of.get(SERVICE.posture), ...of.get(SERVICE.webhooks) }));
};

/** What a scan may take: large enough for most repositories, small enough for a disk that others need. */
export const SCAN_LIMITS = { timeoutMs: 15 * 60_000, bytes: 2 * 1024 ** 3, files: 300_000, memoryMb: 4096 } as const;

const bindScanning = (container: Container, { config, log }: Parts): void => {
  container
    .bind(SERVICE.scanning)
    .toDynamicValue((of) => ({
      database: of.get(SERVICE.database),
      catalogue: of.get(SERVICE.plugins),
      ingest: of.get(SERVICE.ingest),
      posture: of.get(SERVICE.posture),
      detection: createScannerDetection(config.searchPath),
      sources: {
        connections: of.get(SERVICE.connections),
        disabledReason: disabledReasonOf(of.get(SERVICE.plugins)),
        localFolders: config.localFolders,
        allowPrivateHosts: config.allowPrivateHosts,
        providerBaseUrls: config.providerBaseUrls,
      },
      connections: of.get(SERVICE.connections),
      publicOrigin: config.publicUrl?.origin,
      dataDirectory: config.dataDirectory,
      searchPath: config.searchPath,
      limits: SCAN_LIMITS,
      planLimits: of.get(SERVICE.planLimits),
      log,
    }))
    .inSingletonScope();
  container
    .bind(SERVICE.endpoints)
    .toDynamicValue((of) => createScanningEndpoints({ ...of.get(SERVICE.scanning), jobs: of.get(SERVICE.jobs) }));
};

const bindOperations = (container: Container, { config, database, jobs }: Parts): void => {
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createOperationsEndpoints({
      database,
      jobs,
      catalogue: of.get(SERVICE.plugins),
      detection: of.get(SERVICE.scanning).detection,
      addresses: config.feedUrls,
      hasMailServer: config.smtp !== undefined,
    }),
  );
};

const bindRemediation = (container: Container, config: Config): void => {
  container
    .bind(SERVICE.remediation)
    .toDynamicValue((of) => ({
      database: of.get(SERVICE.database),
      jobs: of.get(SERVICE.jobs),
      catalogue: of.get(SERVICE.addedCatalogue).catalogue,
      connections: of.get(SERVICE.connections),
      engine: fixEngine,
      lockTools: createLockTools({
        searchPath: config.searchPath,
        dataDirectory: config.dataDirectory,
        registries: {
          npm: config.providerBaseUrls.get('NPM_REGISTRY'),
          go: config.providerBaseUrls.get('GO_PROXY'),
          pypi: config.providerBaseUrls.get('PYPI'),
        },
      }),
      limits: of.get(SERVICE.planLimits),
      aiTimeoutMs: config.aiTimeoutMs,
      publicOrigin: config.publicUrl?.origin,
    }))
    .inSingletonScope();
  container.bind(SERVICE.endpoints).toDynamicValue((of) => createRemediationEndpoints(of.get(SERVICE.remediation)));
};

const bindPeople = (container: Container, { keyRing, config }: Parts): void => {
  container.bind(SERVICE.notificationChannels).toDynamicValue((of) => ({
    database: of.get(SERVICE.database),
    channels: createChannels(of.get(SERVICE.addedCatalogue).catalogue, of.get(SERVICE.connections)),
    publicOrigin: config.publicUrl?.origin,
  }));
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createPeopleEndpoints({
      attempts: of.get(SERVICE.attempts),
      database: of.get(SERVICE.database),
      jobs: of.get(SERVICE.jobs),
      keyRing,
      vault: of.get(SERVICE.vault),
      limits: of.get(SERVICE.planLimits),
      loginLimiters: of.get(SERVICE.loginLimiters),
      sendsMail: config.smtp !== undefined,
      egress: of.get(SERVICE.egress),
      allowPrivateHosts: config.allowPrivateHosts,
      origin: publicAddress(config),
      google: config.google,
      avatarService: config.providerBaseUrls.get('AVATAR'),
      notificationChannels: of.get(SERVICE.notificationChannels),
    }),
  );
};

const bindBilling = (container: Container, config: Config): void => {
  container
    .bind(SERVICE.billing)
    .toDynamicValue((of) =>
      createBillingDeps({
        config,
        origin: publicAddress(config),
        gate: of.get(SERVICE.egress),
        database: of.get(SERVICE.database),
        jobs: of.get(SERVICE.jobs),
        purchaseAttempts: createAttemptLimiter(of.get(SERVICE.attempts), PURCHASE_LIMIT),
      }),
    )
    .inSingletonScope();
  container.bind(SERVICE.endpoints).toDynamicValue((of) => createBillingEndpoints(of.get(SERVICE.billing)));
  container
    .bind(SERVICE.endpoints)
    .toDynamicValue((of) => createPartnerEndpoints({ database: of.get(SERVICE.database) }));
};

const bindFeedback = (container: Container, { config, log }: Parts): void => {
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createFeedbackEndpoints({
      database: of.get(SERVICE.database),
      canny: config.canny,
      usage: config.usage && createUsageReporter({ ...config.usage, gate: of.get(SERVICE.egress), log }),
    }),
  );
};

const bindSlices = (container: Container, parts: Parts): void => {
  bindPeople(container, parts);
  bindClients(container, parts.config.terms);
  container.bind(SERVICE.endpoints).toDynamicValue((of) => createVerdictEndpoints(of.get(SERVICE.jobs)));
  // `/findings/groups` before `/findings/{id}`
  container
    .bind(SERVICE.endpoints)
    .toDynamicValue((of) => createFilterEndpoints({ database: of.get(SERVICE.database) }));
  container.bind(SERVICE.endpoints).toDynamicValue(() => createFindingsEndpoints());
  container.bind(SERVICE.endpoints).toDynamicValue(() => createAssignmentEndpoints());
  container
    .bind(SERVICE.endpoints)
    .toDynamicValue((of) => createExportEndpoints({ database: of.get(SERVICE.database) }));
  bindSbom(container, parts);
  container.bind(SERVICE.endpoints).toDynamicValue(() => createPostureEndpoints());
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createFrameworkEndpoints({
      database: of.get(SERVICE.database),
      tools: of.get(SERVICE.reportTools),
      regulations: readRegulations,
    }),
  );
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createReferenceEndpoints({
      database: of.get(SERVICE.database),
      jobs: of.get(SERVICE.jobs),
      addresses: of.get(SERVICE.config).feedUrls,
    }),
  );
  container.bind(SERVICE.endpoints).toDynamicValue((of) =>
    createRepositoriesEndpoints({
      database: of.get(SERVICE.database),
      jobs: of.get(SERVICE.jobs),
      sourceControls: createSourceControls(of.get(SERVICE.connections)),
      limits: of.get(SERVICE.planLimits),
      localFolderIssue: (folder) => localFolderIssue(of.get(SERVICE.config).localFolders, folder),
      removals: [...importRemovals, removeScanRequests, removeWebhooks(of.get(SERVICE.jobs))],
    }),
  );
  bindIngest(container);
};

/** The composition root of the server: the only place where implementations are chosen. */
export const createContainer = (parts: Parts): Container => {
  const container = new Container();
  bindParts(container, parts);
  bindSlices(container, parts);
  bindAddedPlugins(container, parts);
  bindConnectors(container, parts);
  bindScanning(container, parts);
  bindOperations(container, parts);
  bindRemediation(container, parts.config);
  bindBilling(container, parts.config);
  bindFeedback(container, parts);
  bindManaged(container);
  return container;
};

/** Every endpoint of every slice. */
export const endpointsOf = (container: Container): Endpoint[] => container.getAll(SERVICE.endpoints).flat();
