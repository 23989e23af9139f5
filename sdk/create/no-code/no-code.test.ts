import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runKit } from '../../src/testing/index.ts';

const CREATE = join(import.meta.dirname, '../index.js');
const CANARY = 'c4n4ryq7Zt93mPwL2xVb8K';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breakwater-no-code-'));
});
afterEach(() => rm(folder, { recursive: true }));

const create = (...args: string[]) =>
  spawnSync(process.execPath, [CREATE, 'acme-scan', ...args], { cwd: folder, encoding: 'utf8' });
const written = async (file = 'connector.json') => JSON.parse(await readFile(join(folder, 'acme-scan', file), 'utf8'));
const issuesOf = async () => {
  const { issues, connectors } = await runKit(join(folder, 'acme-scan'));
  const bronze = connectors.flatMap(({ checks }) => checks.filter(({ tier }) => tier === 'bronze'));
  return [...issues, ...bronze.flatMap((check) => check.issues)];
};
const expectBronze = async () => {
  expect(await issuesOf()).toEqual([]);
  expect((await runKit(join(folder, 'acme-scan'))).connectors).toMatchObject([
    { tier: expect.stringMatching(/bronze|silver/) },
  ]);
};

describe('a connector without code', () => {
  it('is two files from nothing, reaches bronze, and says what to fill in', async () => {
    const { status, stdout } = create('--no-code', '--category', 'sca');
    expect(status).toBe(0);
    expect(await readdir(join(folder, 'acme-scan'))).toEqual(['conformance.json', 'connector.json']);
    expect(stdout).toMatch(/Fill in:.*baseUrl, check\.request and findings\.request.*findings\.severities/s);
    expect(await written()).toMatchObject({ id: 'acme-scan', title: 'Acme Scan', findings: { type: 'SCA' } });
    await expectBronze();
  });
});

const OPENAPI = {
  openapi: '3.1.0',
  servers: [{ url: 'https://{region}.acme.example/api/', variables: { region: { default: 'eu' } } }],
  security: [{ key: [] }],
  paths: {
    '/me': {
      get: { responses: { 200: { content: { 'application/json': { example: { email: 'a@acme.example' } } } } } },
    },
    '/orgs/{orgId}/issues': {
      parameters: [{ name: 'orgId', in: 'path', required: true }],
      get: {
        parameters: [
          { name: 'state', in: 'query', required: true, schema: { enum: ['open', 'all'] } },
          { name: 'page', in: 'query' },
        ],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } } } },
      },
      delete: {},
    },
    '/text': { get: { responses: { 200: { content: { 'text/plain': {} } } } } },
    '/loop': {
      get: {
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Loop' } } } } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    schemas: {
      Page: {
        type: 'object',
        properties: {
          total: { type: 'integer' },
          items: { type: 'array', items: { $ref: '#/components/schemas/Issue' } },
        },
      },
      Issue: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          rule: { type: 'string' },
          message: { type: 'string', example: 'SQL built from input' },
          severity: { type: 'string', enum: ['BLOCKER', 'MINOR', 'ODD'] },
          file: { type: 'string' },
        },
      },
      Loop: { $ref: '#/components/schemas/Loop' },
    },
  },
};

describe('from an OpenAPI document', () => {
  const from = async (document: unknown, path = '/orgs/{orgId}/issues', ...more: string[]) => {
    const file = join(folder, 'openapi.json');
    await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document));
    return create('--openapi', file, '--path', path, ...more);
  };

  it('has addresses, signing, parameters and mapping of it, and reaches bronze', async () => {
    const { status, stdout } = await from(OPENAPI);
    expect(status).toBe(0);
    expect(await written()).toMatchObject({
      baseUrl: 'https://eu.acme.example/api',
      auth: { type: 'header', name: 'X-Api-Key', value: '{{api_key}}' },
      check: { request: { path: '/me' }, identity: 'email' },
      credentials: { required: ['api_key', 'orgid'] },
      findings: {
        request: { path: '/orgs/{{orgid}}/issues', query: { state: 'open' } },
        records: 'items',
        severities: { BLOCKER: 'critical', MINOR: 'low', ODD: 'medium', '*': 'medium' },
        map: {
          ruleId: '$string(rule)',
          title: '$string(message)',
          severity: 'severity',
          locations: "[{ 'path': file }]",
        },
      },
    });
    expect(stdout).toMatch(/findings\.paging/);
    await expectBronze();
  });

  it.each<[string, unknown, string, RegExp]>([
    ['of another version', { swagger: '2.0' }, '/issues', /only OpenAPI 3/],
    ['in YAML', 'openapi: 3.1.0', '/issues', /no JSON.*js-yaml/],
    ['without the path', OPENAPI, '/nothing', /--path must name a path with GET, one of:\n.*\/me/s],
    ['whose path is a name of every object', OPENAPI, 'constructor', /--path must name/],
    ['whose answer is no JSON', OPENAPI, '/text', /answers 200 with no JSON/],
    ['that refers to itself', OPENAPI, '/loop', /--openapi/],
    [
      'that signs in the address',
      {
        ...OPENAPI,
        components: { ...OPENAPI.components, securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } } },
      },
      '/orgs/{orgId}/issues',
      /cannot sign by "key"/,
    ],
    [
      'without https',
      { ...OPENAPI, servers: [{ url: '/api' }] },
      '/orgs/{orgId}/issues',
      /no https address; name one with --url/,
    ],
  ])('refuses a document %s, and writes nothing', async (_, document, path, message) => {
    const { status, stderr } = await from(document, path);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
    expect(await readdir(folder)).toEqual(['openapi.json']);
  });
});

