import { describe, expect, it } from 'vitest';
import { defineConnector, monogram, readAnswer, readManifest, Type } from '../../index.ts';
import type { AnyConnectorCode } from '../../server.ts';
import type { ConnectorFixture } from '../fixtures.ts';
import type { LoadedFolder } from './load-plugin.ts';
import { reportOn } from './run-kit.ts';

const connector = defineConnector({
  id: 'wide',
  title: 'Wide',
  category: 'source-control',
  image: monogram('Wi'),
  description: 'Does everything.',
  documentation: 'https://wide.example/docs',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'hosted_domain'],
    properties: {
      oauth_token: { type: 'string', title: 'Token', writeOnly: true },
      hosted_domain: { type: 'string', title: 'Domain' },
    },
  },
  auth: {
    type: 'oauth2',
    authorizeUrl: 'https://{{hosted_domain}}/login/authorize',
    tokenUrl: 'https://{{hosted_domain}}/login/token',
    scopes: ['read'],
  },
  baseUrl: 'https://{{hosted_domain}}/api/v1',
  services: { models: 'https://models.wide.example/ai' },
  permissions: { egress: ['{{hosted_domain}}', 'models.wide.example'] },
});

const Named = Type.Object({ name: Type.String({ minLength: 1 }) });
const Rows = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));

const ticketOf = (status: string) => ({ id: '1', key: 'A-1', url: 'https://wide.example/A-1', status, isDone: false });

const code: AnyConnectorCode = {
  check: async ({ http }) => ({ identity: readAnswer(Named, await http.json({ path: '/user' })).name }),
  scm: {
    user: async ({ http }) => readAnswer(Named, await http.json({ path: '/user' })),
    async *listRepositories({ http }) {
      const paging = { type: 'page', parameter: 'page', size: 2, sizeParameter: 'limit' } as const;
      for await (const page of http.pages({ path: '/repos' }, paging)) {
        for (const { id, name } of readAnswer(Rows, page)) yield { id, name, url: `https://wide.example/${name}` };
      }
    },
    async *listBranches({ http }, repository) {
      const rows = readAnswer(Rows, await http.json({ path: `/repos/${repository}/branches` }));
      yield* rows.map(({ id, name }) => ({ name, commit: id }));
    },
    readFile: async ({ http }, { repository, path, at }) => {
      const { status, body } = await http.request({
        path: `/repos/${repository}/raw/${path}`,
        query: { ref: at },
        accept: [404],
      });
      return status === 404 ? null : body;
    },
  },
  cloud: {
    identity: async ({ http }) => ({ account: readAnswer(Named, await http.json({ path: '/account' })).name }),
    async *inventory({ http }) {
      for (const { id, name } of readAnswer(Rows, await http.json({ path: '/things' }))) yield { id, type: name };
    },
  },
  remediator: {
    models: async ({ http }) =>
      readAnswer(Rows, await http.json({ path: '/models', service: 'models' })).map(({ name }) => name),
    async *complete({ http }, { model, messages }) {
      const body = { model, messages: messages.map(({ role, content }) => ({ role, content })) };
      const answer = await http.json({ path: '/complete', service: 'models', method: 'POST', body });
      yield { text: readAnswer(Named, answer).name };
    },
  },
  tickets: {
    draft: (_config, values) => ({ title: values['finding.title'] }),
    createTicket: async ({ http }, { draft, idempotencyKey: key }) => {
      const [known] = readAnswer(Rows, await http.json({ path: '/found', query: { key } }));
      if (known !== undefined) return { isTaken: true, ticket: ticketOf(known.name) };
      const { name } = readAnswer(
        Named,
        await http.json({ method: 'POST', path: '/tickets', body: { ...draft, key } }),
      );
      return { isTaken: true, ticket: ticketOf(name) };
    },
    tracking: {
      async *projects({ http }) {
        for (const { id, name } of readAnswer(Rows, await http.json({ path: '/boards' }))) {
          yield { key: id, name };
        }
      },
      types: async ({ http }, project) =>
        readAnswer(Rows, await http.json({ path: `/boards/${project}/types` })).map(({ name }) => name),
      link: async ({ http }, { ticket, url }) => {
        readAnswer(Named, await http.json({ method: 'PUT', path: `/tickets/${ticket}/link`, body: { url } }));
      },
      transition: async ({ http }, { ticket }) => {
        const path = `/tickets/${ticket}`;
        const { name } = readAnswer(Named, await http.json({ path }));
        if (name === 'done') return ticketOf(name);
        return ticketOf(readAnswer(Named, await http.json({ method: 'POST', path: `${path}/done` })).name);
      },
      ticket: async ({ http }, id) => ticketOf(readAnswer(Named, await http.json({ path: `/tickets/${id}` })).name),
    },
  },
  notify: {
    send: async ({ http }, { title }) => {
      await http.request({ method: 'POST', path: '/messages', body: { title } });
    },
  },
  routes: [
    {
      method: 'GET',
      path: '/things',
      role: 'developer',
      handle: async ({ http }) => readAnswer(Rows, await http.json({ path: '/things' })).length,
    },
  ],
};

