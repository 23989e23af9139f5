import { execFile } from 'node:child_process';
import { createHash, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { FetchedPackage } from '@breakwater/core/installed-plugins/server/index.ts';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import { say } from '@breakwater/core/platform/model/sentence.ts';
import { createEgressFetch } from '@breakwater/core/platform/server/identity/egress-fetch.ts';
import { ConnectorError } from '@breakwater/sdk';
import { type EgressGate, hostAndPort } from '@breakwater/sdk/host';
import { property } from '../property.ts';
import { MAX_PACKED_BYTES } from './plugin-archive.ts';

const REQUEST_MS = 30_000;
const ASK_MS = 20_000;

export interface NpmRegistry {
  readonly gate: EgressGate;
  /** Of NPM_REGISTRY_BASE_URL; undefined: the one that npm of this machine uses. */
  readonly address: URL | undefined;
}

const run = promisify(execFile);

/** The registry that npm uses here, with whatever mirror the machine has. @throws AppError upstream_failed */
const registryOfMachine = async (): Promise<URL> => {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { timeout: ASK_MS }).catch(() => ({ stdout: '' }));
  const address = URL.parse(stdout.trim());
  if (address?.protocol === 'https:' || address?.protocol === 'http:') return address;
  throw new AppError(
    'upstream_failed',
    msg('There is no npm here that knows a registry. Name one by NPM_REGISTRY_BASE_URL, or install from a file.'),
  );
};

/** Strongest first. Source: Subresource Integrity, section 3.2. */
const HASHES = ['sha512', 'sha384', 'sha256'] as const;

/** Whether bytes are what the registry states of them. Without a strong hash they are not. */
export const isIntact = (bytes: Uint8Array, integrity: string): boolean => {
  const stated = integrity.trim().split(/\s+/);
  const hash = HASHES.find((name) => stated.some((one) => one.startsWith(`${name}-`)));
  if (hash === undefined) return false;
  const actual = createHash(hash).update(bytes).digest();
  return stated
    .filter((one) => one.startsWith(`${hash}-`))
    .some((one) => {
      const wanted = Buffer.from(one.slice(hash.length + 1).split('?', 1)[0] ?? '', 'base64');
      return wanted.length === actual.length && timingSafeEqual(wanted, actual);
    });
};

const upstream = (name: string, reason: string): AppError =>
  new AppError('upstream_failed', say('The registry gave no {name}: {reason}.', { name, reason }));

const textAt = (value: unknown, ...path: string[]): string | undefined => {
  const found = path.reduce<unknown>((at, key) => property(at, key), value);
  return typeof found === 'string' ? found : undefined;
};

/**
 * The archive of a package, as an npm registry has it, compared with the hash that the registry states. It has to lie at the registry itself.
 * Source: github.com/npm/registry, docs/REGISTRY-API.md. @throws AppError validation_failed, upstream_failed
 */
export const fetchPackage = async (
  { gate, address }: NpmRegistry,
  wanted: { package: string; version?: string | undefined },
  signal: AbortSignal,
): Promise<FetchedPackage> => {
  const name = wanted.package;
  const registry = address ?? (await registryOfMachine());
  const send = createEgressFetch(gate, {
    title: 'the installation of plugins',
    name: 'The registry',
    // named by whoever runs the machine
    trusted: [hostAndPort(registry)],
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_PACKED_BYTES,
  });
  const get = async (url: URL): Promise<Response> => {
    try {
      const headers = { accept: 'application/json, application/octet-stream', 'user-agent': 'breakwater' };
      const answer = await send(url.href, { method: 'GET', headers, body: null, redirect: 'manual', signal });
      if (answer.status === 404) throw upstream(name, msg('it has none of that name and version'));
      if (answer.status !== 200) throw upstream(name, `status ${answer.status}`);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      throw upstream(name, error instanceof ConnectorError ? error.message.replace(/\.$/, '') : 'it cannot be reached');
    }
  };
  const base = new URL(registry.href.endsWith('/') ? registry : `${registry.href}/`);
  const version = wanted.version ?? 'latest';
  const about: unknown = await (await get(new URL(`${name.replace('/', '%2f')}/${encodeURIComponent(version)}`, base)))
    .json()
    .catch(() => undefined);
  const [stated, tarball, integrity] = [
    textAt(about, 'version'),
    textAt(about, 'dist', 'tarball'),
    textAt(about, 'dist', 'integrity'),
  ];
  const url = tarball === undefined ? null : URL.parse(tarball);
  if (stated === undefined || url === null || integrity === undefined)
    throw upstream(name, msg('it answered with something else than a package'));
  if (url.host !== base.host || url.protocol !== base.protocol) throw upstream(name, msg('its archive lies elsewhere'));
  const archive = new Uint8Array(await (await get(url)).arrayBuffer());
  if (!isIntact(archive, integrity)) throw upstream(name, msg('its archive is not what the registry states of it'));
  return { archive, source: `npm:${name}@${stated}` };
};
