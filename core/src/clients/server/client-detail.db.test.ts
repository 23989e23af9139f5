import { randomBytes } from 'node:crypto';
import { secretKeys } from '@breakwater/sdk';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closedDoor } from '../../../../tools/testing/processes.ts';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import { createUsers, type TestUsers } from '../../../../tools/testing/users.ts';
import { ClientDetail } from '../api/client-detail.ts';
import { ClientSettings } from '../api/routes.ts';
import { SECTIONS } from '../model/connector-sections.ts';

const FORMS: Record<string, Record<string, unknown>> = {
  semgrep_cli: { token: 1, config: 'p/default' },
  black_duck: { api_token: 1, black_duck_url: 'https://bd.example.test' },
  fortify: { client_id: 'forty', client_secret: 1, release_id: '4711' },
  checkmarx: {
    client_id: 'cx',
    client_secret: 1,
    username: 'cx-user',
    password: 1,
    base_url: 'https://cx.example.test',
    team_id: 7,
  },
  ai_remediator: { api_key: 1, deployment_name: 'gpt', base_url: 'https://ai.example.test', version: '2024-10-21' },
  ai_validation: {
    openai_api_key: 1,
    openai_deployment_name: 'gpt',
    openai_base_url: 'https://ai.example.test',
    openai_version: '2024-10-21',
  },
  github: { oauth_token: 1 },
  gitlab: { oauth_token: 1, refresh_token: 1, hosted_url: 'https://gitlab.example.test' },
  bitbucket_cloud: { oauth_token: 1, refresh_token: 1, workspaces: 'harbour,lighthouse' },
  gitea: { oauth_token: 1, hosted_domain: 'gitea.example.test' },
  aws: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 1 },
  azure: { client_secret: 1 },
  gcp: { project_id: 'my-project-123456', application_credentials: '{"private_key":"CANARY"}' },
  oracle_oci: { key_value: '-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----' },
};
const secrets: string[] = [];

/** A canary in the place of every secret: 1, or the word inside a longer one. */
const filled = (form: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => {
      const text = value === 1 ? 'CANARY' : value;
      if (typeof text !== 'string' || !text.includes('CANARY')) return [name, value];
      const secret = `canary${randomBytes(17).toString('hex')}`;
      secrets.push(secret);
      return [name, text.replace('CANARY', secret)];
    }),
  );

let server: TestServer;
let others: TestUsers;
beforeAll(async () => {
  const nowhere = await closedDoor();
  server = await startTestServer({
    environment: Object.fromEntries(Object.keys(FORMS).map((id) => [`${id.toUpperCase()}_BASE_URL`, nowhere])),
  });
  others = await createUsers(server.scene.database, 'Other Organisation');
  for (const [key, form] of Object.entries(FORMS)) {
    const saved = await server.call('PUT', '/client/config', { as: 'admin', body: { key, values: filled(form) } });
    expect(saved.status, `${key}: ${JSON.stringify(saved.body)}`).toBe(200);
  }
});
afterAll(() => server.close());

type As = 'superadmin' | 'admin' | 'cyberoper' | 'developer' | { token: string };
const jws = async (as: As): Promise<string> => (await server.call('GET', '/client', { as })).body.data;
// biome-ignore lint/suspicious/noExplicitAny: tests look into every corner of the document
const detail = async (as: As): Promise<any> => decodeJwt(await jws(as));
const put = (body: unknown) => server.call('PUT', '/client', { as: 'admin', body });

