import { defineConnector, definePlugin, defineServer, monogram, readAnswer, Type } from '@breakwater/sdk';

const User = Type.Object({ login: Type.String({ minLength: 1 }) });
const Severity = Type.Enum(['critical', 'high', 'medium', 'low', 'informational']);
const Issue = Type.Object({ rule: Type.String(), title: Type.String(), severity: Severity, file: Type.String() });

const connector = defineConnector({
  id: 'my-connector',
  title: 'My Connector',
  category: 'sast',
  image: monogram('MC'),
  description: 'Pulls findings from My Connector.',
  documentation: 'https://api.example.com/docs',
  credentials: {
    type: 'object',
    required: ['api_key'],
    properties: { api_key: { type: 'string', title: 'API key', writeOnly: true } },
  },
  auth: { type: 'bearer', value: '{{api_key}}' },
  baseUrl: 'https://api.example.com/v1',
  permissions: { egress: ['api.example.com'] },
});

export const plugin = definePlugin({ id: 'my-connector', version: '0.1.0', connectors: [connector] });

export const server = defineServer(plugin, {
  'my-connector': {
    check: async ({ http }) => ({ identity: readAnswer(User, await http.json({ path: '/user' })).login }),
    findings: {
      async *sync({ http }) {
        yield { kind: 'target', id: 'my-connector', name: 'My Connector' };
        for await (const page of http.pages({ path: '/issues' }, { type: 'link' }))
          for (const { rule, title, severity, file } of readAnswer(Type.Array(Issue), page))
            yield { kind: 'finding', type: 'SAST', ruleId: rule, title, severity, locations: [{ path: file }] };
      },
    },
  },
});
