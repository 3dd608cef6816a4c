import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'

import type { AddressGuard } from './address-guard.ts'

/** An address that this server does not connect to. The message is a sentence that may be shown. */
export class OutboundRefused extends Error {
  readonly code = 'EOUTBOUND'

  constructor(message: string) {
    super(message)
    this.name = 'OutboundRefused'
  }
}

/** Connections to addresses that users name: checked on the resolved address, at the moment of connecting. */
export type Outbound = {
  guard: AddressGuard
  /** For `lookup` of sockets and requests: answers allowed addresses only, fails with OutboundRefused when there is none. */
  lookup: LookupFunction
  /** For hosts that are addresses already, which no socket looks up. Undefined: look it up. */
  refusalOfHost(host: string): OutboundRefused | undefined
}

/** `resolve` looks names up; by default the system does. */
export function createOutbound(guard: AddressGuard, resolve: typeof lookup = lookup): Outbound {
  return {
    guard,
    lookup(hostname, options, callback) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, '', 0)
        const allowed = found.filter(({ address }) => guard.refusalOf(address) === undefined)
        const [first] = allowed
        if (first === undefined) return callback(refusalOf(hostname, found[0]?.address ?? '', guard), '', 0)
        if (options.all) callback(null, allowed)
        else callback(null, first.address, first.family)
      })
    },
    refusalOfHost(host) {
      const bare = host.replace(/^\[|\]$/g, '')
      if (isIP(bare) === 0) return undefined
      const reason = guard.refusalOf(bare)
      return reason === undefined ? undefined : new OutboundRefused(`${bare} ${reason}`)
    },
  }
}

function refusalOf(hostname: string, address: string, guard: AddressGuard): OutboundRefused {
  return new OutboundRefused(
    `${hostname} resolves to ${address}, which ${guard.refusalOf(address) ?? 'is not allowed'}`,
  )
}
