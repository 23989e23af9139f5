import { generateKeyPairSync } from 'node:crypto';
import { startTestService, type TestAnswers, type TestService } from '@breakwater/sdk/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectorScene, startConnectorScene } from '../../../core/src/testing/connectors/connector-scene.ts';
import { fakeOpenai } from '../../../plugins/ai-remediator/src/server/testing/fake-openai.ts';
import { fakeAws } from '../../../plugins/cloud/src/server/testing/fake-aws.ts';
import { fakeAzure } from '../../../plugins/cloud/src/server/testing/fake-azure.ts';
import { fakeGcp } from '../../../plugins/cloud/src/server/testing/fake-gcp.ts';
import { fakeOci } from '../../../plugins/cloud/src/server/testing/fake-oci.ts';
import { fakeCheckmarx } from '../../../plugins/scanners/src/server/testing/fake-checkmarx.ts';
import { fakeFortify, fakeIssue } from '../../../plugins/scanners/src/server/testing/fake-fortify.ts';
import { sampleBytes } from '../../../plugins/scanners/src/server/testing/samples.ts';
import { createFakeBitbucket } from '../../../plugins/scm-bitbucket/src/server/testing/fake-bitbucket.ts';
import { createFakeGitea } from '../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { createFakeGithub } from '../../../plugins/scm-github/src/server/testing/fake-github.ts';
import { createFakeGitlab } from '../../../plugins/scm-gitlab/src/server/testing/fake-gitlab.ts';
import { createFakeJira } from '../../../plugins/tickets/src/server/testing/fake-jira.ts';

