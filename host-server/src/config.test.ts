import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const issuesOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment, '/srv');
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
};

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({}, '/srv')).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    dataDirectory: '/srv/.breakwater',
    databaseUrl: undefined,
    secretKeys: undefined,
    firstAdmin: undefined,
    maxReportBytes: 512 * 1024 * 1024,
    trustedProxies: [],
  });
});

test('every error is listed at once, without repeating secrets', () => {
  const issues = issuesOf({
    PORT: 'eighty',
    DATABASE_URL: 'mysql://root:hunter2@db',
    BREAKWATER_PUBLIC_URL: 'example.test',
    BREAKWATER_SECRET_KEY: 'c2hvcnQ=',
    BREAKWATER_ADMIN_EMAIL: 'admin@example.test',
    BREAKWATER_ALLOW_PRIVATE_HOSTS: 'perhaps',
    BREAKWATER_MAX_REPORT_MB: '0',
    LOG_LEVEL: 'loud',
    EPSS_FEED_URL: 'http://feed.example.test/epss.csv.gz?key=hunter2',
    BREAKWATER_TRUSTED_PROXIES: '10.0.0.1, my-proxy, 10.0.0.0/33',
    BREAKWATER_ALLOWED_HOSTS: 'ok.example.test, https://no.example.test, *.example.test',
    BREAKWATER_METRICS_TOKEN: 'hunter2',
  });
  expect(issues).toHaveLength(14);
  expect(issues.join('\n')).not.toContain('hunter2');
});

test('a direct address of the database belongs to a pooler, and is never repeated', () => {
  const direct = 'postgresql://breakwater:hunter2@db';
  expect(issuesOf({ DATABASE_URL: 'postgresql://pooler', DATABASE_DIRECT_URL: direct })).toEqual([]);
  expect(issuesOf({ DATABASE_DIRECT_URL: direct })).toEqual([
    'DATABASE_DIRECT_URL needs DATABASE_URL, which names the pooler in front of it.',
  ]);
  expect(issuesOf({ DATABASE_REPLICA_URL: direct })).toEqual([
    'DATABASE_REPLICA_URL needs DATABASE_URL, which names the server that it replicates.',
  ]);
});

test.each([
  'https://example.test/app',
  'https://example.test/?x=1',
  'https://example.test/#x',
  'https://me:hunter2@example.test',
])('a public address is that of a host: %s is refused', (address) => {
  expect(issuesOf({ BREAKWATER_PUBLIC_URL: address })).toEqual([
    'BREAKWATER_PUBLIC_URL must be an address without a path: https://breakwater.example.org',
  ]);
  expect(issuesOf({ BREAKWATER_PUBLIC_URL: 'https://example.test/' })).toEqual([]);
});

test('accounts, keys and flags are read', () => {
  const key = Buffer.alloc(32, 7);
  const config = readConfig(
    {
      BREAKWATER_ADMIN_EMAIL: 'a@example.test',
      BREAKWATER_ADMIN_PASSWORD: 'Tr0ub4dor&3',
      BREAKWATER_ORGANIZATION: 'Example',
      BREAKWATER_SECRET_KEY: `${key.toString('base64')},${Buffer.alloc(32, 8).toString('base64')}`,
      BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true',
      BREAKWATER_TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16',
      KEV_FEED_URL: 'https://feed.example.test/kev.json',
      PORT: '0',
    },
    '/srv',
  );
  expect(config.firstAdmin).toEqual({ email: 'a@example.test', password: 'Tr0ub4dor&3', organizationName: 'Example' });
  expect([...config.feedUrls].map(([source, url]) => [source, url.href])).toEqual([
    ['kev', 'https://feed.example.test/kev.json'],
  ]);
  expect(config.secretKeys?.[0]?.equals(key)).toBe(true);
  expect(config).toMatchObject({ allowPrivateHosts: true, port: 0, trustedProxies: ['10.0.0.1', '192.168.0.0/16'] });
});