describe('from a curl line', () => {
  const B64 = Buffer.from(`ada:${CANARY}`).toString('base64');
  it.each<[string, string, object]>([
    [
      'a bearer token',
      `curl -s -H "Authorization: Bearer ${CANARY}" https://api.acme.example/v1/issues?state=open`,
      { auth: { type: 'bearer', value: '{{api_token}}' }, findings: { request: { query: { state: 'open' } } } },
    ],
    [
      'a scheme of its own',
      `curl https://api.acme.example/issues --header 'Authorization: token ${CANARY}'`,
      { auth: { type: 'header', name: 'Authorization', value: 'token {{api_key}}' } },
    ],
    [
      'a header of its own',
      `curl -H'X-Acme-Api-Key: ${CANARY}' -H 'X-Api-Version: 2' "https://api.acme.example/issues"`,
      {
        auth: { type: 'header', name: 'X-Acme-Api-Key' },
        findings: { request: { headers: { 'x-api-version': '2' } } },
      },
    ],
    ['a password', `curl --user=ada:${CANARY} \\\n  https://api.acme.example/issues`, { auth: { type: 'basic' } }],
    [
      'basic in a header',
      `curl -H 'Authorization: Basic ${B64}' https://api.acme.example/issues`,
      { auth: { type: 'basic' } },
    ],
    [
      'a password in the address',
      `curl https://ada:${CANARY}@api.acme.example/issues`,
      { auth: { type: 'basic' }, permissions: { egress: ['api.acme.example'] } },
    ],
    [
      'a token in the path',
      `curl https://api.acme.example/bot${CANARY}/issues`,
      { findings: { request: { path: '/{{path_1}}/issues' } } },
    ],
    [
      'what may be a token in the query',
      `curl 'https://api.acme.example/issues?cursor=${CANARY}&size=50'`,
      { findings: { request: { query: { cursor: '{{cursor}}', size: '50' } } } },
    ],
    [
      'cookies and strange headers',
      `curl -b 'sid=${CANARY}' -H 'Cookie: a=${CANARY}' -H 'X-Thing: ${CANARY}' https://api.acme.example/issues`,
      {},
    ],
    [
      'a JSON body',
      `curl -H 'Authorization: Bearer ${CANARY}' --json '{"query":"{ issues { rule } }"}' https://api.acme.example/graphql`,
      { findings: { request: { method: 'POST', body: { query: '{ issues { rule } }' } } } },
    ],
  ])('with %s reaches bronze, and no secret is written or shown', async (_, line, expected) => {
    const { status, stdout, stderr } = create('--curl', line);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(await written()).toMatchObject(expected);
    const all = `${stdout}${JSON.stringify(await written())}${JSON.stringify(await written('conformance.json'))}`;
    for (const part of ['c4n4ry', 'q7Zt93', B64]) expect(all).not.toContain(part);
    await expectBronze();
  });

  it.each([
    ['a secret parameter', `curl https://api.acme.example/issues?api_key=${CANARY}`, /is a secret in the address/],
    [
      'a secret in the body',
      `curl -d '{"password":"${CANARY}"}' https://api.acme.example/issues`,
      /body holds what looks like a secret/,
    ],
    ['a body that is no JSON', `curl -d 'a=${CANARY}' https://api.acme.example/issues`, /only a JSON body/],
    ['a write', 'curl -X DELETE https://api.acme.example/issues', /DELETE writes/],
    ['plain http', 'curl http://api.acme.example/issues', /one https address/],
    ['no address', 'curl -s', /one https address/],
    ['an open quote', "curl 'https://api.acme.example", /quote is not closed/],
    ['another program', 'wget https://api.acme.example', /begins with curl/],
  ])('refuses a line with %s, and says no secret', async (_, line, message) => {
    const { status, stderr } = create('--curl', line);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('c4n4ry');
    expect(status).toBe(2);
    expect(await readdir(folder)).toEqual([]);
  });
});
