import { isIPv6 } from 'node:net'

import { ConfigError } from '../errors.ts'

export type PeerAddress = { host: string; port: number }

/**
 * `host:port`, where the host is a name or an address, of IPv6 with or without brackets; undefined for anything else. Port 0 is any
 * free one.
 */
export function parsePeerAddress(text: string): PeerAddress | undefined {
  const [, named = '', port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const host = named.replace(/^\[(.+)\]$/, '$1')
  const isHost = isIPv6(host) || (host === named && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host))
  return isHost && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined
}

export function formatPeerAddress({ host, port }: PeerAddress): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}

/** Reads `BEY_PEER_ADDRESS`. Throws ConfigError. */
export function readPeerAddress(read: (name: string) => string | undefined): PeerAddress | undefined {
  const value = read('BEY_PEER_ADDRESS')
  if (value === undefined) return undefined
  if (read('DATABASE_URL') === undefined) {
    throw new ConfigError(
      'BEY_PEER_ADDRESS shares watches with other processes, but the embedded database belongs to one. Set DATABASE_URL to a PostgreSQL that all of them reach, or unset BEY_PEER_ADDRESS.',
    )
  }
  const address = parsePeerAddress(value)
  if (address && ['0.0.0.0', '::'].includes(address.host)) {
    throw new ConfigError(
      `BEY_PEER_ADDRESS is ${value}, at which nobody reaches this process. Set BEY_PEER_ADDRESS to its own address among the others, for example 10.0.0.5:8090.`,
    )
  }
  if (address) return address
  throw new ConfigError(
    `BEY_PEER_ADDRESS is "${value}". Set BEY_PEER_ADDRESS to the host and port at which the other processes reach this one, for example 10.0.0.5:8090.`,
  )
}
