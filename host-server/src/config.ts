import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import type { CannyConfig, UsageConfig } from '@breakwater/core/feedback/server/index.ts';
import { isMailAddress } from '@breakwater/core/platform/server/mail/outbox.ts';
import { GOOGLE_ISSUER } from '@breakwater/core/session/model/google.ts';
import { passwordIssues } from '@breakwater/core/session/model/password-policy.ts';
import type { LevelWithSilent } from 'pino';
import { type MarketplaceConfig, readMarketplace, readStripe, type StripeConfig } from './config-billing.ts';
import { type DatabaseConfig, readDatabase } from './config-database.ts';
import { type Environment, Reader } from './config-reader.ts';
import { type PackageServiceConfig, readCanny, readPackageService, readUsage } from './config-services.ts';
import { hostnameOf } from './http/security.ts';

export interface AccountConfig {
  email: string;
  password: string;
  organizationName: string;
}

export interface Config extends DatabaseConfig {
  port: number;
  host: string;
  /** Folder of the embedded database and of the key file. Absolute. */
  dataDirectory: string;
  /** How people reach this server, where that is not `http://host:port`. */
  publicUrl: URL | undefined;
  /** 32-byte keys, the current one first. Nothing: a file made at first start. */
  secretKeys: Buffer[] | undefined;
  firstAdmin: AccountConfig | undefined;
  /** Without a password a link to set one is printed at start. */
  superadmin: (Omit<AccountConfig, 'password'> & { password: string | undefined }) | undefined;
  /** Connectors may reach private addresses. */
  allowPrivateHosts: boolean;
  /** Addresses that replace a provider's own, by the variable's name before `_BASE_URL`: `GITHUB`. */
  providerBaseUrls: ReadonlyMap<string, URL>;
  /** Registrations of this server at providers that renew tokens, by name: `GITLAB`. */
  oauthClients: ReadonlyMap<string, OAuthClientConfig>;
  /** Nothing: nobody signs in by Google. */
  google: GoogleConfig | undefined;
  /** Nothing: plans are not sold. */
  stripe: StripeConfig | undefined;
  /** Nothing: the Microsoft Marketplace sells nothing. */
  microsoftMarketplace: MarketplaceConfig | undefined;
  /** Folders that repositories of the source control `local` may lie in. Absolute. */
  localFolders: string[];
  /** Where programs are looked for, such as git and scanners. */
  searchPath: string;
  /** A folder of plugins besides ours. Each runs in processes of its own. Absolute. */
  pluginsDirectory: string | undefined;
  /** Packages of an npm registry that are installed as plugins. */
  pluginPackages: { package: string; version: string }[];
  /** Names of sub-folders there whose code the operator vouches for: it runs in this process, as ours does. */
  trustedPlugins: string[];
  /** Also runs plugins whose processes could not be cut off from the network. */
  canPluginsHaveNetwork: boolean;
  /** Nothing: mail stays in the outbox, and nobody registers by themselves. */
  smtp: { url: URL; from: string } | undefined;
  /** Where EPSS and KEV data is fetched every day, by source. Empty: the delivered data. */
  feedUrls: ReadonlyMap<'epss' | 'kev', URL>;
  /** Terms and conditions, Markdown. Nothing: none are published. */
  terms: string | undefined;
  maxReportBytes: number;
  /** How long one answer of a model may take. */
  aiTimeoutMs: number;
  /** Addresses or ranges of proxies whose X-Forwarded-* headers are believed. */
  trustedProxies: string[];
  /** Host names under which state may be changed, besides localhost: named ones, that of the public URL and that of `host`. */
  allowedHosts: string[];
  /** Nothing: feedback stays in the built-in board. */
  canny: CannyConfig | undefined;
  /** Nothing: use is not measured. */
  usage: UsageConfig | undefined;
  /** Where organisations that want it have newest versions looked up. */
  packageService: PackageServiceConfig;
  /** Bearer token that reads `/metrics` from another machine. */
  metricsToken: string | undefined;
  /** Nothing: as suits where the log goes. */
  logLevel: LevelWithSilent | undefined;
}

export interface GoogleConfig {
  /** Of this installation, registered at Google for web applications. */
  clientId: string;
  /** `https://accounts.google.com`, or the server that stands in for it. Without a slash at the end. */
  issuer: string;
}