describe('GET /client', () => {
  test('is signed by the server, and verified by its key ring', async () => {
    const text = await jws('admin');
    expect(decodeProtectedHeader(text)).toMatchObject({ alg: 'HS256', kid: expect.any(String) });
    expect(await server.signer.verify(text)).toMatchObject({ _id: server.users.clientId });
    const [header = '', , signature = ''] = text.split('.');
    const forged = Buffer.from(JSON.stringify({ _id: others.clientId })).toString('base64url');
    expect(await server.signer.verify(`${header}.${forged}.${signature}`)).toBeUndefined();
  });

  test('has the shape that its contract says, for every role', async () => {
    for (const as of ['superadmin', 'admin', 'cyberoper', 'developer'] as const) {
      expect(Value.Errors(ClientDetail, await detail(as)), as).toEqual([]);
    }
  });

  test('shows every connector without a secret: 17 canaries, no hit, in no role', async () => {
    expect(secrets.length).toBe(17);
    const admin = await detail('admin');
    for (const as of ['admin', 'cyberoper', 'developer'] as const) {
      const text = JSON.stringify(await detail(as));
      for (const secret of secrets) expect(text + server.logs.join('')).not.toContain(secret);
    }
    expect(admin).toMatchObject({
      semgrep_cli: { has_token: true, config: 'p/default', isConfigured: true },
      black_duck: { has_api_token: true, black_duck_url: 'https://bd.example.test', isConfigured: false },
      fortify: { client_id: 'forty', has_client_secret: true, isConfigured: true },
      checkmarx: { username: 'cx-user', has_password: true, has_client_secret: true, team_id: 7 },
      ai_configuration: {
        remediator: { has_api_key: true, type: 'azure' },
        validation: { has_openai_api_key: true, openai_deployment_name: 'gpt', openai_type: 'azure' },
      },
      plugins: {
        github: { has_oauth_token: true, installation_id: null, isConfigured: false },
        gitlab: { has_oauth_token: true, has_refresh_token: true },
        bitbucket_cloud: { workspaces: 'harbour,lighthouse' },
        gitea: { hosted_domain: 'gitea.example.test' },
        cloud: { aws: { has_secret_access_key: true }, gcp: { has_application_credentials: true } },
        plexalyzer: [],
      },
    });
    const hinted = secrets.filter((secret) => JSON.stringify(admin).includes(`_hint":"${secret.slice(-4)}"`));
    // the two long ones end otherwise
    expect(hinted).toHaveLength(secrets.length - 2);
  });

  test('secrets of the sections are those of the forms, and every field of a form is shown', async () => {
    const { body } = await server.call('GET', '/connectors', { as: 'admin' });
    for (const section of Object.values(SECTIONS)) {
      const card = body.data.find((item: { attributes: { id: string } }) => item.attributes.id === section.connector);
      const { credentials } = card.attributes;
      expect([...secretKeys(credentials)].sort(), section.connector).toEqual([...section.secrets].sort());
      expect([...section.fields, ...section.secrets].sort(), section.connector).toEqual(
        Object.keys(credentials.properties).sort(),
      );
    }
  });

  test('a developer learns name and plan, and nothing of settings or connectors', async () => {
    const { iat, ...known } = await detail('developer');
    expect(Object.entries(known).filter(([, value]) => value !== null && value !== false)).toEqual([
      ['_id', server.users.clientId],
      ['organization_name', 'Test Organisation'],
      ['account_setup_at', expect.any(String)],
      ['subscription', { tier: 'free' }],
    ]);
    expect(iat).toBeTypeOf('number');
  });

  test('tokens of machines are for admins, without their text', async () => {
    const made = await server.call('POST', '/generate_plexalyzer_token', {
      as: 'admin',
      body: { name: 'pipeline', expired_at: new Date(Date.now() + 86_400_000).toISOString() },
    });
    expect((await detail('admin')).plugins.plexalyzer).toEqual([
      {
        name: 'pipeline',
        created_at: made.body.data.created_at,
        expired_at: made.body.data.expired_at,
        has_token: true,
        token_hint: made.body.data.token.slice(-4),
      },
    ]);
    expect((await detail('cyberoper')).plugins.plexalyzer).toBeNull();
    const card = async (as: As) =>
      (await server.call('GET', '/connectors/miscellaneous%2Fplexalyzer', { as })).body.data.attributes.is_configured;
    expect([await card('admin'), await card({ token: others.admin.token })]).toEqual([true, false]);
    const { _id } = (await server.call('GET', '/plexalyzer_tokens', { as: 'admin' })).body.data[0];
    await server.call('DELETE', `/plexalyzer_tokens/${_id}`, { as: 'admin' });
    expect(await card('admin')).toBe(false);
  });

  test('another organisation sees its own', async () => {
    const theirs = await detail({ token: others.admin.token });
    expect(theirs).toMatchObject({ _id: others.clientId, organization_name: 'Other Organisation' });
    expect(JSON.stringify(theirs)).not.toMatch(/"has_\w+":true|AKIA|"isConfigured":true/);
    expect((await detail('superadmin'))._id).toBe(server.users.superadmin.clientId);
  });
});

