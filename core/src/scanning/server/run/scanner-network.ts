import { mkdtemp, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ConnectRefusal, type EgressRules, programRules, startConnectProxy } from '@breakwater/sdk/host';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { type NetworkIsolation, type OneWayOut, WAY_OUT_PROXY } from '../processes/network.ts';
import type { InstalledScanner } from './installed-scanners.ts';

/** What this machine can do about the network of a scanner, and what the operator allows. */
export interface ScannerNetwork {
  /** Takes the network away; null where the machine cannot. */
  readonly isolation: NetworkIsolation | null;
  /** Leaves one way out; null where the machine cannot. */
  readonly oneWayOut: OneWayOut | null;
  readonly allowPrivateHosts: boolean;
  /** The host that the operator named for this scanner. */
  readonly baseUrl: URL | undefined;
  /** More than so much from the hosts together ends the connections. */
  readonly maxBytes: number;
}

/** How the program is started. */
export interface ProgramNetwork {
  readonly isolation: NetworkIsolation | null;
  readonly env: Readonly<Record<string, string>>;
}

const WHOLE: ProgramNetwork = { isolation: null, env: {} };

/** Both spellings: programs look at one or the other. Nothing is reached past it. */
const PROXY_ENVIRONMENT = Object.fromEntries([
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
    [name, WAY_OUT_PROXY],
    [name.toLowerCase(), WAY_OUT_PROXY],
  ]),
  ['NO_PROXY', ''],
  ['no_proxy', ''],
]);

const list = (places: readonly string[]): string => places.map((place) => `"${place}"`).join(', ');

/** What was not let through, for people; null where nothing was refused. */
export const refusalText = (
  { title, setting }: Pick<EgressRules, 'title' | 'setting'>,
  refusals: readonly ConnectRefusal[],
  hosts: readonly string[],
): string | null => {
  const placesOf = (reason: ConnectRefusal['reason']): string[] =>
    refusals.filter((one) => one.reason === reason).map(({ place }) => place);
  const [unknown, inner, plain] = [placesOf('host'), placesOf('address'), placesOf('plain')];
  const sentences = [
    ...(unknown.length === 0
      ? []
      : [
          sayEnglish('{title} was not let through to {unknown}: it may call {hosts} alone.', {
            title,
            unknown: list(unknown),
            hosts: list(hosts),
          }),
        ]),
    ...(inner.length === 0
      ? []
      : [
          sayEnglish(
            '{title} was not let through to {inner}, which leads to a private network. The operator names such a host in {setting}.',
            { title, inner: list(inner), setting },
          ),
        ]),
    ...(plain.length === 0
      ? []
      : [sayEnglish('{title} was not let through to {plain} without TLS.', { title, plain: list(plain) })]),
    ...(placesOf('bytes').length === 0
      ? []
      : [sayEnglish('{title} took more from its hosts than a scan may.', { title })]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
};

/**
 * Runs a scanner with the network that it says it needs: none, its own hosts alone, or, where it says nothing or the machine cannot do better,
 * all of it. @returns what the run returns, and what was refused, for people
 */
export const withNetwork = async <T>(
  { isolation, oneWayOut, allowPrivateHosts, baseUrl, maxBytes }: ScannerNetwork,
  { scanner: { hosts }, entry, folder }: Pick<InstalledScanner, 'scanner' | 'entry'> & { readonly folder: string },
  run: (network: ProgramNetwork) => Promise<T>,
): Promise<{ result: T; refused: string | null }> => {
  if (hosts?.length === 0) return { result: await run({ isolation, env: {} }), refused: null };
  if (hosts === undefined || oneWayOut === null) return { result: await run(WHOLE), refused: null };
  const rules = programRules(entry.connector, hosts, baseUrl);
  const place = await mkdtemp(path.join(folder, 'way-out-'));
  // the path of a socket has 107 bytes at most (unix(7)); that of its open folder is short
  const handle = await open(place, 'r');
  try {
    const socketPath = `/proc/self/fd/${handle.fd}/proxy`;
    const proxy = await startConnectProxy({ socketPath, rules, allowPrivateHosts, maxBytes });
    try {
      const result = await run({ isolation: oneWayOut(path.join(place, 'proxy')), env: PROXY_ENVIRONMENT });
      return { result, refused: refusalText(rules, proxy.refusals(), [...hosts, ...rules.trusted]) };
    } finally {
      await proxy.close();
    }
  } finally {
    await handle.close();
    await rm(place, { recursive: true, force: true });
  }
};
