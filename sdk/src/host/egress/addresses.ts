import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** `public`: anyone may be called there. `private`: only where the operator allows it. `forbidden`: never, not even then. */
export type AddressKind = 'public' | 'private' | 'forbidden';

/** Networks of a house or a machine, that an operator may want to reach. */
const PRIVATE_IPV4 = [
  '10.0.0.0/8',
  '100.64.0.0/10', // shared between provider and customer (RFC 6598)
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks; some proxies answer every name from it
];
const PRIVATE_IPV6 = ['::1/128', 'fc00::/7', 'fec0::/10'];

/** Nothing of use is there, or what must not be read from outside: the metadata services of the clouds. */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8',
  '100.100.100.200/32', // Alibaba metadata
  '168.63.129.16/32', // Azure's inner service
  '169.254.0.0/16', // link-local, with the metadata of AWS, Azure, Google, Oracle
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const FORBIDDEN_IPV6 = [
  '2001::/23', // protocol assignments, with Teredo
  '2001:db8::/32',
  '2002::/16', // 6to4 carries an IPv4 address, and nobody needs it any more
  '3fff::/20',
  'fd00:ec2::254/128', // AWS metadata
  'fd20:ce::254/128', // Google metadata
];
/** Every other IPv6 address is forbidden. The last two hold an IPv4 address, whose rules apply. */
const KNOWN_IPV6 = ['2000::/3', ...PRIVATE_IPV6, '64:ff9b::/96', '::ffff:0:0/96'];
/** IPv4 addresses in the clothes of IPv6: translated (RFC 6052) and mapped. */
const CARRIERS = ['64:ff9b::', '::ffff:'];
const CARRIER_BITS = 96;

const FORBIDDEN = listOf(FORBIDDEN_IPV4, FORBIDDEN_IPV6);
const PRIVATE = listOf(PRIVATE_IPV4, PRIVATE_IPV6);
const KNOWN = listOf([], KNOWN_IPV6);

function listOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ipv4.map(subnet)) {
    list.addSubnet(network, bits, 'ipv4');
    for (const carrier of CARRIERS) list.addSubnet(`${carrier}${network}`, CARRIER_BITS + bits, 'ipv6');
  }
  for (const [network, bits] of ipv6.map(subnet)) list.addSubnet(network, bits, 'ipv6');
  return list;
}

function subnet(text: string): [string, number] {
  const slash = text.indexOf('/');
  return [text.slice(0, slash), Number(text.slice(slash + 1))];
}

/** Which kind an address is of. What is no plain address, or bound to one network card (`fe80::1%eth0`), is forbidden. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return 'forbidden';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (FORBIDDEN.check(address, family)) return 'forbidden';
  if (family === 'ipv6' && !KNOWN.check(address, family)) return 'forbidden';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

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
