import ipaddr from 'ipaddr.js'

/** A range of addresses. `first` and `last` are the addresses as numbers; both belong to it. */
export type AddressRange = {
  /** As it is written: `10.42.0.0/16`. */
  cidr: string
  family: 4 | 6
  prefix: number
  first: bigint
  last: bigint
}

const bitsOf = (family: 4 | 6) => (family === 4 ? 32 : 128)

/** The first 96 bits of ::ffff:0:0/96 (RFC 4291), which Kubernetes refuses in policies. */
const mappedPrefix = 0xffffn

/** Longest text of a range that is worth reading. */
const maxText = 60

/** Reads a range in CIDR notation, or answers in a sentence why it is none. Never throws. */
export function parseRange(text: string): AddressRange | { problem: string } {
  const written = text.trim()
  if (written === '') return { problem: 'Enter a range such as 10.42.0.0/16.' }
  if (written.length > maxText) return { problem: 'This is too long for a range such as 10.42.0.0/16.' }
  // Stored and written to clusters as it is given, so that only forms pass that Kubernetes and PostgreSQL read too.
  if (/\s/.test(written)) return { problem: 'Write the range without spaces, as in 10.42.0.0/16.' }
  const [address = '', prefixText, ...rest] = written.split('/')
  if (rest.length > 0)
    return { problem: 'Write one slash: the address, then the length, as in 10.42.0.0/16.' }
  const first = parseAddress(address)
  if (first === undefined) return { problem: addressProblem(address) }
  if (first.family === 6 && first.value >> 32n === mappedPrefix) {
    return { problem: 'This is an IPv4 range in the form of IPv6. Write it as IPv4, as in 10.42.0.0/16.' }
  }
  if (prefixText === undefined) {
    const example = first.family === 4 ? `${address}/24` : `${address}/64`
    return { problem: `Say how long the range is: ${example}, for example.` }
  }
  const bits = bitsOf(first.family)
  if (/^0\d+$/.test(prefixText)) return { problem: 'Write the length after the slash without leading zeros.' }
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN
  if (Number.isNaN(prefix) || prefix > bits) {
    return { problem: `The length after the slash is a number from 0 to ${bits} for IPv${first.family}.` }
  }
  const begins = firstOf(first.value, first.family, prefix)
  if (begins !== first.value) {
    const meant = `${addressText(begins, first.family)}/${prefix}`
    return { problem: `${address} lies within a /${prefix} and does not begin it. You may mean ${meant}.` }
  }
  return rangeAt(begins, first.family, prefix)
}

/** The range, of a text that was checked before; throws for one that is none. */
export function rangeOf(cidr: string): AddressRange {
  const range = parseRange(cidr)
  if ('problem' in range) throw new Error(`${cidr} is no range: ${range.problem}`)
  return range
}

/** An address as a number; undefined for what is none. */
export function parseAddress(text: string): { family: 4 | 6; value: bigint } | undefined {
  const bare = text.trim()
  const isFourPart = ipaddr.IPv4.isValidFourPartDecimal(bare)
  if (!isFourPart && (!bare.includes(':') || bare.includes('%') || !ipaddr.IPv6.isValid(bare)))
    return undefined
  const parsed = ipaddr.parse(bare)
  let value = 0n
  for (const byte of parsed.toByteArray()) value = value * 256n + BigInt(byte)
  return { family: parsed.kind() === 'ipv4' ? 4 : 6, value }
}

function addressProblem(text: string): string {
  if (text === '') return 'Write an address before the slash, as in 10.42.0.0/16.'
  if (/^[\d.]+$/.test(text)) {
    const parts = text.split('.')
    const wrong = parts.find((part) => part !== '' && Number(part) > 255)
    if (wrong !== undefined) return `An IPv4 address has parts from 0 to 255; ${wrong} is none.`
    if (parts.some((part) => part.length > 1 && part.startsWith('0'))) {
      return 'Write the parts of an IPv4 address without leading zeros: some programs read them as octal.'
    }
    return 'An IPv4 address has four numbers with dots between them, as in 10.42.0.0.'
  }
  return 'This is no address. Write an IPv4 range such as 10.42.0.0/16 or an IPv6 range such as fd42::/48.'
}

export function addressText(value: bigint, family: 4 | 6): string {
  const count = family === 4 ? 4 : 16
  const bytes = Array.from({ length: count }, (_, at) =>
    Number((value >> BigInt(8 * (count - 1 - at))) & 255n),
  )
  return ipaddr.fromByteArray(bytes).toString()
}

const sizeOf = (family: 4 | 6, prefix: number) => 1n << BigInt(bitsOf(family) - prefix)

