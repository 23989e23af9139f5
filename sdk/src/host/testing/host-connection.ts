import { type AnyConnector, type AnyConnectorSpec, withDefaults } from '../../connector.ts';
import type { Json } from '../../context.ts';
import type { HostConnection } from '../connection.ts';
import { createMemoryStore } from '../ctx.ts';

const FORM: AnyConnector['credentials'] = {
  type: 'object',
  required: ['base_url', 'api_token'],
  properties: {
    base_url: { type: 'string', title: 'Address', format: 'uri' },
    api_token: { type: 'string', title: 'API token', writeOnly: true },
  },
};

/** A connector whose whole address is a field of its form. */
export function connectorWith(spec: Partial<AnyConnectorSpec> = {}): AnyConnector {
  return withDefaults({
    id: 'demo-service',
    title: 'Demo',
    category: 'sast',
    image: '/images/demo.svg',
    description: 'Made for tests.',
    credentials: FORM,
    auth: { type: 'bearer', value: '{{api_token}}' },
    baseUrl: '{{base_url}}/api/v1',
    permissions: { egress: ['{{base_url}}'] },
    ...spec,
  });
}

export const TOKEN = 'canary-4f9a1c7e/+token';

export interface TestConnection extends HostConnection {
  readonly lines: { level: string; message: string; facts?: Readonly<Record<string, Json>> }[];
}

export interface TestConnectionOptions extends Partial<Omit<HostConnection, 'log' | 'store' | 'secret'>> {
  readonly secrets?: Record<string, string>;
}

/** A connection with its secrets in the open. */
export function connectionWith(options: TestConnectionOptions = {}): TestConnection {
  const { secrets = { api_token: TOKEN }, ...rest } = options;
  const lines: TestConnection['lines'] = [];
  const write = (level: string) => (message: string, facts?: Readonly<Record<string, Json>>) => {
    lines.push({ level, message, ...(facts === undefined ? {} : { facts }) });
  };
  return {
    connector: connectorWith(),
    config: {},
    secret: async (field) => secrets[field],
    store: createMemoryStore(),
    log: { debug: write('debug'), info: write('info'), warn: write('warn') },
    lines,
    ...rest,
  };
}