export interface OAuthClientConfig {
  clientId: string;
  clientSecret: string;
  /** Name of the application in addresses of the provider, where people install it: GitHub's. */
  app?: string;
}

/** Everything that is wrong with the environment, at once. */
export class ConfigError extends Error {
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(
      `The configuration has ${issues.length === 1 ? 'an error' : `${issues.length} errors`}:\n${issues.map((issue) => `  - ${issue}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.issues = issues;
  }
}

const LOG_LEVELS: readonly LevelWithSilent[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const EMAIL = /^[^\s@]+@[^\s@]+$/;

const readKeys = (reader: Reader): Buffer[] | undefined => {
  const text = reader.text('BREAKWATER_SECRET_KEY');
  if (text === undefined) return undefined;
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'));
  if (keys.every((key) => key.length === 32)) return keys;
  reader.issues.push(
    'BREAKWATER_SECRET_KEY must be 32 bytes in base64 (openssl rand -base64 32); several, separated by commas, with the newest first.',
  );
  return undefined;
};

const readAccount = (
  reader: Reader,
  names: { email: string; password: string },
  organizationName: string,
): AccountConfig | undefined => {
  const email = reader.text(names.email);
  const password = reader.text(names.password);
  if (email === undefined && password === undefined) return undefined;
  if (email === undefined || password === undefined) {
    reader.issues.push(`${names.email} and ${names.password} belong together: set both or neither.`);
    return undefined;
  }
  if (!EMAIL.test(email)) reader.issues.push(`${names.email} must be an e-mail address; it is "${email}".`);
  for (const issue of passwordIssues(password)) reader.issues.push(`${names.password}: ${issue}`);
  return { email, password, organizationName };
};

const readSuperadmin = (reader: Reader): Config['superadmin'] => {
  const names = { email: 'BREAKWATER_SUPERADMIN_EMAIL', password: 'BREAKWATER_SUPERADMIN_PASSWORD' };
  const email = reader.text(names.email);
  if (email === undefined || reader.text(names.password) !== undefined) return readAccount(reader, names, 'Platform');
  if (!EMAIL.test(email)) reader.issues.push(`${names.email} must be an e-mail address; it is "${email}".`);
  return { email, password: undefined, organizationName: 'Platform' };
};

/** Names of ranges that Express knows. */
const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

const isAddressOrRange = (text: string): boolean => {
  if (NAMED_RANGES.has(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && most > 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most));
};

const readProxies = (reader: Reader): string[] => {
  const proxies = (reader.text('BREAKWATER_TRUSTED_PROXIES') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const proxy of proxies) {
    if (!isAddressOrRange(proxy)) {
      reader.issues.push(
        `BREAKWATER_TRUSTED_PROXIES must list addresses or ranges such as 10.0.0.0/8; "${proxy}" is none.`,
      );
    }
  }
  return proxies;
};

const WILDCARDS = new Set(['0.0.0.0', '::']);

const readAllowedHosts = (reader: Reader, known: readonly string[]): string[] => {
  const hosts = (reader.text('BREAKWATER_ALLOWED_HOSTS') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return [...hosts, ...known].flatMap((host) => {
    const name = hostnameOf(isIP(host) === 6 ? `[${host}]` : host);
    if (name !== undefined && !host.includes('*')) return [name];
    reader.issues.push(
      `BREAKWATER_ALLOWED_HOSTS must list host names such as breakwater.example.org; "${host}" is none.`,
    );
    return [];
  });
};

const readMetricsToken = (reader: Reader): string | undefined => {
  const token = reader.text('BREAKWATER_METRICS_TOKEN');
  if (token === undefined || /^[\x21-\x7e]{16,}$/.test(token)) return token;
  // the value is a secret: it is not repeated
  reader.issues.push(
    'BREAKWATER_METRICS_TOKEN must have at least 16 characters, without spaces (openssl rand -hex 16).',
  );
  return undefined;
};

const BASE_URL_NAME = /^([A-Z][A-Z0-9_]*)_BASE_URL$/;

/** Every provider's address is a setting: self-hosted and test servers. Source: decisions.md "Connectors". */
const readBaseUrls = (reader: Reader): Map<string, URL> => {
  const urls = new Map<string, URL>();
  for (const name of reader.names()) {
    const provider = BASE_URL_NAME.exec(name)?.[1];
    const url = provider === undefined ? undefined : reader.url(name, ['http:', 'https:']);
    if (provider !== undefined && url !== undefined) urls.set(provider, url);
  }
  return urls;
};

const OAUTH_NAME = /^([A-Z][A-Z0-9_]*)_OAUTH_(?:CLIENT_ID|CLIENT_SECRET|APP)$/;

const readGoogle = (reader: Reader): GoogleConfig | undefined => {
  const clientId = reader.text('GOOGLE_SIGN_IN_CLIENT_ID');
  const base = URL.parse(reader.text('GOOGLE_BASE_URL') ?? '');
  if (clientId === undefined) return undefined;
  if (!/^[A-Za-z0-9._-]{1,300}$/.test(clientId)) {
    reader.issues.push(
      'GOOGLE_SIGN_IN_CLIENT_ID must be the client ID of a web application, such as 1234-abcd.apps.googleusercontent.com.',
    );
  }
  return { clientId, issuer: base?.href.replace(/\/$/, '') ?? GOOGLE_ISSUER };
};

const readAppName = (reader: Reader, provider: string): { app?: string } => {
  const name = `${provider}_OAUTH_APP`;
  const app = reader.text(name);
  if (app === undefined) return {};
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(app)) {
    reader.issues.push(`${name} must be the name of the application as it stands in its address; "${app}" is none.`);
  }
  return { app };
};

/** The application that the operator registered at a provider: id and secret belong together. */
const readOAuthClients = (reader: Reader): Map<string, OAuthClientConfig> => {
  const providers = new Set(reader.names().flatMap((name) => OAUTH_NAME.exec(name)?.[1] ?? []));
  const clients = new Map<string, OAuthClientConfig>();
  for (const provider of providers) {
    const names = [`${provider}_OAUTH_CLIENT_ID`, `${provider}_OAUTH_CLIENT_SECRET`] as const;
    const [clientId, clientSecret] = [reader.text(names[0]), reader.text(names[1])];
    const app = readAppName(reader, provider);
    if (clientId !== undefined && clientSecret !== undefined) clients.set(provider, { clientId, clientSecret, ...app });
    else {
      const also = app.app === undefined ? '' : `, and ${provider}_OAUTH_APP needs them`;
      reader.issues.push(`${names[0]} and ${names[1]} belong together: set both or neither${also}.`);
    }
  }
  return clients;
};

const readFeedUrls = (reader: Reader): Map<'epss' | 'kev', URL> => {
  const urls = new Map<'epss' | 'kev', URL>();
  for (const source of ['epss', 'kev'] as const) {
    const url = reader.url(`${source.toUpperCase()}_FEED_URL`, ['https:']);
    if (url !== undefined) urls.set(source, url);
  }
  return urls;
};

const readFolder = (reader: Reader, name: string, workingDirectory: string): string | undefined => {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  const folder = path.resolve(workingDirectory, text);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    reader.issues.push(`${name} must name a folder that exists; "${text}" is none.`);
  }
  return folder;
};

