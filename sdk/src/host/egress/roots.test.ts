import { expect, test } from 'vitest';
import { connectorWith } from '../testing/host-connection.ts';
import { egressRules, isAllowed } from './egress-rules.ts';
import { fillTemplate, originsOf, rootOf } from './roots.ts';

const FORM = {
  type: 'object',
  properties: {
    protocol: { type: 'string', enum: ['http', 'https'], default: 'https' },
    hosted_domain: { type: 'string', title: 'Hosted domain' },
    port: { type: 'integer', title: 'Port' },
    hosted_url: { type: 'string', title: 'Hosted URL' },
    project: { type: 'string', title: 'Project' },
    token: { type: 'string', title: 'Token', writeOnly: true },
  },
} as const;
const connector = (baseUrl: string, egress: string[] = []) =>
  connectorWith({ credentials: FORM, baseUrl, permissions: { egress }, auth: { type: 'none' } });
const root = (baseUrl: string, config: Record<string, unknown> = {}, override?: string): string => {
  const baseUrlOverride = override === undefined ? undefined : new URL(override);
  const { origin, path } = rootOf({ connector: connector(baseUrl), config, baseUrlOverride });
  return `${origin}${path}`;
};

test.each([
  ['https://api.example.com', {}, 'https://api.example.com'],
  ['https://api.example.com/v1/', {}, 'https://api.example.com/v1'],
  ['{{protocol}}://{{hosted_domain}}:{{port}}/api', { hosted_domain: 'g.test', port: 3000 }, 'https://g.test:3000/api'],
  ['{{hosted_url}}/api/v4', { hosted_url: 'https://gitlab.test/' }, 'https://gitlab.test/api/v4'],
  ['{{hosted_url}}/api/v4', { hosted_url: ' https://gitlab.test/sub/ ' }, 'https://gitlab.test/sub/api/v4'],
  ['https://x.test/{{project}}/v1', { project: 'a/../b c' }, 'https://x.test/a%2F..%2Fb%20c/v1'],
])('%s with %j is %s', (template, config, expected) => {
  expect(root(template, config)).toBe(expected);
});

test.each([
  ['{{hosted_url}}/api', {}, 'The field "Hosted URL" is empty.'],
  ['{{hosted_url}}/api', { hosted_url: '  ' }, 'The field "Hosted URL" is empty.'],
  ['{{hosted_url}}/api', { hosted_url: ['https://a.test'] }, 'The field "Hosted URL" is empty.'],
  ['{{hosted_url}}/api', { hosted_url: 'gitlab.test' }, '"Hosted URL" is not an address that can be called.'],
  ['{{hosted_url}}/api', { hosted_url: 'https://a@g.test' }, '"Hosted URL" must not hold a user name or password.'],
  [
    '{{hosted_url}}/api',
    { hosted_url: 'https://a:b@gitlab.test' },
    '"Hosted URL" must not hold a user name or password.',
  ],
  [
    'https://{{hosted_domain}}',
    { hosted_domain: 'https://g.test' },
    '"Hosted domain" is not an address that can be called.',
  ],
  [
    'https://{{hosted_domain}}',
    { hosted_domain: 'g.test/x?y=' },
    '"Hosted domain" is not an address that can be called.',
  ],
  ['https://{{hosted_domain}}', { hosted_domain: 'g test' }, '"Hosted domain" is not an address that can be called.'],
  ['https://{{token}}', { token: 'secret.test' }, 'The field "Token" is empty.'],
])('%s with %j says what is wrong', (template, config, message) => {
  expect(() => root(template, config)).toThrow(expect.objectContaining({ code: 'config', message }));
});

test('an operator’s address takes the place of the origin', () => {
  expect(root('https://api.github.com', {}, 'http://localhost:9000')).toBe('http://localhost:9000');
  expect(root('https://api.github.com', {}, 'https://ghe.test/api/v3')).toBe('https://ghe.test/api/v3');
  expect(root('{{hosted_url}}/api/v4', { hosted_url: 'https://gitlab.com' }, 'http://[::1]:1')).toBe(
    'http://[::1]:1/api/v4',
  );
  expect(root('{{hosted_url}}/api/v4', {}, 'http://10.0.0.5/api/v4')).toBe('http://10.0.0.5/api/v4');
  expect(root('https://{{hosted_domain}}/api', {}, 'http://10.0.0.5')).toBe('http://10.0.0.5/api');
});

test('origins say where secrets may go', () => {
  const oauth = connectorWith({
    credentials: FORM,
    baseUrl: '{{hosted_url}}/api/v4',
    services: { login: 'https://login.test/x', other: 'https://{{project}}.test' },
    auth: { type: 'oauth2', authorizeUrl: '{{hosted_url}}/a', tokenUrl: 'https://token.test/t', scopes: [] },
  });
  const config = { hosted_url: 'https://GitLab.test:443/x' };
  expect(originsOf(oauth, config)).toEqual(['https://gitlab.test', 'https://login.test', 'https://token.test']);
  expect(originsOf(oauth, config, new URL('http://127.0.0.1:9000'))).toEqual(['http://127.0.0.1:9000']);
  expect(originsOf(connectorWith({ auth: { type: 'none' } }), {})).toEqual([]);
});

test('the allow-list knows wildcards, ports and the form', () => {
  const service = {
    connector: connector('https://{{hosted_domain}}:{{port}}', [
      '{{hosted_domain}}',
      '*.cdn.test',
      'b.test:8443',
      '{{project}}',
    ]),
    config: { hosted_domain: 'Git.test.', port: 3000 },
  };
  const allowed = (address: string): boolean => isAllowed(egressRules(service), new URL(address));
  for (const address of [
    'https://git.test:3000/',
    'https://git.test/',
    'https://GIT.TEST./',
    'https://a.cdn.test/',
    'https://a.b.cdn.test/',
    'https://b.test:8443/',
  ]) {
    expect([address, allowed(address)]).toEqual([address, true]);
  }
  for (const address of [
    'https://git.test:22/',
    'https://cdn.test/',
    'https://evilcdn.test/',
    'https://a.cdn.test:8443/',
    'https://b.test/',
    'https://git.test.evil.test/',
    'https://undefined/',
  ]) {
    expect([address, allowed(address)]).toEqual([address, false]);
  }
});

test('templates are look-ups, and never those of an object’s own', () => {
  const values = { schema: FORM, values: { project: 'a$&b' } };
  expect(fillTemplate('x-{{project}}-{{project}}', values, encodeURIComponent)).toBe('x-a%24%26b-a%24%26b');
  expect(() => fillTemplate('{{constructor}}', values)).toThrow('The field "constructor" is empty.');
  expect(() => fillTemplate('{{__proto__}}', values)).toThrow('is empty.');
});
