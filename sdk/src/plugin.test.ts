import { describe, expect, it } from 'vitest';
import { type AnyConnectorSpec, monogram, withDefaults } from './connector.ts';
import { definePlugin, PluginError, readManifest } from './plugin.ts';
import { defineServer } from './server.ts';

const gitea: AnyConnectorSpec = {
  id: 'gitea',
  title: 'Gitea',
  category: 'source-control',
  image: monogram('Gi'),
  description: 'Reads repositories and opens pull requests on a Gitea server.',
  credentials: {
    type: 'object',
    required: ['oauth_token', 'hosted_domain'],
    properties: {
      oauth_token: { type: 'string', title: 'Token', writeOnly: true },
      hosted_domain: { type: 'string', title: 'Domain' },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
    },
  },
  auth: { type: 'bearer', value: '{{oauth_token}}' },
  baseUrl: 'https://{{hosted_domain}}/api/v1',
  permissions: { egress: ['{{hosted_domain}}'] },
};
const grype: AnyConnectorSpec = {
  id: 'grype',
  title: 'Grype',
  category: 'container-security',
  image: monogram('Gr'),
  description: 'Finds known vulnerabilities in container images.',
  parser: { tool: 'grype', family: 'Container' },
};

type Change = Record<string, unknown>;

/** A sound plugin, with changes to the plugin, to its gitea connector or to that connector's form. */
function manifest(change: { plugin?: Change; gitea?: Change; fields?: Change; required?: string[] }): unknown {
  const credentials = {
    type: 'object',
    required: change.required ?? gitea.credentials?.required,
    properties: { ...gitea.credentials?.properties, ...change.fields },
  };
  return {
    id: 'demo',
    version: '1.0.0',
    connectors: [{ ...gitea, credentials, ...change.gitea }, grype],
    importers: [{ tool: 'grype', title: 'Grype' }],
    ...change.plugin,
  };
}

function issuesOf(spec: unknown): readonly string[] {
  try {
    readManifest(spec);
    return [];
  } catch (error) {
    if (error instanceof PluginError) return error.issues;
    throw error;
  }
}

