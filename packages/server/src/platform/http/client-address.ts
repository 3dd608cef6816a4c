import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'

/** Whether what an address says in `X-Forwarded-For` is believed. */
export type TrustsProxy = (address: string) => boolean

/** `proxies` are addresses and CIDR blocks, as `BEY_TRUSTED_PROXIES` names them. */
export function trustedProxies(proxies: readonly string[]): TrustsProxy {
  const trusts = proxyAddress.compile([...proxies])
  return (address) => trusts(address, 0)
}

/** Who sent a request: the nearest address that is no trusted proxy. */
export type ClientAddress = (request: IncomingMessage) => string

export function clientAddress(trusts: TrustsProxy): ClientAddress {
  return (request) => {
    const peer = request.socket.remoteAddress
    // For a connection that is closed already.
    if (peer === undefined) return ''
    return trusts(peer) ? proxyAddress(request, trusts) : peer
  }
}

/**
 * What limits are counted by: an IPv4 address, or the /64 network of an IPv6 address, which one subscriber has whole
 * and can take a new address of for every request.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  const mapped = bare.replace(/^::ffff:/, '')
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(bare)) return bare.slice(0, 64)
  const [head = '', tail] = bare.split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
