import { isIPv4, isIPv6 } from 'node:net'

/** An IPv4 or IPv6 address: its 4 or 16 bytes. */
export class IpAddress {
  readonly bytes: readonly number[]

  constructor(bytes: readonly number[]) {
    this.bytes = bytes
  }

  get isV4(): boolean {
    return this.bytes.length === 4
  }

  /** As RFC 5952 writes it. */
  toString(): string {
    if (this.isV4) return this.bytes.join('.')
    const groups = Array.from({ length: 8 }, (_none, i) =>
      (((this.bytes[i * 2] ?? 0) << 8) | (this.bytes[i * 2 + 1] ?? 0)).toString(16),
    )
    // The longest run of zeros, the first of equals, is left out; a single zero stays.
    let [start, length] = [0, 1]
    for (let i = 0; i < 8; i += 1) {
      const run = groups.slice(i).findIndex((group) => group !== '0')
      const own = run < 0 ? 8 - i : run
      if (own > length) [start, length] = [i, own]
    }
    if (length === 1) return groups.join(':')
    return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
  }
}

function v6Bytes(text: string): number[] {
  const plain = text.replace(/[\d.]+\.\d+$/, (v4) => {
    const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = plain.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((one) => Number.parseInt(one, 16)))
  const first = groups(head)
  const last = tail === undefined ? [] : groups(tail)
  const zeros = Array.from<number>({ length: 8 - first.length - last.length }).fill(0)
  return [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 255])
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
}

/** Undefined for what is no address, and for zones and IPv4 addresses inside IPv6 ones, which Kubernetes refuses. */
export function parseIp(text: string): IpAddress | undefined {
  if (isIPv4(text)) return new IpAddress(text.split('.').map(Number))
  if (!isIPv6(text) || text.includes('%')) return undefined
  const bytes = v6Bytes(text)
  return isMapped(bytes) ? undefined : new IpAddress(bytes)
}

/** A network such as `10.0.0.0/8`; the address may have bits beyond the prefix. */
export class Cidr {
  readonly address: IpAddress
  readonly prefixLength: number

  constructor(address: IpAddress, prefixLength: number) {
    this.address = address
    this.prefixLength = prefixLength
  }

  masked(): Cidr {
    const bytes = this.address.bytes.map((byte, i) => {
      const kept = Math.min(8, Math.max(0, this.prefixLength - i * 8))
      return byte & (0xff00 >> kept) & 0xff
    })
    return new Cidr(new IpAddress(bytes), this.prefixLength)
  }

  contains(address: IpAddress): boolean {
    if (address.isV4 !== this.address.isV4) return false
    const other = new Cidr(address, this.prefixLength).masked().address.bytes
    return this.masked().address.bytes.every((byte, i) => byte === other[i])
  }

  toString(): string {
    return `${this.address.toString()}/${this.prefixLength}`
  }
}

export function parseCidr(text: string): Cidr | undefined {
  const [, ip = '', length = ''] = /^(.+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseIp(ip)
  const isPlain = length === String(Number(length))
  if (!address || !isPlain || Number(length) > address.bytes.length * 8) return undefined
  return new Cidr(address, Number(length))
}