test("every provider's address is a setting, and errors of them are listed", () => {
  const config = readConfig(
    { GITHUB_BASE_URL: 'http://127.0.0.1:3000/api', KICS_CI_CD_BASE_URL: '', PATH: '/bin' },
    '/srv',
  );
  expect([...config.providerBaseUrls].map(([name, url]) => [name, url.href])).toEqual([
    ['GITHUB', 'http://127.0.0.1:3000/api'],
  ]);
  const issues = issuesOf({
    GITHUB_BASE_URL: 'ftp://x',
    GITEA_BASE_URL: 'secret-token',
    BREAKWATER_PLUGINS_DIR: 'nowhere',
  });
  expect(issues).toHaveLength(3);
  expect(issues.join()).not.toContain('secret-token');
});

test('newest versions are looked up at deps.dev, or where the operator says', () => {
  const of = (environment: Record<string, string>) => {
    const { address, isTrusted } = readConfig(environment, '/srv').packageService;
    return [address.href, isTrusted];
  };
  expect(of({})).toEqual(['https://api.deps.dev/', false]);
  expect(of({ DEPS_DEV_BASE_URL: 'http://10.0.0.7:8080/deps' })).toEqual(['http://10.0.0.7:8080/deps', true]);
  expect(issuesOf({ DEPS_DEV_BASE_URL: 'mirror' })).toHaveLength(1);
});

test('the registration at a provider is an id and a secret', () => {
  const given = { GITLAB_OAUTH_CLIENT_ID: 'breakwater', GITLAB_OAUTH_CLIENT_SECRET: 'hush-hush' };
  expect([...readConfig(given, '/srv').oauthClients]).toEqual([
    ['GITLAB', { clientId: 'breakwater', clientSecret: 'hush-hush' }],
  ]);
  const issues = issuesOf({ GITLAB_OAUTH_CLIENT_SECRET: 'hush-hush' });
  expect(issues).toEqual([expect.stringMatching(/GITLAB_OAUTH_CLIENT_ID and .* belong together/)]);
  expect(issues.join()).not.toContain('hush-hush');
  const app = { GITHUB_OAUTH_CLIENT_ID: 'a', GITHUB_OAUTH_CLIENT_SECRET: 'b', GITHUB_OAUTH_APP: 'our-app' };
  expect(readConfig(app, '/srv').oauthClients.get('GITHUB')).toEqual({
    clientId: 'a',
    clientSecret: 'b',
    app: 'our-app',
  });
  expect(issuesOf({ ...app, GITHUB_OAUTH_APP: 'our/app' })).toEqual([expect.stringMatching(/GITHUB_OAUTH_APP must/)]);
  expect(issuesOf({ GITHUB_OAUTH_APP: 'our-app' })).toEqual([expect.stringMatching(/GITHUB_OAUTH_APP needs them/)]);
});

test("the operator's own folder of plugins is found from where the server starts", () => {
  const folder = path.join(import.meta.dirname, '..');
  expect(readConfig({ BREAKWATER_PLUGINS_DIR: 'src' }, folder).pluginsDirectory).toBe(path.join(folder, 'src'));
  expect(readConfig({}, folder).pluginsDirectory).toBeUndefined();
});

test('state may be changed under the hosts that are named, that of the public URL and the one listened on', () => {
  const hosts = (environment: Record<string, string>) => readConfig(environment, '/srv').allowedHosts;
  expect(hosts({ HOST: '0.0.0.0' })).toEqual([]);
  expect(hosts({ HOST: '::1', BREAKWATER_PUBLIC_URL: 'https://BW.example.test:8443' })).toEqual([
    '[::1]',
    'bw.example.test',
  ]);
  expect(hosts({ HOST: '10.0.0.7', BREAKWATER_ALLOWED_HOSTS: 'Build.example.test, 10.0.0.8' })).toEqual([
    'build.example.test',
    '10.0.0.8',
    '10.0.0.7',
  ]);
});

test('terms are the text of a file, and sign-in by Google has an issuer; what is wrong is said', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'terms-'));
  await writeFile(path.join(folder, 'terms.md'), '# Terms');
  const google = { GOOGLE_SIGN_IN_CLIENT_ID: '1-a.apps.googleusercontent.com' };
  expect(readConfig({ BREAKWATER_TERMS_FILE: 'terms.md', ...google }, folder)).toMatchObject({
    terms: '# Terms',
    google: { clientId: '1-a.apps.googleusercontent.com', issuer: 'https://accounts.google.com' },
  });
  expect(readConfig({ ...google, GOOGLE_BASE_URL: 'http://127.0.0.1:9/' }).google?.issuer).toBe('http://127.0.0.1:9');
  expect(readConfig({ GOOGLE_BASE_URL: 'http://127.0.0.1:9/' }).google).toBeUndefined();
  const wrong = { BREAKWATER_TERMS_FILE: 'none.md', GOOGLE_SIGN_IN_CLIENT_ID: 'a b' };
  expect(() => readConfig(wrong, folder)).toThrow(/GOOGLE_SIGN_IN_CLIENT_ID must.*BREAKWATER_TERMS_FILE must/s);
  await rm(folder, { recursive: true });
});