describe('PUT /client', () => {
  const company = {
    information: { legal_name: 'Harbour Ltd', url_company: 'https://harbour.example.test/about', category: 'Shipping' },
    structure: {
      headquarters: { coordinate: { lat: 53.5, long: 9.9 }, locations: ['Hamburg'] },
      data_processing: { locations: ['Dublin', 'Frankfurt'] },
    },
    regulations: { applicable_regulations: ['GDPR', 'NIS2'] },
  };

  test('keeps what the organisation says of itself; parts left out stay', async () => {
    expect((await put({ company })).body).toEqual({ success: true });
    await put({
      company: { information: { parent_company: 'Sea Inc' }, structure: { branch: { locations: ['Oslo'] } } },
    });
    expect((await detail('cyberoper')).company).toEqual({
      information: {
        legal_name: 'Harbour Ltd',
        parent_company: 'Sea Inc',
        global_entity_identifier: '',
        category: 'Shipping',
        url_company: 'https://harbour.example.test/about',
      },
      structure: {
        headquarters: { coordinate: { lat: 53.5, long: 9.9 }, locations: ['Hamburg'] },
        subsidiary: { locations: [] },
        branch: { locations: ['Oslo'] },
        service: { locations: [] },
        data_processing: { locations: ['Dublin', 'Frankfurt'] },
      },
      regulations: { applicable_regulations: ['GDPR', 'NIS2'] },
    });
  });

  test('two changes of different parts at once both count', async () => {
    await Promise.all([
      put({ company: { information: { category: 'Ports' } } }),
      put({ company: { regulations: { applicable_regulations: ['DORA'] } } }),
    ]);
    expect((await detail('admin')).company).toMatchObject({
      information: { category: 'Ports', legal_name: 'Harbour Ltd' },
      regulations: { applicable_regulations: ['DORA'] },
    });
  });

  test('the ticket webhook is the card of the catalogue; null removes it', async () => {
    const issue_webhook = { url: 'https://tickets.example.test/hook', mapping: { summary: 'title' } };
    expect((await put({ issue_webhook, legal_name: 'Harbour' })).status).toBe(200);
    expect(await detail('admin')).toMatchObject({ issue_webhook, legal_name: 'Harbour' });
    expect((await detail('developer')).issue_webhook).toBeNull();
    const wrong = await put({ issue_webhook: { url: 'javascript:alert(1)' }, legal_name: 'Not stored' });
    expect(wrong.status).toBe(422);
    expect(wrong.body.detail[0].loc).toEqual(['body', 'issue_webhook', 'url']);
    expect(await detail('admin')).toMatchObject({ issue_webhook, legal_name: 'Harbour' });
    expect((await put({ issue_webhook: null })).status).toBe(200);
    expect((await detail('admin')).issue_webhook).toBeNull();
  });

  test('prioritisation is that of its own page: what is absent stays, and findings are scored anew', async () => {
    const { prioritisation: before } = await detail('admin');
    const body = { prioritisation: { toggle: true, exploitabilityFactors: { epss: 60 } } };
    expect((await put(body)).body).toEqual({ success: true });
    const expected = { ...before, toggle: true, exploitabilityFactors: { ...before.exploitabilityFactors, epss: 60 } };
    expect((await detail('admin')).prioritisation).toEqual(expected);
    const page = await server.call('GET', '/client/prioritisation', { as: 'admin' });
    expect(page.body.data.attributes).toMatchObject({ ...expected, version: 1 });
    expect(page.body.data.attributes.recomputation.job_id).toEqual(expect.any(String));
    const nothing = Object.fromEntries(
      Object.entries(before).flatMap(([group, weights]) =>
        typeof weights === 'object' && weights !== null
          ? [[group, Object.fromEntries(Object.keys(weights).map((name) => [name, 0]))]]
          : [],
      ),
    );
    const wrong = await put({ prioritisation: nothing, legal_name: 'Not stored' });
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'prioritisation', 'toggle']]);
    expect(await detail('admin')).toMatchObject({ prioritisation: expected, legal_name: 'Harbour' });
  });

  test('the AI remediator is the card of the catalogue; its errors name the field, null removes it', async () => {
    const remediator = { deployment_name: 'gpt-4.1', type: 'openai', version: 'v1' };
    expect((await put({ ai_configuration: { remediator } })).body).toEqual({ success: true });
    expect((await detail('admin')).ai_configuration).toMatchObject({
      remediator: { ...remediator, has_api_key: true, base_url: 'https://ai.example.test' },
      validation: { openai_deployment_name: 'gpt', has_openai_api_key: true },
    });
    const wrong = await put({ ai_configuration: { remediator: { base_url: 'javascript:alert(1)' } } });
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([
      422,
      ['body', 'ai_configuration', 'remediator', 'base_url'],
    ]);
    expect((await put({ ai_configuration: { remediator: null } })).status).toBe(200);
    expect((await detail('admin')).ai_configuration.remediator).toMatchObject({ has_api_key: false });
  });

  test('the token of Google goes to the vault, is never read back, and null removes it', async () => {
    const token = `canary${randomBytes(17).toString('hex')}`;
    expect((await put({ google_oauth_token: token })).body).toEqual({ success: true });
    const known = { has_google_oauth_token: true, google_oauth_token_hint: token.slice(-4) };
    expect(await detail('cyberoper')).toMatchObject(known);
    expect(await detail('developer')).toMatchObject({ has_google_oauth_token: false });
    expect(JSON.stringify(await detail('admin')) + server.logs.join('')).not.toContain(token);
    await put({ google_oauth_token: null });
    expect(await detail('admin')).toMatchObject({ has_google_oauth_token: false, google_oauth_token_hint: null });
  });

  const SETTINGS: Record<string, [sent: unknown, shown?: Record<string, unknown>]> = {
    organization_name: ['Harbour and Sons'],
    legal_name: ['Harbour Ltd'],
    address: ['Quay 1, Hamburg'],
    enable_false_positive_analysis: [true],
    schedule_scan: ['weekly'],
    pipeline_integration: [true],
    autonomous_scan: [true],
    excluded_tools: [['bandit', 'grype']],
    audit_retention_days: [400],
    report_retention_days: [30],
    require_2fa: [false],
    google_oauth_token: ['ya29.a-token-4711', { has_google_oauth_token: true, google_oauth_token_hint: '4711' }],
    company: [{ information: { category: 'Ports' } }, { company: { information: { category: 'Ports' } } }],
    issue_webhook: [{ url: 'https://tickets.example.test/hook', mapping: { a: 'title' } }],
    prioritisation: [{ toggle: false }, { prioritisation: { toggle: false } }],
    ai_configuration: [{ remediator: { type: 'openai' } }, { ai_configuration: { remediator: { type: 'openai' } } }],
    subscription: [{ tier: 'free' }],
  };

  test('takes every setting of the contract, and GET /client shows it', async () => {
    expect(Object.keys(SETTINGS).toSorted()).toEqual(Object.keys(ClientSettings.properties).toSorted());
    for (const [field, [sent, shown = { [field]: sent }]] of Object.entries(SETTINGS)) {
      const saved = await put({ [field]: sent });
      expect([field, saved.status, saved.body]).toEqual([field, 200, { success: true }]);
      expect(await detail('admin'), field).toMatchObject(shown);
    }
    // what the specification names besides has a call of its own, is read alone, or is never stored
    const elsewhere = ['_id', 'account_setup_at', 'reminder_sent_at', 'credit_card', 'semgrep_cli', 'plugins'];
    for (const field of [...elsewhere, 'black_duck', 'fortify'])
      expect((await put({ [field]: null })).status).toBe(422);
    await put({ organization_name: 'Test Organisation' });
  });

  test('PUT /client/billing changes to whom invoices are written, for admins; a card number is refused and kept nowhere', async () => {
    const billing = (body: unknown, as: As = 'admin') => server.call('PUT', '/client/billing', { as, body });
    expect((await billing({ legal_name: 'Harbour AG', address: 'Pier 9', credit_card: null })).body).toEqual({
      success: true,
    });
    expect(await detail('admin')).toMatchObject({ legal_name: 'Harbour AG', address: 'Pier 9', credit_card: null });
    const card = await billing({ credit_card: '4111111111111111', legal_name: 'Not stored' });
    expect([card.status, card.body.detail[0].loc]).toEqual([422, ['body', 'credit_card']]);
    expect(await detail('admin')).toMatchObject({ legal_name: 'Harbour AG' });
    expect(server.logs.join('')).not.toContain('4111111111111111');
    expect((await billing({ address: 'x' }, 'cyberoper')).status).toBe(403);
  });

  test('chooses the free plan; no other can be set', async () => {
    expect((await put({ subscription: { tier: 'free' } })).status).toBe(200);
    expect((await detail('admin')).subscription).toEqual({ tier: 'free' });
  });

  test.each([
    [{ subscription: { tier: 'enterprise' } }],
    [{ subscription_tier: 'enterprise' }],
    [{ credit_card: '4111111111111111' }],
    [{ reminder_sent_at: '2026-01-01T00:00:00Z' }],
    [{ google_oauth_token: '' }],
    [{ company: { owner: 'me' } }],
    [{ company: { information: { url_company: 'javascript:alert(1)' } } }],
    [{ company: { information: { url_company: 'https://user:pass@harbour.example.test' } } }],
    [{ company: { structure: { headquarters: { coordinate: { lat: 91, long: 0 }, locations: [] } } } }],
    [{ company: { structure: { branch: { locations: ['x'.repeat(301)] } } } }],
    [{ company: { information: { legal_name: 'x'.repeat(201) } } }],
    [{ issue_webhook: { url: 'https://a.example.test', secret: 'x' } }],
    [{ prioritisation: { exploitabilityFactors: { epss: 101 } } }],
    [{ prioritisation: { unknown: 1 } }],
    [{ ai_configuration: { remediator: { unknown: 'x' } } }],
    [{ ai_configuration: { validation: { api_key: 'x' } } }],
    [{ plugins: { github: { oauth_token: 'x' } } }],
    [{ fortify: { client_secret: 'x' } }],
  ])('%j changes nothing', async (body) => {
    const { iat: _before, ...before } = await detail('admin');
    expect((await put(body)).status).toBe(422);
    const { iat: _after, ...after } = await detail('admin');
    expect(after).toEqual(before);
  });
});

