import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressKind, addressKind } from './address-kind.ts';

/** Finds the addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A name that leads to an address which may not be called. The address itself is not told: it is the inside of somebody's network. */
export class RefusedAddress extends Error {
  readonly kind: AddressKind;

  constructor(kind: AddressKind) {
    super('address refused');
    this.name = 'RefusedAddress';
    this.kind = kind;
  }
}

/** By the operating system, as every other program finds them. */
export const resolveBySystem: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * A `lookup` for sockets: one answer of the resolver is both judged and connected to, so that a name cannot change between.
 * One refused address refuses the name. Never runs for literal addresses: those are judged before.
 */
export function pinnedLookup(resolve: Resolve, accepts: (kind: AddressKind) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    judged(resolve, hostname, accepts).then(
      (found) => {
        const [first] = found;
        if (options.all) callback(null, found);
        else if (first) callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('lookup failed'), []),
    );
  };
}

async function judged(
  resolve: Resolve,
  hostname: string,
  accepts: (kind: AddressKind) => boolean,
): Promise<LookupAddress[]> {
  const addresses = await resolve(hostname);
  const refused = addresses.map(addressKind).find((kind) => !accepts(kind));
  if (refused !== undefined) throw new RefusedAddress(refused);
  if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