/** One connector of ours: what is entered, what the provider knows, and who it says we are. */
interface Case {
  readonly values: Readonly<Record<string, unknown>>;
  readonly fake: TestAnswers;
  readonly identity: string;
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' });
const token = 'token-for-tests-only-0123456789';
const uuid = (digit: string) =>
  `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
const email = 'scanner@acme-prod.iam.gserviceaccount.com';
const ocid = (kind: string) => `ocid1.${kind}.oc1..aaaaaaaa${kind}`;
const report = sampleBytes('checkmarx/checkmarx__multiple_findings.xml').toString('utf8');
/** The clock of the server is the machine's own; so is that of a provider, at each request: signatures of the past are refused. */
const atItsTime =
  (make: (now: Date) => TestAnswers): TestAnswers =>
  (request) =>
    make(new Date())(request);

/** The two issues of the sample report, as Fortify's list gives them. */
const ISSUES = [
  fakeIssue(1, {
    instanceId: '53C25D2FC6950554F16D3CEF9E41EF6F',
    category: 'Privilege Management: Unnecessary Permission',
    kingdom: 'Security Features',
    primaryLocationFull:
      'app/build/intermediates/bundle_manifest/developDebug/processDevelopDebugManifest/bundle-manifest/AndroidManifest.xml',
    lineNumber: 11,
  }),
  fakeIssue(2, {
    instanceId: 'DCCBF8C4004DBEC817ACC013EB7D24EF',
    category: 'Null Dereference',
    primaryLocationFull: 'app/build/generated/source/kapt/developDebug/com/redacted/redacted/redacted.java',
    lineNumber: 28,
  }),
];

const CASES: Readonly<Record<string, Case>> = {
  aws: {
    values: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    fake: atItsTime((now) =>
      fakeAws({ id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', isActive: true }, now),
    ),
    identity: '123456789012',
  },
  azure: {
    values: { client_id: uuid('1'), client_secret: token, subscription_id: uuid('2'), tenant_id: uuid('3') },
    fake: fakeAzure({
      application: uuid('1'),
      secret: token,
      subscription: uuid('2'),
      tenant: uuid('3'),
      owner: uuid('3'),
      hasRole: true,
      state: 'Enabled',
    }),
    identity: 'Example Subscription',
  },
  gcp: {
    values: {
      service_account: 'scanner',
      project_id: 'acme-prod',
      client_email: email,
      application_credentials: JSON.stringify({
        type: 'service_account',
        project_id: 'acme-prod',
        private_key_id: 'abc',
        private_key: pem,
        client_email: email,
      }),
    },
    fake: atItsTime((now) =>
      fakeGcp(
        {
          email,
          keyId: 'abc',
          publicKey: rsa.publicKey,
          isEnabled: true,
          project: 'acme-prod',
          mayView: true,
          apiEnabled: true,
          state: 'ACTIVE',
        },
        now,
      ),
    ),
    identity: 'acme-prod',
  },
  oracle_oci: {
    values: {
      tenancy_id: ocid('tenancy'),
      compartment_id: ocid('compartment'),
      user_id: ocid('user'),
      key_fingerprint: Array.from({ length: 16 }, () => 'ab').join(':'),
      key_value: pem,
    },
    fake: atItsTime((now) =>
      fakeOci(
        {
          tenancy: ocid('tenancy'),
          compartment: ocid('compartment'),
          user: ocid('user'),
          fingerprint: Array.from({ length: 16 }, () => 'ab').join(':'),
          publicKey: rsa.publicKey,
          compartmentState: 'ACTIVE',
          region: 'us-ashburn-1',
        },
        now,
      ),
    ),
    identity: 'acme',
  },
  github: {
    values: { oauth_token: token, installation_id: '42' },
    fake: createFakeGithub({
      token,
      installations: [{ id: 42, permissions: { contents: 'read', metadata: 'read' } }],
    }).answer,
    identity: 'mona',
  },
  gitlab: {
    values: { oauth_token: token, refresh_token: token },
    fake: createFakeGitlab({ token, scopes: ['api'], projects: 1 }).answer,
    identity: 'john_smith',
  },
  bitbucket_cloud: {
    values: { oauth_token: token, refresh_token: token, workspaces: 'acme' },
    fake: createFakeBitbucket({
      token,
      scopes: ['account', 'repository'],
      workspaces: ['acme'],
      repositories: 1,
    }).answer,
    identity: 'evzijst',
  },
  gitea: {
    values: { oauth_token: token, hosted_domain: 'gitea.example.com' },
    fake: createFakeGitea({ token }).answer,
    identity: 'gopher',
  },
  ai_remediator: {
    values: {
      type: 'openai',
      api_key: token,
      deployment_name: 'gpt-4.1',
      base_url: 'https://api.openai.com',
      version: 'v1',
    },
    fake: fakeOpenai({ key: token, model: 'gpt-4.1', isChatModel: true, pieces: [], lineEnd: '\n' }),
    identity: 'gpt-4.1',
  },
  ai_validation: {
    values: {
      openai_type: 'openai',
      openai_api_key: token,
      openai_deployment_name: 'gpt-4.1',
      openai_base_url: 'https://api.openai.com',
      openai_version: 'v1',
    },
    fake: fakeOpenai({ key: token, model: 'gpt-4.1', isChatModel: true, pieces: [], lineEnd: '\n' }),
    identity: 'gpt-4.1',
  },
  webhook: {
    values: { url: 'https://tickets.example.com/in?sig=1', mapping: { summary: 'title' } },
    fake: () => ({ status: 202 }),
    identity: 'tickets.example.com',
  },
  jira_cloud: {
    values: {
      base_url: 'https://acme.atlassian.net',
      email: 'ada@example.com',
      api_token: token,
      project: 'SEC',
      issue_type: 'Bug',
    },
    fake: createFakeJira({ edition: 'cloud', token }).answer,
    identity: 'SEC at acme.atlassian.net',
  },
  jira_data_center: {
    values: { base_url: 'https://jira.example.com', access_token: token, project: 'SEC', issue_type: 'Bug' },
    fake: createFakeJira({ edition: 'data-center', token }).answer,
    identity: 'SEC at jira.example.com',
  },
  semgrep_cli: {
    values: { token },
    fake: () => ({ json: { deployment: { id: 1, name: 'acme' } } }),
    identity: 'acme',
  },
  fortify: {
    values: { client_id: 'key', client_secret: token, release_id: '7' },
    fake: fakeFortify({ key: 'key', secret: token, release: '7', mayRead: true, issues: ISSUES }),
    identity: 'Shop',
  },
  checkmarx: {
    values: {
      client_id: 'resource_owner_client',
      client_secret: token,
      username: 'reader',
      password: token,
      base_url: 'https://checkmarx.example.com',
      team_id: 5,
    },
    fake: fakeCheckmarx({
      clientId: 'resource_owner_client',
      clientSecret: token,
      username: 'reader',
      password: token,
      team: 5,
      projects: [{ id: 1, name: 'Webgoat', report }],
      slowness: 1,
    }),
    identity: 'reader',
  },
};

const services: TestService[] = [];
let scene: ConnectorScene;

beforeAll(async () => {
  const environment: Record<string, string> = { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'false' };
  for (const [id, { fake }] of Object.entries(CASES)) {
    const service = await startTestService(fake);
    services.push(service);
    environment[`${id.toUpperCase()}_BASE_URL`] = service.url.origin;
  }
  scene = await startConnectorScene({ environment, isWorking: true });
});

afterAll(async () => {
  await scene.close();
  await Promise.all(services.map((service) => service.close()));
});

describe.each(Object.entries(CASES))('%s in the product', (id, { values, identity }) => {
  test('is connected once the provider says who we are', async () => {
    const saved = await scene.save(id, values);
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const { state, state_detail: detail, is_configured: isConfigured } = await scene.attributes(id);
    expect({ state, isConfigured, message: detail.message }).toEqual({
      state: expect.stringMatching(/connected|syncing/),
      isConfigured: true,
      message: null,
    });
    expect(detail.identity).toContain(identity);
  });
});

describe.each([
  ['fortify', 'Shop 2.1', 2, 'fortify/fortify_few_findings.xml'],
  ['checkmarx', 'Webgoat', 3, 'checkmarx/checkmarx__multiple_findings.xml'],
])('the findings of %s', (id, application, count, file) => {
  const total = async (): Promise<number> =>
    (await scene.server.call('GET', `/findings?filters[tool]=${id}`, { as: 'admin' })).body.meta.pagination.total;

  test('are pulled', async () => {
    await scene.call('POST', id, '/sync');
    await expect.poll(async () => (await scene.attributes(id)).last_sync, { timeout: 150_000 }).not.toBeNull();
    await expect.poll(total, { timeout: 150_000 }).toBe(count);
  });

  test('are the findings of the same report, uploaded', async () => {
    const [row] = await scene.rows<{ id: string }>('select id from repositories where nickname = $1', [application]);
    const body = { tool: id, ext: 'xml', file: sampleBytes(file).toString('base64') };
    const answer = await scene.server.call('POST', `/upload_scan/${row?.id}?wait=240`, { as: 'admin', body });
    expect(answer.body.data?.counts, JSON.stringify(answer.body)).toMatchObject({
      total: count,
      new: 0,
      unchanged: count,
      closed: 0,
    });
    expect(await total()).toBe(count);
  });
});