test('the home of settings says how each stands, to those who may open its page', async () => {
  const states = async (as: As) => (await server.call('GET', '/client/settings-state', { as })).body.data;
  expect(await states('developer')).toEqual({ '/settings/setup-2fa': [{ state: 'off' }] });
  expect(await states({ token: others.admin.token })).toEqual({
    '/settings/setup-2fa': [{ state: 'off' }],
    '/Organization': [{ state: 'not_set' }],
    '/settings/scans': [{ state: 'scans_on_request' }],
    '/settings/prioritisation': [{ state: 'default_weights' }],
    '/connector/providers': [{ state: 'none_configured' }],
    '/settings/security': [{ state: 'two_factor_optional' }],
    '/settings/team': [{ state: 'people', count: 3 }],
    '/settings/single-sign-on': [{ state: 'not_set' }],
  });
  await put({ company: { information: { category: 'Ports' }, regulations: { applicable_regulations: ['DORA'] } } });
  await put({
    address: 'Quay 1',
    company: { structure: { branch: { locations: [] }, data_processing: { locations: [] } } },
  });
  await put({ company: { structure: { headquarters: { coordinate: null, locations: [] } } } });
  await put({ schedule_scan: 'weekly', excluded_tools: ['bandit', 'trivy'] });
  const cyberoper = await states('cyberoper');
  expect(cyberoper).toMatchObject({
    '/Organization': [{ state: 'parts_set', count: 3, total: 5 }],
    '/settings/scans': [{ state: 'scans_weekly' }, { state: 'tools_excluded', count: 2 }],
  });
  expect(cyberoper['/connector/providers']).toEqual([{ state: 'configured', count: expect.any(Number) }]);
  expect(Object.keys(cyberoper)).not.toContain('/settings/team');
});