test('Stripe needs a key and the secret of its events, and neither is repeated', () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_test_hush', STRIPE_WEBHOOK_SECRET: 'whsec_hush' };
  expect(readConfig(keys, '/srv').stripe).toEqual({ secretKey: 'sk_test_hush', webhookSecret: 'whsec_hush' });
  expect(readConfig({}, '/srv').stripe).toBeUndefined();
  expect(issuesOf({ STRIPE_SECRET_KEY: 'sk_test_hush' })).toEqual([expect.stringMatching(/belong together/)]);
  const wrong = issuesOf({ STRIPE_SECRET_KEY: 'pk_test_hush', STRIPE_WEBHOOK_SECRET: 'hush' });
  expect(wrong).toHaveLength(2);
  expect(wrong.join()).not.toContain('hush');
});

test('Canny needs a key and a board, and the key is not repeated', () => {
  const keys = { CANNY_PRIVATE_KEY: 'hush-hush-hush-hush', CANNY_BOARD_TOKEN: 'board-1' };
  expect(readConfig(keys, '/srv').canny).toEqual({
    privateKey: 'hush-hush-hush-hush',
    boardToken: 'board-1',
    origin: 'https://canny.io',
  });
  expect(readConfig({ ...keys, CANNY_BASE_URL: 'https://canny.example/' }, '/srv').canny?.origin).toBe(
    'https://canny.example',
  );
  expect(readConfig({}, '/srv').canny).toBeUndefined();
  expect(issuesOf({ CANNY_PRIVATE_KEY: 'hush-hush-hush-hush' })).toEqual([expect.stringMatching(/belong together/)]);
  const wrong = issuesOf({ CANNY_PRIVATE_KEY: 'hush', CANNY_BOARD_TOKEN: 'board 1' });
  expect(wrong).toHaveLength(2);
  expect(wrong.join(' ')).not.toContain('hush');
});

test('use is measured with an instrumentation key alone', () => {
  const key = '5f9c1a52-8a71-4a9a-9d5e-0d7c4d7c4b11';
  expect(readConfig({ BREAKWATER_INSTRUMENTATION_KEY: key }, '/srv').usage).toEqual({
    instrumentationKey: key,
    endpoint: new URL('https://dc.services.visualstudio.com'),
  });
  expect(readConfig({ BREAKWATER_INSTRUMENTATION_KEY: '' }, '/srv').usage).toBeUndefined();
  expect(issuesOf({ BREAKWATER_INSTRUMENTATION_KEY: 'mine' })).toEqual([expect.stringMatching(/UUID/)]);
});

test('the Microsoft Marketplace needs tenant, application and secret, and the secret is not repeated', () => {
  const id = '01234567-89AB-cdef-0123-456789abcdef';
  const keys = {
    MICROSOFT_MARKETPLACE_TENANT_ID: id,
    MICROSOFT_MARKETPLACE_CLIENT_ID: id,
    MICROSOFT_MARKETPLACE_CLIENT_SECRET: 'hush',
  };
  const known = { tenantId: id.toLowerCase(), clientId: id.toLowerCase(), clientSecret: 'hush' };
  expect(readConfig(keys, '/srv').microsoftMarketplace).toEqual(known);
  expect(readConfig({}, '/srv').microsoftMarketplace).toBeUndefined();
  expect(issuesOf({ MICROSOFT_MARKETPLACE_CLIENT_SECRET: 'hush' })).toEqual([expect.stringMatching(/belong together/)]);
  const wrong = issuesOf({ ...keys, MICROSOFT_MARKETPLACE_TENANT_ID: 'harbour' });
  expect(wrong).toEqual([expect.stringMatching(/ids that Entra ID shows/)]);
  expect(wrong.join()).not.toContain('hush');
});