const firstOf = (value: bigint, family: 4 | 6, prefix: number) => value - (value % sizeOf(family, prefix))

export function rangeAt(first: bigint, family: 4 | 6, prefix: number): AddressRange {
  const last = first + sizeOf(family, prefix) - 1n
  return { cidr: `${addressText(first, family)}/${prefix}`, family, prefix, first, last }
}

export const rangeSize = ({ first, last }: AddressRange): bigint => last - first + 1n

export function contains(
  outer: AddressRange,
  inner: Pick<AddressRange, 'family' | 'first' | 'last'>,
): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last
}

export function overlaps(one: AddressRange, other: AddressRange): boolean {
  return one.family === other.family && one.first <= other.last && other.first <= one.last
}

/** How many addresses two ranges have in common. */
export function commonAddresses(one: AddressRange, other: AddressRange): bigint {
  if (!overlaps(one, other)) return 0n
  const first = one.first > other.first ? one.first : other.first
  const last = one.last < other.last ? one.last : other.last
  return last - first + 1n
}

/**
 * Addresses of a range that hosts can have: of an IPv4 range not the first and the last, which name the network and its
 * broadcast; of a /31 and a /32 all.
 */
export function usableAddresses(range: AddressRange): bigint {
  const size = rangeSize(range)
  return range.family === 4 && range.prefix < 31 ? size - 2n : size
}

/** The largest blocks of a range that nothing of `taken` touches, in the order of their addresses. */
export function freeBlocks(range: AddressRange, taken: readonly AddressRange[]): AddressRange[] {
  const within = taken
    .filter((each) => overlaps(range, each))
    .toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))
  const free: AddressRange[] = []
  let next = range.first
  for (const each of within) {
    if (each.first > next) free.push(...blocksBetween(next, each.first - 1n, range.family))
    if (each.last >= next) next = each.last + 1n
  }
  if (next <= range.last) free.push(...blocksBetween(next, range.last, range.family))
  return free
}

/** The fewest aligned blocks that make up the addresses from `first` to `last`. */
function blocksBetween(first: bigint, last: bigint, family: 4 | 6): AddressRange[] {
  const blocks: AddressRange[] = []
  let next = first
  while (next <= last) {
    let prefix = bitsOf(family)
    while (prefix > 0) {
      const size = sizeOf(family, prefix - 1)
      if (next % size !== 0n || next + size - 1n > last) break
      prefix -= 1
    }
    const block = rangeAt(next, family, prefix)
    blocks.push(block)
    next = block.last + 1n
  }
  return blocks
}

/**
 * Where a block of this length fits best: in the smallest free block that holds it, so that the largest stays whole.
 * The other free blocks that hold it follow, in the same order; empty where none does.
 */
export function placesFor(
  range: AddressRange,
  taken: readonly AddressRange[],
  prefix: number,
): AddressRange[] {
  return freeBlocks(range, taken)
    .filter((block) => block.prefix <= prefix)
    .toSorted((a, b) => b.prefix - a.prefix || (a.first < b.first ? -1 : 1))
    .map((block) => rangeAt(block.first, block.family, prefix))
}

const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map(
  rangeOf,
)

/** Whether the addresses are free for everybody's own use (RFC 1918, 6598 and 4193), so that nobody else has them. */
export const isPrivate = (range: AddressRange): boolean => privateRanges.some((each) => contains(each, range))

const special = [
  { range: rangeOf('127.0.0.0/8'), why: 'addresses of each machine itself' },
  { range: rangeOf('169.254.0.0/16'), why: 'link-local addresses' },
  { range: rangeOf('224.0.0.0/4'), why: 'multicast addresses' },
  { range: rangeOf('240.0.0.0/4'), why: 'reserved addresses' },
  { range: rangeOf('0.0.0.0/8'), why: 'addresses of "this network"' },
  { range: rangeOf('::/127'), why: 'addresses of each machine itself' },
  { range: rangeOf('fe80::/10'), why: 'link-local addresses' },
  { range: rangeOf('ff00::/8'), why: 'multicast addresses' },
]

/** What makes a range unfit for a network, in words; undefined where nothing does. */
export function rangeRefusal(range: AddressRange): string | undefined {
  const found = special.find((each) => overlaps(each.range, range))
  if (found !== undefined)
    return `${range.cidr} has ${found.why} (${found.range.cidr}), which no network can have.`
  if (!isPrivate(range)) {
    return `${range.cidr} has public addresses, which belong to others on the internet. Choose a private range such as ${
      range.family === 4 ? '10.42.0.0/16' : 'fd42::/48'
    }.`
  }
  return undefined
}
