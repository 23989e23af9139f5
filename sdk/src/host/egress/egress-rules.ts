import type { AnyConnector } from '../../connector.ts';
import { fillTemplate, originsOf, publicConfig, type ServiceAddress } from './roots.ts';

/** Where the requests of one connection may go. */
export interface EgressRules {
  /** Name of the connector, for messages. */
  readonly title: string;
  /** `GITEA_BASE_URL`: how the operator names another host. */
  readonly setting: string;
  readonly hosts: readonly AllowedHost[];
  /** `host:port` of the manifest's own addresses, which may have ports of their own. */
  readonly places: ReadonlySet<string>;
  /** `host:port` that the operator named for this connector. */
  readonly trusted: ReadonlySet<string>;
}

interface AllowedHost {
  /** Lower case, without the dot at the end. */
  readonly name: string;
  readonly isWildcard: boolean;
  /** Null: the usual port, or the one of the manifest's own address. */
  readonly port: string | null;
}

/** `permissions.egress` with the values of the form. Entries that cannot be filled in allow nothing. */
export function egressRules(address: ServiceAddress): EgressRules {
  const { connector, config, baseUrlOverride } = address;
  const values = { schema: connector.credentials, values: publicConfig(connector, config) };
  const hosts = connector.permissions.egress.flatMap((entry) => {
    try {
      return allowedHost(fillTemplate(entry, values));
    } catch {
      return [];
    }
  });
  return {
    ...named(connector, baseUrlOverride),
    hosts,
    places: new Set(originsOf(connector, config, baseUrlOverride).map((origin) => hostAndPort(new URL(origin)))),
  };
}

/** Of a program that says itself which hosts it calls, as scanners do: those at their usual port or the one named, and the operator's. */
export function programRules(
  connector: Pick<AnyConnector, 'id' | 'title'>,
  hosts: readonly string[],
  baseUrlOverride?: URL,
): EgressRules {
  return { ...named(connector, baseUrlOverride), hosts: hosts.flatMap(allowedHost), places: new Set() };
}

function named({ id, title }: Pick<AnyConnector, 'id' | 'title'>, baseUrlOverride: URL | undefined) {
  return {
    title,
    setting: environmentName(id, 'base_url'),
    trusted: new Set(baseUrlOverride === undefined ? [] : [hostAndPort(baseUrlOverride)]),
  };
}

/** Name of a connector's setting in the environment: `GITEA_BASE_URL`, `SCM_GITEA_OAUTH_TOKEN`. */
export function environmentName(connectorId: string, setting: string): string {
  return `${connectorId}_${setting}`.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

function allowedHost(entry: string): AllowedHost[] {
  const isWildcard = entry.startsWith('*.');
  const bare = isWildcard ? entry.slice(2) : entry;
  const url = URL.parse(bare.includes('://') ? bare : `https://${bare}`);
  if (url === null || url.hostname === '') return [];
  return [{ name: plainName(url), isWildcard, port: url.port === '' ? null : url.port }];
}

/** Whether the manifest, or the operator, lets requests go there. */
export function isAllowed(rules: EgressRules, url: URL): boolean {
  if (rules.trusted.has(hostAndPort(url))) return true;
  const name = plainName(url);
  return rules.hosts.some(
    (host) =>
      (host.isWildcard ? name.endsWith(`.${host.name}`) : name === host.name) &&
      (host.port === null ? url.port === '' || rules.places.has(hostAndPort(url)) : portOf(url) === host.port),
  );
}

/** `example.com:443`: the port also where the address leaves it out. */
export function hostAndPort(url: URL): string {
  return `${plainName(url)}:${portOf(url)}`;
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'http:' ? '80' : '443';
}

function plainName({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}
