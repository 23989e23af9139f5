import { findProgram, runProgram } from './run-program.ts';

/** What stands before a program that is started without a network: `unshare` of util-linux with its options. */
export type NetworkIsolation = readonly [string, ...string[]];

/** By rights of the server, else by a user namespace, which some machines forbid. Source: unshare(1), util-linux 2.38; the last one for older ones. */
const WAYS = [['--net'], ['--user', '--map-current-user', '--net'], ['--map-root-user', '--net']] as const;

const LIMITS = { timeoutMs: 30_000, memoryMb: 512, fileBytes: 1_048_576 };

/** How this machine takes the network away from a program; null where it cannot. It is tried, since the kernel or a container may forbid it. */
export const findNetworkIsolation = async (searchPath: string): Promise<NetworkIsolation | null> => {
  const [unshare, nothing] = [await findProgram(searchPath, 'unshare'), await findProgram(searchPath, 'true')];
  if (unshare === null || nothing === null) return null;
  for (const way of WAYS) {
    const isolation: NetworkIsolation = [unshare, ...way, '--'];
    const result = await runProgram({
      ...{ file: nothing, args: [], folder: '/', env: { PATH: searchPath }, limits: LIMITS, searchPath, isolation },
      marker: `BREAKWATER_SCAN=isolation-${process.pid}`,
      signal: new AbortController().signal,
    }).catch(() => null);
    if (result?.exitCode === 0) return isolation;
  }
  return null;
};
