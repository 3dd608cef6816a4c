import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * A network or an address in CIDR notation as it is kept: `10.1.2.3/8` becomes `10.0.0.0/8`, an address a network of
 * itself. Undefined for what is none.
 */
export function canonicalNetwork(text: string): string | undefined {
  const found = parseNetwork(text.trim())
  if (found === undefined) return undefined
  const [address, bits] = found
  const base =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`)
  return `${base.toString()}/${bits}`
}

/** Whether an address lies in one of the networks; in any, where there are none. IPv4 inside IPv6 counts as IPv4. */
export function isAllowedFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  const found = ipaddr.process(bare)
  return networks.some((text) => {
    const network = parseNetwork(text)
    if (network === undefined || network[0].kind() !== found.kind()) return false
    return found.match(network)
  })
}

function parseNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
