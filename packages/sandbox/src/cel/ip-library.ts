import type { Environment } from '@marcbachmann/cel-js'
import { Cidr, IpAddress, parseCidr, parseIp } from './ip-address.ts'

/** Carries `ip.isCanonical`, which is called on the name of the function itself. */
class IpFunctions {}

function ip(text: string): IpAddress {
  const found = parseIp(text)
  if (!found) throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`)
  return found
}

function cidr(text: string): Cidr {
  const found = parseCidr(text)
  if (!found)
    throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`)
  return found
}

const all = (bytes: readonly number[], value: number) => bytes.every((byte) => byte === value)

function isLoopback({ isV4, bytes }: IpAddress): boolean {
  return isV4 ? bytes[0] === 127 : all(bytes.slice(0, 15), 0) && bytes[15] === 1
}

function isLinkLocalUnicast({ isV4, bytes: [a = 0, b = 0] }: IpAddress): boolean {
  return isV4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80
}

function isLinkLocalMulticast({ isV4, bytes: [a = 0, b = 0, c = 0] }: IpAddress): boolean {
  return isV4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2
}

function isGlobalUnicast(address: IpAddress): boolean {
  const { isV4, bytes } = address
  const [a = 0] = bytes
  const isMulticast = isV4 ? a >= 224 && a < 240 : a === 0xff
  return !(
    isMulticast ||
    all(bytes, 0) ||
    (isV4 && all(bytes, 255)) ||
    isLoopback(address) ||
    isLinkLocalUnicast(address)
  )
}

function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return inner.prefixLength >= outer.prefixLength && outer.contains(inner.masked().address)
}

const isSame = (a: IpAddress | Cidr, b: IpAddress | Cidr) => a.toString() === b.toString()

/** The functions for addresses and networks of Kubernetes' expressions. */
export function addIpLibrary(environment: Environment): Environment {
  return environment
    .registerType('IP', { ctor: IpAddress, fields: {} })
    .registerType('CIDR', { ctor: Cidr, fields: {} })
    .registerType('IpFunctions', { ctor: IpFunctions, fields: {} })
    .registerConstant('ip', 'IpFunctions', new IpFunctions())
    .registerFunction('isIP(string): bool', (text: string) => parseIp(text) !== undefined)
    .registerFunction('ip(string): IP', ip)
    .registerFunction(
      'IpFunctions.isCanonical(string): bool',
      (_self: IpFunctions, text: string) => ip(text).toString() === text,
    )
    .registerFunction('string(IP): string', String)
    .registerOperator('IP == IP', isSame)
    .registerFunction('IP.family(): int', ({ isV4 }: IpAddress) => (isV4 ? 4n : 6n))
    .registerFunction('IP.isUnspecified(): bool', ({ bytes }: IpAddress) => all(bytes, 0))
    .registerFunction('IP.isLoopback(): bool', isLoopback)
    .registerFunction('IP.isLinkLocalMulticast(): bool', isLinkLocalMulticast)
    .registerFunction('IP.isLinkLocalUnicast(): bool', isLinkLocalUnicast)
    .registerFunction('IP.isGlobalUnicast(): bool', isGlobalUnicast)
    .registerFunction('isCIDR(string): bool', (text: string) => parseCidr(text) !== undefined)
    .registerFunction('cidr(string): CIDR', cidr)
    .registerFunction('string(CIDR): string', String)
    .registerOperator('CIDR == CIDR', isSame)
    .registerFunction('CIDR.containsIP(IP): bool', (net: Cidr, address: IpAddress) => net.contains(address))
    .registerFunction('CIDR.containsIP(string): bool', (net: Cidr, text: string) => net.contains(ip(text)))
    .registerFunction('CIDR.containsCIDR(CIDR): bool', containsCidr)
    .registerFunction('CIDR.containsCIDR(string): bool', (net: Cidr, text: string) =>
      containsCidr(net, cidr(text)),
    )
    .registerFunction('CIDR.ip(): IP', ({ address }: Cidr) => address)
    .registerFunction('CIDR.masked(): CIDR', (net: Cidr) => net.masked())
    .registerFunction('CIDR.prefixLength(): int', ({ prefixLength }: Cidr) => BigInt(prefixLength))
}
