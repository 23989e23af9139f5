import { ConnectorError } from '@breakwater/sdk';
import { type EgressGate, hostAndPort } from '@breakwater/sdk/host';
import { createEgressFetch } from '../../../platform/server/identity/egress-fetch.ts';
import { type PublishedVersions, readPublished } from '../../model/newest-published.ts';
import type { RegistryPackage } from '../../model/registry-package.ts';

/** Where packages are looked up when the operator names nothing else. */
export const DEPS_DEV_ADDRESS = new URL('https://api.deps.dev');

export type PackageAnswer =
  | { outcome: 'found'; versions: PublishedVersions }
  | { outcome: 'not_found' }
  | { outcome: 'unreadable'; reason: string }
  /** Of the service, not of the package: nothing is asked for a while. */
  | { outcome: 'refused'; reason: string; retryAfter: string | null };

/** A public service that knows packages. */
export interface PackageService {
  /** Who is asked, as people read it: `api.deps.dev`. */
  readonly host: string;
  /** @throws only where the signal ended it. */
  ask(wanted: RegistryPackage, signal: AbortSignal): Promise<PackageAnswer>;
}

interface PackageServiceOptions {
  gate: EgressGate;
  address: URL;
  /** The operator named the address, so that it may be private. */
  isTrusted: boolean;
}

const REQUEST_MS = 15_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** "Method: GetPackage". Source: docs.deps.dev/api/v3 (November 2026). */
const pathOf = ({ system, name }: RegistryPackage): string =>
  `v3/systems/${system}/packages/${encodeURIComponent(name)}`;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readAnswer = async (answer: Response): Promise<PackageAnswer> => {
  const { status } = answer;
  if (status === 404) return { outcome: 'not_found' };
  if (status === 400) return { outcome: 'unreadable', reason: 'status 400' };
  if (status !== 200) {
    return { outcome: 'refused', reason: `status ${status}`, retryAfter: answer.headers.get('retry-after') };
  }
  const versions = readPublished(parse(await answer.text()));
  return versions === undefined
    ? { outcome: 'unreadable', reason: 'no list of versions' }
    : { outcome: 'found', versions };
};

/** deps.dev, or a mirror of it. Redirects are not followed: the API has none. */
export const createPackageService = ({ gate, address, isTrusted }: PackageServiceOptions): PackageService => {
  const send = createEgressFetch(gate, {
    title: 'the lookup of versions',
    name: 'The service that knows packages',
    trusted: isTrusted ? [hostAndPort(address)] : [],
    timeoutMs: REQUEST_MS,
    maxBytes: MAX_BYTES,
  });
  const base = new URL(address.href.endsWith('/') ? address : `${address.href}/`);
  return {
    host: address.host,
    ask: async (wanted, signal) => {
      try {
        const headers = { accept: 'application/json', 'user-agent': 'breakwater' };
        const url = new URL(pathOf(wanted), base);
        return await readAnswer(
          await send(url.href, { method: 'GET', headers, body: null, redirect: 'manual', signal }),
        );
      } catch (error) {
        signal.throwIfAborted();
        // larger than any package is
        if (error instanceof ConnectorError && error.code === 'upstream') {
          return { outcome: 'unreadable', reason: error.message };
        }
        const reason = error instanceof Error ? error.message : 'no answer';
        return { outcome: 'refused', reason, retryAfter: null };
      }
    },
  };
};