describe('readManifest', () => {
  it('accepts a sound manifest, fills in defaults and freezes it through and through', () => {
    const plugin = readManifest(manifest({}));
    expect(plugin).toMatchObject({ id: 'demo', api: '1' });
    expect(plugin.connectors[1]).toMatchObject({
      credentials: { type: 'object', properties: {} },
      auth: { type: 'none' },
      permissions: { egress: [] },
    });
    expect(Object.isFrozen(plugin.connectors[0]?.credentials.properties['oauth_token'])).toBe(true);
  });

  it('reads what it wrote', () => {
    const plugin = readManifest(manifest({}));
    expect(readManifest(plugin)).toEqual(plugin);
  });

  const here = 'plugin "demo", connector "gitea"';
  it.each<[string, Parameters<typeof manifest>[0], string]>([
    ['a plugin id in capitals', { plugin: { id: 'Demo' } }, 'plugin "Demo", field "id": must match pattern'],
    ['a version that is none', { plugin: { version: '1' } }, 'plugin "demo", field "version": must match pattern'],
    [
      'another contract',
      { plugin: { api: '2' } },
      'plugin "demo", field "api": it was made for version 2 of the SDK, and this Breakwater speaks 1',
    ],
    ['an unknown field', { gitea: { scmm: true } }, `${here}, field "scmm": is not a known field`],
    ['a missing title', { gitea: { title: undefined } }, `${here}, field "title"`],
    [
      'an unknown category',
      { gitea: { category: 'scm' } },
      `${here}, field "category": must be one of source-control,`,
    ],
    ['a picture from the web', { gitea: { image: 'https://example.com/a.png' } }, `${here}, field "image"`],
    ['documentation without https', { gitea: { documentation: 'http://a.example' } }, `${here}, field "documentation"`],
    [
      'a form of another type',
      { gitea: { credentials: { type: 'array', properties: {} } } },
      `${here}, field "credentials.type": must be "object"`,
    ],
    [
      'a field of unknown type',
      { fields: { port: { type: 'float' } } },
      `${here}, credential field "port.type": must be one of string, number, integer, boolean, array, object`,
    ],
    [
      'a field with an unknown keyword',
      { fields: { port: { type: 'integer', writeonly: true } } },
      `${here}, credential field "port.writeonly": is not a known field`,
    ],
    [
      'an unknown auth',
      { gitea: { auth: { type: 'digest' } } },
      `${here}, field "auth.type": must be one of none, bearer`,
    ],
    [
      'a rule that is no function',
      { gitea: { isConfigured: true } },
      `${here}, field "isConfigured": must be a function`,
    ],
    [
      'a required field that does not exist',
      { required: ['oauth_token', 'domain'] },
      `${here}, field "credentials.required": "domain" is not among the properties`,
    ],
    [
      'a secret without writeOnly',
      { fields: { oauth_token: { type: 'string' } } },
      `${here}, credential field "oauth_token": looks like a secret: set writeOnly: true`,
    ],
    [
      'a secret that is a number',
      { fields: { password: { type: 'integer' } } },
      `${here}, credential field "password": looks like a secret: use type "string"`,
    ],
    [
      'a secret with a default',
      { fields: { oauth_token: { type: 'string', writeOnly: true, default: 'x' } } },
      `${here}, credential field "oauth_token": a secret must not have a default`,
    ],
    [
      'a default that is no choice',
      { fields: { region: { type: 'string', enum: ['eu', 'us'], default: 'asia' } } },
      `${here}, credential field "region": default "asia" is not one of the choices`,
    ],
    [
      'a broken pattern',
      { fields: { region: { type: 'string', pattern: '(' } } },
      `${here}, credential field "region": pattern is not a regular expression`,
    ],
    [
      'a field name in camel case',
      { fields: { hostName: { type: 'string' } } },
      `${here}, credential field "hostName": must be named in lower case`,
    ],
    [
      'an unknown template in baseUrl',
      { gitea: { baseUrl: 'https://{{domain}}/api', permissions: { egress: ['{{hosted_domain}}'] } } },
      `${here}, field "baseUrl": {{domain}} is not a field of the form`,
    ],
    [
      'a secret in baseUrl',
      { gitea: { baseUrl: 'https://{{hosted_domain}}/{{oauth_token}}' } },
      `${here}, field "baseUrl": {{oauth_token}} is a secret, which may stand in auth only`,
    ],
    [
      'a baseUrl without https',
      { gitea: { baseUrl: 'http://git.example' } },
      `${here}, field "baseUrl": must be https://`,
    ],
    [
      'a host outside egress',
      { gitea: { baseUrl: 'https://api.example.com' } },
      `${here}, field "baseUrl": "api.example.com" is not among permissions.egress`,
    ],
    ['a signed connector without baseUrl', { gitea: { baseUrl: undefined } }, `${here}, field "baseUrl"`],
    [
      'auth with an unknown template',
      { gitea: { auth: { type: 'bearer', value: '{{token}}' } } },
      `${here}, field "auth.value": {{token}} is not a field of the form`,
    ],
    [
      'auth without a secret',
      { gitea: { auth: { type: 'bearer', value: '{{hosted_domain}}' } } },
      `${here}, field "auth.value": uses no secret of the form`,
    ],
    [
      'code in a template',
      { gitea: { auth: { type: 'bearer', value: '{{oauth_token}}{{ a + b }}' } } },
      `${here}, field "auth.value": "{{oauth_token}}{{ a + b }}" holds a template that is not {{field}}`,
    ],
    [
      'an OAuth address without https',
      { gitea: { auth: { type: 'oauth2', authorizeUrl: 'http://a.b/x', tokenUrl: 'https://a.b/y', scopes: [] } } },
      `${here}, field "auth.authorizeUrl": must be an https address`,
    ],
    [
      'a revealed field that is no secret',
      { gitea: { permissions: { egress: ['{{hosted_domain}}'], reveal: ['hosted_domain'] } } },
      `${here}, field "permissions.reveal": "hosted_domain" is not a secret of the form`,
    ],
    [
      'an importer that does not exist',
      { gitea: { parser: { tool: 'semgrep', family: 'SAST' } } },
      `${here}, field "parser.tool": "semgrep" is not among the plugin's importers`,
    ],
    [
      'a card that has the name of another importer',
      {
        gitea: { parser: { tool: 'grype', family: 'SCA' } },
        plugin: {
          importers: [
            { tool: 'grype', title: 'Grype' },
            { tool: 'gitea', title: 'Gitea' },
          ],
        },
      },
      `${here}, field "parser.tool": "gitea" is an importer, so the card must use it`,
    ],
    ['an unknown family', { gitea: { parser: { tool: 'grype', family: 'Code' } } }, `${here}, field "parser.family"`],
    [
      'an id used twice',
      { gitea: { id: 'grype' } },
      'plugin "demo", connector "grype", field "id": "grype" is used twice',
    ],
    [
      'an address used twice',
      { gitea: { title: 'GRYPE', category: 'container-security' } },
      'plugin "demo", connector "grype", field "title": "container-security/grype" is used twice',
    ],
    [
      'an importer given twice',
      {
        plugin: {
          importers: [
            { tool: 'grype', title: 'Grype' },
            { tool: 'grype', title: 'G' },
          ],
        },
      },
      'plugin "demo", importer "grype", field "tool": "grype" is used twice',
    ],
  ])('refuses %s and says where', (_, change, issue) => {
    const issues = issuesOf(manifest(change));
    expect(issues.filter((text) => text.startsWith(issue))).toHaveLength(1);
  });

  it.each([
    '*',
    '*.com',
    'https://a.example',
    'a.example/path',
    'localhost',
    '10.0.0.1',
    'a.example:port',
    'a b.example',
  ])('refuses %s as a host', (host) => {
    const issues = issuesOf(manifest({ gitea: { permissions: { egress: ['{{hosted_domain}}', host] } } }));
    expect(issues).toEqual([expect.stringContaining('field "permissions.egress"')]);
  });

  it.each([
    ['https://api.example.com/v1', 'api.example.com'],
    ['https://eu.api.example.com', '*.example.com'],
    ['https://api.example.com:8443', 'api.example.com:8443'],
    ['https://{{hosted_domain}}:{{port}}', '{{hosted_domain}}:{{port}}'],
    ['{{hosted_domain}}/rest', '{{hosted_domain}}'],
  ])('takes %s with egress to %s', (baseUrl, host) => {
    expect(issuesOf(manifest({ gitea: { baseUrl, permissions: { egress: [host] } } }))).toEqual([]);
  });

  it('lists all issues at once', () => {
    const issues = issuesOf(manifest({ fields: { api_key: { type: 'string' } }, required: ['nothing'] }));
    expect(issues).toHaveLength(2);
  });

  it.each([
    undefined,
    null,
    7,
    'plugin',
    [],
    {},
    { connectors: 'all' },
    { id: 'a', version: '1.0.0', connectors: [null] },
  ])('refuses %j without falling over', (value) => {
    expect(issuesOf(value)).not.toEqual([]);
  });
});

describe('defineServer', () => {
  const plugin = definePlugin({
    id: 'demo',
    version: '1.0.0',
    connectors: [withDefaults(gitea), withDefaults(grype)],
    importers: [{ tool: 'grype', title: 'Grype' }],
  });
  const check = async () => ({ identity: 'octocat' });

  it('binds code to the manifest', () => {
    expect(defineServer(plugin, { gitea: { check } })).toEqual({ pluginId: 'demo', connectors: { gitea: { check } } });
  });

  it('refuses code of a stranger, and a signed connector without check', () => {
    expect(() => defineServer(plugin, { gitlab: { check } })).toThrow(PluginError);
    expect(() => defineServer(plugin, { gitlab: { check } })).toThrow(
      'plugin "demo": the code of "gitlab" belongs to no connector',
    );
    expect(() => defineServer(plugin, {})).toThrow('plugin "demo", connector "gitea": check is missing');
  });
});
