/** An IPv4 or IPv6 address as a number of 32 or 128 bits. */
export type IpAddress = { bits: 32 | 128; value: bigint }
export type IpNetwork = IpAddress & { prefix: number }

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    // A leading zero is refused, since some programs read it as octal.
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function parseGroups(text: string): bigint[] | undefined {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const last = parseIpv4(part)
      if (last === undefined) return undefined
      groups.push(last >> 16n, last & 0xffffn)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return undefined
  }
  return groups
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map(parseGroups)
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...(tail ?? [])]
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

/** Undefined where the text is no address: a zone, a port or a prefix length is none. */
export function parseIp(text: string): IpAddress | undefined {
  const isIpv6 = text.includes(':')
  const value = isIpv6 ? parseIpv6(text) : parseIpv4(text)
  return value === undefined ? undefined : { bits: isIpv6 ? 128 : 32, value }
}

/** Parses `10.0.0.0/8`; undefined for anything else. Bits behind the prefix are cut off, as plug-ins do. */
export function parseIpNetwork(text: string): IpNetwork | undefined {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text)
  const address = parseIp(match?.[1] ?? '')
  const prefix = Number(match?.[2])
  if (address === undefined || prefix > address.bits) return undefined
  const host = BigInt(address.bits - prefix)
  return { bits: address.bits, value: (address.value >> host) << host, prefix }
}

export function networkHolds(network: IpNetwork, address: IpAddress): boolean {
  const host = BigInt(network.bits - network.prefix)
  return network.bits === address.bits && network.value >> host === address.value >> host
}

/** Whether every address of `inner` is in `outer`. */
export function networkCovers(outer: IpNetwork, inner: IpNetwork): boolean {
  return outer.prefix <= inner.prefix && networkHolds(outer, inner)
}
