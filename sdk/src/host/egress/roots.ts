import type { AnyConnector } from '../../connector.ts';
import { type CredentialSchema, secretKeys } from '../../credentials.ts';
import { ConnectorError } from '../../errors.ts';
import { templateKeys } from '../../manifest.ts';

/** What the address of a service follows from: connector, form, and the address that the operator set. */
export interface ServiceAddress {
  readonly connector: AnyConnector;
  readonly config: Readonly<Record<string, unknown>>;
  readonly baseUrlOverride?: URL | undefined;
}

/** Root of a service: `https://gitea.example.com` and `/api/v1`. */
export interface Root {
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
}

/** Where `baseUrl`, or the service of that name, is. @throws ConnectorError config; TypeError where the connector has no such root */
export function rootOf(address: ServiceAddress, service?: string): Root {
  const { connector, baseUrlOverride } = address;
  const services = connector.services ?? {};
  const template =
    service === undefined ? connector.baseUrl : Object.hasOwn(services, service) ? services[service] : undefined;
  if (template === undefined) {
    const missing = service === undefined ? 'no baseUrl' : `no service "${service}"`;
    throw new TypeError(`connector "${connector.id}" has ${missing}`);
  }
  const url = addressOf(address, template);
  const path = withoutSlashes(url.pathname);
  if (service !== undefined || baseUrlOverride === undefined) return { origin: url.origin, path };
  return { origin: url.origin, path: joinPaths(withoutSlashes(baseUrlOverride.pathname), path) };
}

/** A path without slashes at its end. */
export function withoutSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** An operator may name the whole root of the service, or only where its host is. */
function joinPaths(prefix: string, path: string): string {
  return prefix.endsWith(path) ? prefix : `${prefix}${path}`;
}

/** One field for all of the address. */
const WHOLE = /^\{\{\w+\}\}$/;

/** An address of the manifest with the values of the form, at the host that the operator named. @throws ConnectorError config */
export function addressOf(address: ServiceAddress, template: string): URL {
  const { connector, config, baseUrlOverride } = address;
  const [, authority = '', path = ''] = /^((?:[^/]*:\/\/)?[^/]*)(.*)$/s.exec(template) ?? [];
  const values = { schema: connector.credentials, values: publicConfig(connector, config) };
  const filledPath = fillTemplate(path, values, (value) => encodeURIComponent(value.toWellFormed()));
  // The operator's host stands in for what the form does not say.
  const isFilled = templateKeys(authority).every((key) => (values.values[key] ?? '') !== '');
  if (baseUrlOverride !== undefined && !isFilled) return new URL(`${baseUrlOverride.origin}${filledPath}`);
  const filled = withoutSlashes(fillTemplate(authority, values));
  const url = filled.split('://').length > 2 ? null : URL.parse(`${filled}${filledPath}`);
  // The query of an address that was entered as a whole (a webhook's key) is the connector's to send: it knows the field.
  const hasStrayQuery = url?.search !== '' && !WHOLE.test(template);
  if (url === null || !/^https?:$/.test(url.protocol) || hasStrayQuery || url.hash !== '' || url.hostname === '') {
    throw wrongAddress(connector, authority);
  }
  const named = namesOf(connector, authority);
  if (url.username !== '' || url.password !== '') {
    throw new ConnectorError('config', `${named} must not hold a user name or password.`);
  }
  return baseUrlOverride === undefined ? url : new URL(`${baseUrlOverride.origin}${url.pathname}`);
}

function wrongAddress(connector: AnyConnector, authority: string): ConnectorError {
  const isWhole = WHOLE.test(authority);
  const named = namesOf(connector, authority);
  return new ConnectorError('config', `${named} is not an address that can be called.`, {
    help: isWhole ? 'Write it as https://host.example.com.' : 'Write only the host name, as in host.example.com.',
  });
}

function namesOf({ title, credentials }: AnyConnector, template: string): string {
  const names = templateKeys(template).map((key) => `"${fieldTitle(credentials, key)}"`);
  return names.length === 0 ? `The address of ${title}` : names.join(' with ');
}

/** Every address of the manifest that requests may begin with. */
function templatesOf({ baseUrl, services = {}, auth }: AnyConnector): string[] {
  const oauth = auth.type === 'oauth2' ? [auth.authorizeUrl, auth.tokenUrl, auth.revokeUrl] : [];
  return [baseUrl, ...Object.values(services), ...oauth].filter((template) => template !== undefined);
}

/**
 * Origins that this form makes the connector call: of `baseUrl`, services and OAuth addresses, sorted. Addresses that cannot be
 * filled in yet are left out. Where an origin is new, stored secrets belong to another host and must go. Source: safety 16.
 */
export function originsOf(
  connector: AnyConnector,
  config: Readonly<Record<string, unknown>>,
  baseUrlOverride?: URL,
): string[] {
  const origins = templatesOf(connector).flatMap((template) => {
    try {
      return [addressOf({ connector, config, baseUrlOverride }, template).origin];
    } catch {
      return [];
    }
  });
  return [...new Set(origins)].toSorted();
}

/** What the code of a connector may see of its form: fields of the schema that are no secrets, with their defaults; a frozen copy. */
export function publicConfig(
  { credentials }: Pick<AnyConnector, 'credentials'>,
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const secrets = new Set<string>(secretKeys(credentials));
  const entries = Object.entries(credentials.properties).flatMap(([name, field]): [string, unknown][] => {
    if (secrets.has(name)) return [];
    const stored = Object.hasOwn(config, name) ? config[name] : undefined;
    const value = stored ?? ('default' in field ? field.default : undefined);
    return value === undefined ? [] : [[name, deepFreeze(structuredClone(value))]];
  });
  return Object.freeze(Object.fromEntries(entries));
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

/** What stands in the templates of a connector. */
export interface TemplateValues {
  /** Names the fields in messages. */
  readonly schema: CredentialSchema;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Label of a field, for people. */
export function fieldTitle(schema: CredentialSchema, field: string): string {
  return schema.properties[field]?.title ?? field;
}

/**
 * Puts values into `{{field}}`, each through `encode`. Spaces around a value are none of it.
 * @throws ConnectorError `config`, naming the field that is empty
 */
export function fillTemplate(
  template: string,
  { schema, values }: TemplateValues,
  encode: (value: string) => string = (value) => value,
): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, field: string) => {
    const value = textOf(Object.hasOwn(values, field) ? values[field] : undefined);
    if (value === '') {
      const title = fieldTitle(schema, field);
      throw new ConnectorError('config', `The field "${title}" is empty.`, { help: 'Fill in the field.' });
    }
    return encode(value);
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}
