import { randomBytes } from 'node:crypto';
import { SERVICE } from '@breakwater/host-server/container.ts';
import { openRegistry } from '@breakwater/host-server/plugins/open-registry.ts';
import {
  startTestServer,
  type TestAnswer,
  type TestRequest,
  type TestServer,
  type TestServerOptions,
} from '../../../../tools/testing/server.ts';
import { type ConnectionsDeps, environmentName } from '../../connectors/server/index.ts';
import { type FakeService, startFakeService } from './fake-service.ts';
import { probePlugin } from './probe-plugin.ts';

type As = NonNullable<TestRequest['as']>;

/** The real server with the probe plugin, and a service that it may reach. */
export interface ConnectorScene {
  server: TestServer;
  service: FakeService;
  deps: ConnectionsDeps;
  /** Seals the vault, in base64. */
  secretKey: string;
  /** Percent-encodes the connector. */
  call(method: string, connector: string, path: string, options?: { as?: As; body?: unknown }): Promise<TestAnswer>;
  save(connector: string, values: object, as?: As): Promise<TestAnswer>;
  /** Saves the probe with the service's address and a token; fields may be added. @returns its attributes. */
  connect(values?: object, as?: As): Promise<TestAnswer['body']>;
  attributes(connector: string, as?: As): Promise<TestAnswer['body']>;
  events(connector: string, as?: As): Promise<string[]>;
  rows<T extends object>(sql: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** What the probe's service answers when all is well. */
export const LOGGED_IN = { body: { login: 'octocat' } };

/** Settings that send every connector of ours to one address instead of its provider's. */
const replaceProviders = async (url: string): Promise<Record<string, string>> => {
  const { registry } = await openRegistry({ parsers: false, server: false });
  return Object.fromEntries(
    registry.entries().map(({ connector }) => [`${environmentName(connector.id)}_BASE_URL`, url]),
  );
};

export interface ConnectorSceneOptions extends TestServerOptions {
  /** Every connector of ours asks the fake service. */
  replacesProviders?: boolean;
  /** The operator's OAuth application is registered at the fake service. */
  isRegistered?: boolean;
}

export const startConnectorScene = async (options: ConnectorSceneOptions = {}): Promise<ConnectorScene> => {
  const service = await startFakeService(() => LOGGED_IN);
  const secretKey = randomBytes(32).toString('base64');
  const environment = {
    PROBE_OAUTH_OAUTH_CLIENT_ID: 'breakwater',
    PROBE_OAUTH_OAUTH_CLIENT_SECRET: 'registered-secret',
    PROBE_OAUTH_OAUTH_APP: 'our-app',
    BREAKWATER_SECRET_KEY: secretKey,
    BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true',
    ...(options.isRegistered === true ? { PROBE_OAUTH_BASE_URL: service.url } : {}),
    ...(options.replacesProviders === true ? await replaceProviders(service.url) : {}),
    ...options.environment,
  };
  const server = await startTestServer({ plugins: [probePlugin], ...options, environment });
  const call: ConnectorScene['call'] = (method, connector, path, { as = 'admin', body } = {}) =>
    server.call(method, `/connectors/${encodeURIComponent(connector)}${path}`, {
      as,
      ...(body === undefined ? {} : { body }),
    });
  const save: ConnectorScene['save'] = (connector, values, as = 'admin') =>
    call('PUT', connector, '', { as, body: { values } });
  return {
    server,
    service,
    secretKey,
    deps: server.container.get(SERVICE.connectionsDeps),
    call,
    save,
    connect: async (values = {}, as = 'admin') => {
      const answer = await save('probe', { base_url: service.url, token: 'probe-token-1234', ...values }, as);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return answer.body.data.attributes;
    },
    attributes: async (connector, as = 'admin') => (await call('GET', connector, '', { as })).body.data.attributes,
    events: async (connector, as = 'admin') => {
      const { body } = await call('GET', connector, '/history', { as });
      return body.data.map((entry: { event: string; to: string }) => `${entry.event} ${entry.to}`).reverse();
    },
    rows: async <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> =>
      (await server.scene.owner.query<T>(sql, values)).rows,
    close: async () => {
      await server.close();
      await service.close();
    },
  };
};