const rows = (...names: string[]) => names.map((name, index) => ({ id: `${index + 1}`, name }));
const fixture: ConnectorFixture = {
  credentials: { hosted_domain: 'git.wide.example' },
  addresses: { baseUrl: 'https://git.wide.example/api/v1', models: 'https://models.wide.example/ai' },
  signature: { authorization: 'Bearer {{oauth_token}}' },
  exchanges: [
    { request: { path: '/user' }, answer: { body: { name: 'ada' } } },
    { request: { path: '/repos', query: { page: '1', limit: '2' } }, answer: { body: rows('a', 'b') } },
    { request: { path: '/repos', query: { page: '2', limit: '2' } }, answer: { body: rows('c') } },
    { request: { path: '/repos/1/branches' }, answer: { body: rows('main') } },
    { request: { path: '/repos/1/raw/README.md', query: { ref: 'main' } }, answer: { text: '# Wide' } },
    { request: { path: '/account' }, answer: { body: { name: 'one' } } },
    { request: { path: '/things' }, answer: { body: rows('vm') } },
    { request: { path: '/boards' }, answer: { body: rows('Board') } },
    { request: { path: '/boards/1/types' }, answer: { body: rows('Bug') } },
    { request: { path: '/tickets/7' }, answer: { body: { name: 'open' } } },
    { request: { path: '/found', query: { key: 'kit' } }, answer: { body: [] } },
    {
      request: { method: 'POST', path: '/tickets', body: { title: 'One', key: 'kit' } },
      answer: { body: { name: 'open' } },
    },
    {
      request: { method: 'PUT', path: '/tickets/7/link', body: { url: 'https://b.example' } },
      answer: { body: { name: 'b' } },
    },
    { request: { method: 'POST', path: '/tickets/7/done' }, answer: { body: { name: 'done' } } },
    { request: { method: 'POST', path: '/messages', body: { title: '{{any}}' } }, answer: { status: 202 } },
    { request: { path: '/models', service: 'models' }, answer: { body: rows('large') } },
    {
      request: {
        method: 'POST',
        path: '/complete',
        service: 'models',
        body: { model: 'large', messages: [{ role: 'user', content: 'Well?' }] },
      },
      answer: { body: { name: 'Yes.' } },
    },
  ],
  expect: {
    check: { identity: 'ada' },
    'cloud.identity': { account: 'one' },
    'cloud.inventory': [{ id: '1', type: 'vm' }],
    'scm.user': { name: 'ada' },
    'scm.listRepositories': [
      { id: '1', name: 'a', url: 'https://wide.example/a' },
      { id: '2', name: 'b', url: 'https://wide.example/b' },
      { id: '1', name: 'c', url: 'https://wide.example/c' },
    ],
    'scm.listBranches': [{ name: 'main', commit: '1' }],
    'scm.readFile': { base64: 'IyBXaWRl' },
    'remediator.models': ['large'],
    'remediator.complete': [{ text: 'Yes.' }],
    'tickets.draft': { title: 'Test by Breakwater' },
    'tickets.createTicket': { isTaken: true, ticket: ticketOf('open') },
    'tickets.link': null,
    'tickets.transition': ticketOf('done'),
    'tickets.projects': [{ key: '1', name: 'Board' }],
    'tickets.types': ['Bug'],
    'tickets.ticket': { id: '1', key: 'A-1', url: 'https://wide.example/A-1', status: 'open', isDone: false },
    'notify.send': null,
    'GET /things': 1,
  },
  situations: [
    {
      name: 'the ticket is there',
      during: 'tickets.createTicket',
      isRepeated: true,
      exchanges: [{ request: { path: '/found', query: { key: 'kit' } }, answer: { body: rows('open') } }],
      expect: { isTaken: true, ticket: ticketOf('open') },
    },
    {
      name: 'the ticket is done',
      during: 'tickets.transition',
      isRepeated: true,
      exchanges: [{ request: { path: '/tickets/7' }, answer: { body: { name: 'done' } } }],
      expect: ticketOf('done'),
    },
  ],
  calls: {
    scm: { repository: '1', file: { path: 'README.md', at: 'main' } },
    remediator: { model: 'large', prompt: 'Well?' },
    tickets: {
      project: '1',
      ticket: '7',
      write: {
        createTicket: { draft: { title: 'One' } },
        link: { ticket: '7', url: 'https://b.example', title: 'One' },
        transition: { ticket: '7', comment: 'Fixed.' },
      },
    },
  },
};