/** Names separated by commas. */
const readNames = (reader: Reader, name: string): string[] =>
  (reader.text(name) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** `@acme/scan@1.2.0`: exactly one version, so that a restart changes nothing. */
const PLUGIN_PACKAGE =
  /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)@(\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]*)?)$/;

const readPluginPackages = (reader: Reader): { package: string; version: string }[] =>
  readNames(reader, 'BREAKWATER_PLUGINS').flatMap((part) => {
    const [, name, version] = PLUGIN_PACKAGE.exec(part) ?? [];
    if (name !== undefined && version !== undefined) return [{ package: name, version }];
    reader.issues.push(
      `BREAKWATER_PLUGINS must list packages with their version, such as @acme/scan@1.2.0; "${part}" is none.`,
    );
    return [];
  });

/** Folders separated as in PATH. A folder that is not there now may be mounted later, but a wrong one would be searched for in vain. */
const readFolders = (reader: Reader, name: string, workingDirectory: string): string[] =>
  (reader.text(name) ?? '')
    .split(path.delimiter)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const folder = path.resolve(workingDirectory, part);
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
        reader.issues.push(
          `${name} must list folders that exist, separated by "${path.delimiter}"; "${part}" is none.`,
        );
      }
      return folder;
    });

const MAX_TERMS_BYTES = 262_144;

