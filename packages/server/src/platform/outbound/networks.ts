import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = [Address, number]

/** Whether an address is in one of some networks in CIDR notation; what cannot be read is in none and holds none. */
export function isWithin(networks: readonly string[], text: string): boolean {
  const address = innermost(text)
  if (address === undefined) return false
  return networks.some((network) => {
    const range = parseNetwork(network)
    return range !== undefined && isIn(address, range)
  })
}

export function isIn(address: Address, [base, bits]: AddressRange): boolean {
  return address.kind() === base.kind() && address.match([base, bits] as [ipaddr.IPv4, number])
}

/** An address is a network of one. Undefined for what is neither. */
export function parseNetwork(text: string): AddressRange | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!isCanonical(text)) return undefined
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Without the forms that only some programs read: 127.1, 0x7f000001, 010.0.0.1. */
function isCanonical(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

/** An address, or the IPv4 address inside one of the forms of IPv6 that carry one to a gateway. */
export function innermost(text: string): Address | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!isCanonical(bare)) return undefined
  const address = ipaddr.parse(bare)
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  const bytes = address.toByteArray()
  switch (address.range()) {
    // 64:ff9b::/96 (RFC 6052) and the deprecated ::/96 hold it at their end.
    case 'rfc6052':
      return ipaddr.fromByteArray(bytes.slice(12))
    // 2002::/16 (RFC 3056) after its prefix.
    case '6to4':
      return ipaddr.fromByteArray(bytes.slice(2, 6))
    // 2001::/32 (RFC 4380) at its end, with every bit turned over.
    case 'teredo':
      return ipaddr.fromByteArray(bytes.slice(12).map((byte) => byte ^ 0xff))
    default: {
      const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && bytes[12] !== 0
      return isCompatible ? ipaddr.fromByteArray(bytes.slice(12)) : address
    }
  }
}