const loaded = (given: ConnectorFixture, wide = code): LoadedFolder => ({
  plugin: readManifest({ id: 'wide', version: '1.0.0', connectors: [connector] }),
  parsers: [],
  server: { pluginId: 'wide', connectors: { wide } },
  fixtures: { connectors: { wide: given } },
  entries: [],
  issues: [],
});

describe('a connector with every capability and OAuth', () => {
  it('reaches silver, each operation played and each path through the sign-in driven', async () => {
    const report = await reportOn(import.meta.dirname, loaded(fixture));
    const [wide] = report.connectors;
    expect(
      wide?.checks.flatMap(({ name, issues }) => issues.map(({ what, where }) => `${name}: ${what} (${where})`)),
    ).toEqual([]);
    expect(wide?.tier).toBe('silver');
    const tried = Object.fromEntries(wide!.checks.map((one) => [one.name, one.tried]));
    expect(tried).toMatchObject({ capabilities: 19, abort: 34 });
    // Nineteen requests in nineteen ways, and one whose answer is empty in the twelve that say nothing of its content.
    expect(tried['fault matrix']).toBe(19 * 19 + 12);
    expect(wide?.checks.flatMap(({ notes = [] }) => notes)).toEqual([]);
  });

  it('says what the fixture leaves out', async () => {
    const { calls: _, ...rest } = fixture;
    const report = await reportOn(import.meta.dirname, loaded(rest));
    const messages = report.connectors[0]!.checks.flatMap(({ issues }) => issues.map(({ what }) => what));
    expect(messages).toContain('connectors.wide.calls.scm: name a repository, so that its branches can be read');
    expect(messages).toContain('connectors.wide.calls.tickets: name a project and a ticket, so that they can be read');
  });

  it('says which own route no host reaches', async () => {
    const routes = (code.routes ?? []).map((one) => ({ ...one, path: '/things/of/all' }));
    const report = await reportOn(import.meta.dirname, loaded(fixture, { ...code, routes }));
    const issues = report.connectors[0]!.checks.flatMap((one) => one.issues.map(({ what }) => what));
    expect(issues).toContain('"/things/of/all" is no path of an own route, so no host reaches it');
  });
});