const readTerms = (reader: Reader, workingDirectory: string): string | undefined => {
  const name = 'BREAKWATER_TERMS_FILE';
  const text = reader.text(name);
  if (text === undefined) return undefined;
  const file = path.resolve(workingDirectory, text);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() === true && stat.size <= MAX_TERMS_BYTES) return readFileSync(file, 'utf8');
  reader.issues.push(`${name} must name a Markdown file of at most 256 kB; "${text}" is none.`);
  return undefined;
};

const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const readSmtp = (reader: Reader, publicUrl: URL | undefined): Config['smtp'] => {
  const url = reader.url('SMTP_URL', ['smtp:', 'smtps:']);
  const from = reader.text('SMTP_FROM') ?? `no-reply@${publicUrl?.hostname ?? 'localhost'}`;
  if (!isMailAddress(from)) {
    reader.issues.push(`SMTP_FROM must be one e-mail address, without a name; it is "${from}".`);
  }
  return url === undefined ? undefined : { url, from };
};

/** The pages are served at the root of their host: links below a path would lead past them. */
const readPublicUrl = (reader: Reader): URL | undefined => {
  const url = reader.url('BREAKWATER_PUBLIC_URL', ['http:', 'https:']);
  if (url !== undefined && url.href !== `${url.origin}/`)
    reader.issues.push('BREAKWATER_PUBLIC_URL must be an address without a path: https://breakwater.example.org');
  return url;
};

/** Reads the environment once, at start. @throws ConfigError with every error. Source: decisions.md "Starting it". */
export const readConfig = (environment: Environment = process.env, workingDirectory = process.cwd()): Config => {
  const reader = new Reader(environment);
  const host = reader.text('HOST') ?? '127.0.0.1';
  const publicUrl = readPublicUrl(reader);
  const config: Config = {
    port: reader.integer('PORT', 8080, { least: 0, most: 65_535 }),
    host,
    dataDirectory: path.resolve(workingDirectory, reader.text('BREAKWATER_DATA_DIR') ?? '.breakwater'),
    ...readDatabase(reader),
    publicUrl,
    secretKeys: readKeys(reader),
    firstAdmin: readAccount(
      reader,
      { email: 'BREAKWATER_ADMIN_EMAIL', password: 'BREAKWATER_ADMIN_PASSWORD' },
      reader.text('BREAKWATER_ORGANIZATION') ?? 'My organisation',
    ),
    superadmin: readSuperadmin(reader),
    allowPrivateHosts: reader.flag('BREAKWATER_ALLOW_PRIVATE_HOSTS'),
    providerBaseUrls: readBaseUrls(reader),
    oauthClients: readOAuthClients(reader),
    google: readGoogle(reader),
    stripe: readStripe(reader),
    canny: readCanny(reader),
    usage: readUsage(reader),
    packageService: readPackageService(reader),
    microsoftMarketplace: readMarketplace(reader),
    localFolders: readFolders(reader, 'BREAKWATER_LOCAL_FOLDERS', workingDirectory),
    searchPath: reader.text('PATH') ?? USUAL_PATH,
    pluginsDirectory: readFolder(reader, 'BREAKWATER_PLUGINS_DIR', workingDirectory),
    pluginPackages: readPluginPackages(reader),
    trustedPlugins: readNames(reader, 'BREAKWATER_TRUSTED_PLUGINS'),
    canPluginsHaveNetwork: reader.flag('BREAKWATER_ALLOW_PLUGINS_WITH_NETWORK'),
    feedUrls: readFeedUrls(reader),
    terms: readTerms(reader, workingDirectory),
    smtp: readSmtp(reader, publicUrl),
    maxReportBytes: reader.integer('BREAKWATER_MAX_REPORT_MB', 512, { least: 1, most: 10_240 }) * 1024 * 1024,
    aiTimeoutMs: reader.integer('BREAKWATER_AI_TIMEOUT_SECONDS', 120, { least: 1, most: 900 }) * 1000,
    trustedProxies: readProxies(reader),
    allowedHosts: readAllowedHosts(reader, [
      ...(WILDCARDS.has(host) ? [] : [host]),
      ...(publicUrl === undefined ? [] : [publicUrl.host]),
    ]),
    metricsToken: readMetricsToken(reader),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS),
  };
  if (reader.issues.length > 0) throw new ConfigError(reader.issues);
  return config;
};
