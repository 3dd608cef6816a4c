/** Addresses from which a database on the machine of Bey can be reached beside that machine itself. */
export type AllowedNetwork = { cidr: string; about: string }

/** What an isolated network made of a database that takes part in it: it is reached from these ranges alone. */
export type NetworkAccess = { networkId: string; network: string; cidrs: string[] }

/** Networks that are admitted: those of the isolated network that it takes part in, or else those of its own list. */
export function effectiveAllowList({
  allowList,
  networkAccess,
}: {
  allowList: readonly AllowedNetwork[]
  networkAccess: NetworkAccess | null
}): readonly AllowedNetwork[] {
  if (networkAccess === null) return allowList
  return networkAccess.cidrs.map((cidr) => ({ cidr, about: `network ${networkAccess.network}` }))
}

export const allowListLimits = { entries: 50, about: 100 } as const

type Parsed = { bytes: number[]; prefix: number; text: string }

/** What is wrong with a network, as a sentence; undefined for `10.20.0.0/16`, `192.0.2.7` and `2001:db8::/32`. */
export function networkProblem(cidr: string): string | undefined {
  const found = parseNetwork(cidr)
  return typeof found === 'string' ? found : undefined
}

/** A network as PostgreSQL takes it: `192.0.2.7` becomes `192.0.2.7/32`. Only for what has no problem. */
export function canonicalNetwork(cidr: string): string {
  const found = parseNetwork(cidr)
  return typeof found === 'string' ? cidr : found.text
}

const ownAddresses = ['127.0.0.1/32', '::1/128']

/**
 * The lines of `pg_hba.conf` that admit clients over the network, in PostgreSQL's order. The machine itself is always
 * admitted, and other machines over TLS alone; nobody without a password, and no network may copy the server (`replication`).
 */
export function hbaLines(networks: readonly Pick<AllowedNetwork, 'cidr'>[]): string[] {
  const others = networks
    .map(({ cidr }) => canonicalNetwork(cidr))
    .filter((cidr) => !ownAddresses.includes(cidr))
  return [
    ...ownAddresses.map((cidr) => `host all all ${cidr} scram-sha-256`),
    ...[...new Set(others)].map((cidr) => `hostssl all all ${cidr} scram-sha-256`),
  ]
}

/** What the server listens on. */
export function listenAddresses(networks: readonly unknown[]): string {
  return networks.length === 0 ? '127.0.0.1' : '*'
}

/** Whether an address is admitted by a list; addresses of the machine itself always are. */
export function admits(networks: readonly Pick<AllowedNetwork, 'cidr'>[], address: string): boolean {
  const from = parseNetwork(address)
  if (typeof from === 'string') return false
  return ['127.0.0.0/8', '::1/128', ...networks.map(({ cidr }) => cidr)].some((cidr) => {
    const network = parseNetwork(cidr)
    return typeof network !== 'string' && contains(network, from)
  })
}

function contains(outer: Parsed, inner: Parsed): boolean {
  if (outer.bytes.length !== inner.bytes.length || outer.prefix > inner.prefix) return false
  return outer.bytes.every((byte, index) => {
    const mask = maskOf(outer.prefix, index)
    return (byte & mask) === ((inner.bytes[index] ?? 0) & mask)
  })
}

/** The bits of a byte of an address that belong to the network. */
const maskOf = (prefix: number, index: number) =>
  (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff

function parseNetwork(input: string): Parsed | string {
  const [address = '', length, ...rest] = input.trim().split('/')
  const bytes = bytesOf(address)
  if (bytes === undefined || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) {
    return `"${input}" is no network. Write an address and a length, such as 10.20.0.0/16, or one address.`
  }
  const bits = bytes.length * 8
  const prefix = length === undefined ? bits : Number(length)
  if (prefix > bits) return `"${input}": the length is from 0 to ${bits}.`
  const outside = bytes.some((byte, index) => (byte & ~maskOf(prefix, index) & 0xff) !== 0)
  if (outside) {
    return `"${input}" has bits after its length. The network is ${textOf(bytes.map((byte, index) => byte & maskOf(prefix, index)))}/${prefix}.`
  }
  if (prefix === 0) {
    return `"${input}" admits every address there is. Name the networks that need the database.`
  }
  return { bytes, prefix, text: `${textOf(bytes)}/${prefix}` }
}

function bytesOf(address: string): number[] | undefined {
  if (address.includes(':')) return bytesOfV6(address)
  const parts = address.split('.')
  const isV4 =
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isV4 ? parts.map(Number) : undefined
}

function bytesOfV6(address: string): number[] | undefined {
  const halves = address.split('::')
  if (halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const groups = [...head, ...tail]
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined
  const missing = 8 - groups.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const all = [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
  return all.flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

function textOf(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  )
  return groups.join(':').replace(/(^|:)0(:0)+(:|$)/, '::')
}
