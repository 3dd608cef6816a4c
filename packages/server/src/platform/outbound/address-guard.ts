import ipaddr from 'ipaddr.js'

import { ConfigError } from '../errors.ts'
import { type Address, type AddressRange, innermost, isIn, parseNetwork } from './networks.ts'

/** What `BEY_OUTBOUND` allows: everything but what is always refused, public addresses alone, or named networks. */
export type OutboundPolicy =
  | { kind: 'any' }
  | { kind: 'public' }
  | { kind: 'networks'; networks: readonly AddressRange[]; text: string }

/** Decides which addresses this server may connect to on behalf of a user. */
export type AddressGuard = {
  policy: OutboundPolicy
  /** Why an IP address is refused, as a sentence without its subject; undefined when it is allowed. */
  refusalOf(address: string): string | undefined
  /** `public`, `private` or `loopback`: for people who read where a connection leads. */
  kindOf(address: string): string
}

/** Networks from which a machine reads its own credentials, or that lead to anyone who happens to be a neighbour. */
const refused: readonly (readonly [string, string])[] = [
  ['169.254.0.0/16', 'is a link-local address, where cloud providers serve credentials of this machine'],
  ['fe80::/10', 'is a link-local address'],
  ['fd00:ec2::/32', 'is the metadata service of a cloud provider'],
  ['100.100.100.200/32', 'is the metadata service of a cloud provider'],
  ['168.63.129.16/32', 'is the metadata service of a cloud provider'],
  ['192.0.0.192/32', 'is the metadata service of a cloud provider'],
  ['fd20:ce::254/128', 'is the metadata service of a cloud provider'],
  ['0.0.0.0/8', 'is not the address of one host'],
  ['::/128', 'is not the address of one host'],
  ['224.0.0.0/4', 'is a multicast address'],
  ['ff00::/8', 'is a multicast address'],
  ['240.0.0.0/4', 'is not the address of one host'],
]

const refusedRanges = refused.map(([network, reason]) => ({ range: ipaddr.parseCIDR(network), reason }))

/** Reads `BEY_OUTBOUND`: `any` (default), `public`, or networks and addresses separated by commas. Throws ConfigError. */
export function readOutboundPolicy(value: string | undefined): OutboundPolicy {
  const text = value?.trim() ?? ''
  if (text === '' || text.toLowerCase() === 'any') return { kind: 'any' }
  if (text.toLowerCase() === 'public') return { kind: 'public' }
  const networks = text.split(',').map((each) => {
    const network = parseNetwork(each.trim())
    if (network !== undefined) return network
    throw new ConfigError(
      `BEY_OUTBOUND names "${each.trim()}". Set BEY_OUTBOUND to any, to public, or to networks such as 10.0.0.0/8,203.0.113.7.`,
    )
  })
  return {
    kind: 'networks',
    networks,
    text: networks.map(([base, bits]) => `${base.toString()}/${bits}`).join(', '),
  }
}

export function createAddressGuard(policy: OutboundPolicy): AddressGuard {
  return {
    policy,
    refusalOf(text) {
      const address = innermost(text)
      if (address === undefined) return 'is not an IP address'
      const found = refusedRanges.find(({ range }) => isIn(address, range))
      if (found !== undefined) return found.reason
      switch (policy.kind) {
        case 'any':
          return undefined
        case 'public':
          return isPublic(address)
            ? undefined
            : 'is not public, and this server connects to public addresses only (BEY_OUTBOUND)'
        case 'networks':
          return policy.networks.some((network) => isIn(address, network))
            ? undefined
            : 'is outside of the networks that this server may connect to (BEY_OUTBOUND)'
      }
    },
    kindOf(text) {
      const address = innermost(text)
      if (address === undefined) return 'unknown'
      if (address.range() === 'loopback') return 'loopback'
      return isPublic(address) ? 'public' : 'private'
    },
  }
}

function isPublic(address: Address): boolean {
  return address.range() === 'unicast'
}
