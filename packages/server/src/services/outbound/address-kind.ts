import { BlockList, isIP, isIPv6 } from 'node:net'

/** Loopback is always allowed, a forbidden address never, any other if the configuration allows its name. */
export type AddressKind = 'loopback' | 'forbidden' | 'other'

export function classifyAddress(address: string): AddressKind {
  if (isIP(address) === 0) return 'forbidden'
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (LOOPBACK.check(address, family)) return 'loopback'
  return FORBIDDEN.check(address, family) ? 'forbidden' : 'other'
}

/** IPv4 rules also match the mapped form (::ffff:127.0.0.1). */
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const FORBIDDEN_NETS = [
  // 'This host': systems treat it as loopback.
  ['0.0.0.0', 8],
  // Link-local: metadata services of most clouds.
  ['169.254.0.0', 16],
  ['fe80::', 10],
  // Metadata services at other addresses.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
  // Multicast and broadcast.
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['ff00::', 8],
  // IPv4 addresses inside IPv6: compatible (with ::), translated (NAT64) and tunnelled (6to4, Teredo).
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
] as const

const FORBIDDEN = new BlockList()
for (const [net, prefix] of FORBIDDEN_NETS) FORBIDDEN.addSubnet(net, prefix, isIPv6(net) ? 'ipv6' : 'ipv4')
