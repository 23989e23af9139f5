import { CAPABILITY_NAMES, connectorAddress, negotiate } from './categories.ts';
import type { AnyConnector, OAuth2 } from './connector.ts';
import { withDefaults } from './connector.ts';
import type { CredentialField, CredentialSchema } from './credentials.ts';
import { secretKeys } from './credentials.ts';
import type { RawManifest } from './manifest.ts';
import { issuePlace, templateKeys } from './manifest.ts';

type Report = (message: string, ...path: string[]) => void;

/** What is wrong between the parts of a manifest whose structure is sound, in words. */
export function relationIssues(spec: RawManifest): string[] {
  const issues: string[] = [];
  const report: Report = (message, ...path) => issues.push(`${issuePlace(spec, path)}: ${message}`);
  reportDoubles(spec.connectors, (connector) => connector.id, report, 'connectors', 'id');
  reportDoubles(
    spec.connectors,
    (connector) => connectorAddress(connector.category, connector.title),
    report,
    'connectors',
    'title',
  );
  reportDoubles(spec.importers ?? [], (importer) => importer.tool, report, 'importers', 'tool');
  const tools = new Set((spec.importers ?? []).map((importer) => importer.tool));
  spec.connectors.forEach((connectorSpec, index) => {
    const connector = withDefaults(connectorSpec);
    const here: Report = (message, ...path) => report(message, 'connectors', String(index), ...path);
    checkForm(connector.credentials, here);
    checkAddresses(connector, here);
    checkAuth(connector, here);
    checkReveal(connector, here);
    checkCapabilities(connector, here);
    checkParser(connector, tools, here);
  });
  return issues;
}

function checkCapabilities({ capabilities = {} }: AnyConnector, report: Report): void {
  for (const name of CAPABILITY_NAMES) {
    const negotiated = negotiate(name, capabilities[name]);
    if ('refusal' in negotiated) report(negotiated.refusal, 'capabilities', name);
  }
}

function checkParser({ id, parser }: AnyConnector, tools: ReadonlySet<string>, report: Report): void {
  if (parser && !tools.has(parser.tool))
    report(`"${parser.tool}" is not among the plugin's importers`, 'parser', 'tool');
  if (parser && tools.has(id) && parser.tool !== id)
    report(`"${id}" is an importer, so the card must use it`, 'parser', 'tool');
}

function reportDoubles<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  report: Report,
  list: string,
  field: string,
): void {
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const key = keyOf(item);
    if (seen.has(key)) report(`"${key}" is used twice`, list, String(index), field);
    seen.add(key);
  });
}

/** Names that hold a secret in every vendor's form. `access_key_id` and `key_fingerprint` do not match. */
const SECRET_NAME =
  /(^|_)(token|secret|password|passphrase|credentials|api_?key|private_key|secret_access_key|key_value)$/;

function checkForm(schema: CredentialSchema, report: Report): void {
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(schema.properties, name))
      report(`"${name}" is not among the properties`, 'credentials', 'required');
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    checkField(name, field, (message) => report(message, 'credentials', 'properties', name));
  }
  const offers = Object.values(schema.properties).flatMap((field) => (field.type === 'string' ? [field.offers] : []));
  if (offers.includes('ticket-types') && !offers.includes('ticket-projects')) {
    report(
      'types of tickets are those of a project: a field must offer "ticket-projects"',
      'credentials',
      'properties',
    );
  }
}

function checkField(name: string, field: CredentialField, report: (message: string) => void): void {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) report('must be named in lower case with underscores');
  if (field.type !== 'string') {
    if (SECRET_NAME.test(name)) report('looks like a secret: use type "string" with writeOnly: true');
    return;
  }
  if (SECRET_NAME.test(name) && field.writeOnly === undefined) {
    report('looks like a secret: set writeOnly: true, or writeOnly: false if it is none');
  }
  if (field.writeOnly === true && field.default !== undefined) report('a secret must not have a default');
  if (field.writeOnly === true && field.enum !== undefined) report('a secret must not be a choice');
  if (field.writeOnly === true && field.offers !== undefined) report('a secret is never offered');
  if (field.enum && field.default !== undefined && !field.enum.includes(field.default)) {
    report(`default "${field.default}" is not one of the choices`);
  }
  if (field.pattern !== undefined && !isRegularExpression(field.pattern)) report('pattern is not a regular expression');
}

function isRegularExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** `https://host[:port][/path]`, or templates in place of scheme, host and port, or one template for all of it. */
const BASE_URL =
  /^(?:(?:https|\{\{\w+\}\}):\/\/((?:[a-z0-9.-]|\{\{\w+\}\})+(?::(?:\d+|\{\{\w+\}\}))?)|(\{\{\w+\}\}))(?:\/[^\s?#]*)?$/i;
/** A host name, a wildcard under at least two labels, or a template; each with an optional port. */
const EGRESS_HOST =
  /^(?:(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*|(?:[a-z0-9.-]*\{\{\w+\}\}[a-z0-9.-]*))(?::(?:\d{1,5}|\{\{\w+\}\}))?$/;
const WILDCARD_TOO_WIDE = /^\*\.[^.{]+(:|$)/;

function checkAddresses(connector: AnyConnector, report: Report): void {
  for (const host of connector.permissions.egress) {
    if (!EGRESS_HOST.test(host) || WILDCARD_TOO_WIDE.test(host)) {
      report(`"${host}" is not a host: write api.example.com, *.example.com or {{field}}`, 'permissions', 'egress');
    }
    checkTemplate(connector.credentials, host, { mayHoldSecrets: false }, (m) => report(m, 'permissions', 'egress'));
  }
  if (connector.baseUrl !== undefined) checkRoot(connector, connector.baseUrl, (m) => report(m, 'baseUrl'));
  for (const [name, root] of Object.entries(connector.services ?? {})) {
    checkRoot(connector, root, (m) => report(m, 'services', name));
  }
}

function checkRoot(connector: AnyConnector, root: string, report: (message: string) => void): void {
  const match = BASE_URL.exec(root);
  if (!match) report('must be https://host/path, with {{field}} for what the form asks');
  checkTemplate(connector.credentials, root, { mayHoldSecrets: false }, report);
  const host = match?.[1] ?? match?.[2];
  if (host !== undefined && !connector.permissions.egress.some((allowed) => covers(allowed, host))) {
    report(`"${host}" is not among permissions.egress`);
  }
}

function covers(allowed: string, host: string): boolean {
  const bare = withoutPort(host.toLowerCase());
  if (allowed === host || allowed === bare) return true;
  return allowed.startsWith('*.') && bare.endsWith(withoutPort(allowed).slice(1));
}

function withoutPort(host: string): string {
  return host.replace(/:(\d+|\{\{\w+\}\})$/, '');
}

function checkAuth(connector: AnyConnector, report: Report): void {
  const { auth, credentials } = connector;
  if (auth.type === 'none') return;
  if (auth.type === 'address') {
    if (connector.baseUrl !== undefined) report('must be left out: auth is the address', 'baseUrl');
    if (connector.permissions.egress.length === 0)
      report('must name the hosts of the address', 'permissions', 'egress');
  } else if (connector.baseUrl === undefined) report('is missing: the connector signs its requests', 'baseUrl');
  if (auth.type === 'oauth2') {
    for (const [field, address] of oauthAddresses(auth)) {
      if (!BASE_URL.test(address)) report('must be an https address', 'auth', field);
      checkTemplate(credentials, address, { mayHoldSecrets: false }, (m) => report(m, 'auth', field));
    }
    const tokenField = auth.tokenField ?? 'oauth_token';
    if (!secretKeys(credentials).some((key) => key === tokenField)) {
      report(`"${tokenField}" is not a secret of the form, where the access token is kept`, 'auth', 'tokenField');
    }
    checkOwnApplication(connector, auth, report);
    return;
  }
  checkTemplate(credentials, auth.value, { mayHoldSecrets: true }, (m) => report(m, 'auth', 'value'));
  const secrets = new Set<string>(secretKeys(credentials));
  if (!templateKeys(auth.value).some((key) => secrets.has(key))) report('uses no secret of the form', 'auth', 'value');
}

/** Fields for an application of the organisation's own, and where it is installed. */
function checkOwnApplication({ credentials }: AnyConnector, auth: OAuth2, report: Report): void {
  const secrets = new Set<string>(secretKeys(credentials));
  const isPublic = (field: string): boolean => Object.hasOwn(credentials.properties, field) && !secrets.has(field);
  const { clientIdField, clientSecretField, installation } = auth;
  if (clientIdField !== undefined && !isPublic(clientIdField)) {
    report(`"${clientIdField}" is not a public field of the form`, 'auth', 'clientIdField');
  }
  if (clientSecretField !== undefined && !secrets.has(clientSecretField)) {
    report(`"${clientSecretField}" is not a secret of the form`, 'auth', 'clientSecretField');
  }
  if (installation === undefined) return;
  if (!isPublic(installation.field)) {
    report(`"${installation.field}" is not a public field of the form`, 'auth', 'installation');
  }
  if (!BASE_URL.test(installation.url.replace('{app}', 'app')) || !installation.url.includes('/{app}')) {
    report('must be an https address with {app} in its path', 'auth', 'installation');
  }
}

function oauthAddresses(auth: OAuth2): [string, string][] {
  const addresses: [string, string][] = [
    ['authorizeUrl', auth.authorizeUrl],
    ['tokenUrl', auth.tokenUrl],
  ];
  if (auth.revokeUrl !== undefined) addresses.push(['revokeUrl', auth.revokeUrl]);
  return addresses;
}

function checkReveal(connector: AnyConnector, report: Report): void {
  const secrets = new Set<string>(secretKeys(connector.credentials));
  for (const key of connector.permissions.reveal ?? []) {
    if (!secrets.has(key)) report(`"${key}" is not a secret of the form`, 'permissions', 'reveal');
  }
}

function checkTemplate(
  schema: CredentialSchema,
  template: string,
  rule: { mayHoldSecrets: boolean },
  report: (message: string) => void,
): void {
  const secrets = new Set<string>(secretKeys(schema));
  for (const key of templateKeys(template)) {
    if (!Object.hasOwn(schema.properties, key)) report(`{{${key}}} is not a field of the form`);
    else if (!rule.mayHoldSecrets && secrets.has(key)) report(`{{${key}}} is a secret, which may stand in auth only`);
  }
  if (/\{\{(?!\w+\}\})/.test(template)) report(`"${template}" holds a template that is not {{field}}`);
}
