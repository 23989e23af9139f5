import { fileURLToPath } from 'node:url';
import { findProgram, runProgram } from './run-program.ts';

/** What stands before a program that is started without a network: `unshare` of util-linux with its options. */
export type NetworkIsolation = readonly [string, ...string[]];

/** What stands before a program that has one way out: a Unix socket, to which port `WAY_OUT_PORT` of its own loopback device leads. */
export type OneWayOut = (socketPath: string) => NetworkIsolation;

/** Free for certain, since the namespace is new. */
const WAY_OUT_PORT = 3128;
export const WAY_OUT_PROXY = `http://127.0.0.1:${WAY_OUT_PORT}`;

/** By rights of the server, else by a user namespace, which some machines forbid. Source: unshare(1), util-linux 2.38; the last one for older ones. */
const WAYS = [['--net'], ['--user', '--map-current-user', '--net'], ['--map-root-user', '--net']] as const;

/** The same ways, in which the relay may bring the loopback device up and the program may not change anything. Source: unshare(1), setpriv(1). */
const WAYS_WITH_RELAY = [
  { unshare: ['--net'], takesRights: false },
  { unshare: ['--user', '--map-current-user', '--keep-caps', '--net'], takesRights: true },
  { unshare: ['--map-root-user', '--net'], takesRights: false },
] as const;

/** SIOCSIFFLAGS with IFF_UP, IFF_LOOPBACK and IFF_RUNNING, for machines without iproute2 and net-tools. Source: netdevice(7), <linux/sockios.h>. */
const PERL_UP = 'socket(my $s, 2, 2, 0) or die; my $r = pack("a16sx14", "lo", 0x49); ioctl($s, 0x8914, $r) or die "$!"';

/** Commands that bring the loopback device up; a machine has one of them as a rule. */
const LOOPBACK_UP = [
  ['ip', 'link', 'set', 'lo', 'up'],
  ['ifconfig', 'lo', 'up'],
  ['perl', '-e', PERL_UP],
] as const;

const RELAY = fileURLToPath(new URL('./relay.ts', import.meta.url));
const LIMITS = { timeoutMs: 30_000, memoryMb: 512, fileBytes: 1_048_576 };

/** Whether a program starts this way. It is tried, since the kernel or a container may forbid it. */
const works = async (searchPath: string, isolation: NetworkIsolation): Promise<boolean> => {
  const nothing = await findProgram(searchPath, 'true');
  if (nothing === null) return false;
  const result = await runProgram({
    ...{ file: nothing, args: [], folder: '/', env: { PATH: searchPath }, limits: LIMITS, searchPath, isolation },
    marker: `BREAKWATER_SCAN=isolation-${process.pid}`,
    signal: new AbortController().signal,
  }).catch(() => null);
  return result?.exitCode === 0;
};

/** How this machine takes the network away from a program; null where it cannot. */
export const findNetworkIsolation = async (searchPath: string): Promise<NetworkIsolation | null> => {
  const unshare = await findProgram(searchPath, 'unshare');
  if (unshare === null) return null;
  for (const way of WAYS) {
    const isolation: NetworkIsolation = [unshare, ...way, '--'];
    if (await works(searchPath, isolation)) return isolation;
  }
  return null;
};

/** How this machine leaves a program one way out; null where it cannot: no namespace, or no program that brings its loopback device up. */
export const findOneWayOut = async (searchPath: string): Promise<OneWayOut | null> => {
  const [unshare, setpriv] = [await findProgram(searchPath, 'unshare'), await findProgram(searchPath, 'setpriv')];
  if (unshare === null || setpriv === null) return null;
  for (const [name, ...args] of LOOPBACK_UP) {
    const loopback = await findProgram(searchPath, name);
    if (loopback === null) continue;
    for (const { unshare: way, takesRights } of WAYS_WITH_RELAY) {
      const rights = takesRights ? [setpriv, '--inh-caps=-all', '--ambient-caps=-all', '--'] : [];
      const wayOut: OneWayOut = (socketPath) => [
        unshare,
        ...[...way, '--', setpriv, '--pdeathsig', 'KILL', '--'],
        ...[process.execPath, RELAY, String(WAY_OUT_PORT), socketPath, JSON.stringify([loopback, ...args]), ...rights],
      ];
      if (await works(searchPath, wayOut('/nowhere'))) return wayOut;
    }
  }
  return null;
};
