import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'

import type { Outbound } from './outbound.ts'

/** A proxy that was reached, but opened no way to the other side. `status` is what it answered. */
export class ProxyRefused extends Error {
  readonly code = 'EPROXY'
  readonly status: number

  constructor(status: number) {
    super(`The proxy answered ${status}`)
    this.name = 'ProxyRefused'
    this.status = status
  }
}

/** A proxy that could not be reached; `cause` is the error of its connection. */
export class ProxyUnreachable extends Error {
  readonly code = 'EPROXYCONNECT'

  constructor(cause: unknown) {
    super('The proxy does not answer', { cause })
    this.name = 'ProxyUnreachable'
  }
}

export type Tunnel = {
  proxyUrl: string
  host: string
  port: number
  outbound: Outbound | undefined
  timeoutMs: number
}

/**
 * Asks an HTTP or HTTPS proxy for a way to `host:port` (CONNECT, RFC 9110 section 9.3.6). The proxy's own address passes
 * the guard; where the other name leads, the proxy alone knows, but an address that is named is checked.
 */
export function openTunnel({ proxyUrl, host, port, outbound, timeoutMs }: Tunnel): Promise<Duplex> {
  const proxy = new URL(proxyUrl)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const refusal = outbound?.refusalOfHost(host) ?? outbound?.refusalOfHost(proxy.hostname)
    if (refusal) return reject(refusal)
    const isTls = proxy.protocol === 'https:'
    const asked = (isTls ? httpsRequest : httpRequest)({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (isTls ? 443 : 80),
      path: authority,
      agent: false,
      headers: { host: authority, ...credentialsOf(proxy) },
      ...(outbound && { lookup: outbound.lookup }),
    })
    const timer = setTimeout(
      () => asked.destroy(Object.assign(new Error('The proxy took too long'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    asked.once('connect', (answer: IncomingMessage, socket: Duplex) => {
      clearTimeout(timer)
      const status = answer.statusCode ?? 0
      if (status >= 200 && status < 300) return resolve(socket)
      socket.destroy()
      reject(new ProxyRefused(status))
    })
    asked.once('response', (answer) => {
      clearTimeout(timer)
      answer.destroy()
      reject(new ProxyRefused(answer.statusCode ?? 0))
    })
    asked.once('error', (error) => {
      clearTimeout(timer)
      reject('code' in error && error.code === 'EOUTBOUND' ? error : new ProxyUnreachable(error))
    })
    asked.end()
  })
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` }
}
