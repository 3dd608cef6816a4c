import { lookup as resolve, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses that webhooks may be called on, each as `10.0.0.7`, `10.0.0.0/8`, `10.0.0.7:9443` or `[fd00::1]:9443`. */
export type WebhookTargets = {
  readonly isEmpty: boolean
  /** Whether a connection to this address and port may be made. */
  allows(address: string, port: number): boolean
}

/** The address is not one that the operator of this sandbox allows. */
export class TargetRefused extends Error {
  constructor() {
    super(
      'connection refused: this sandbox calls webhooks only on services of its own cluster and on addresses that its operator allows',
    )
  }
}

// Where machines keep credentials for anyone who asks from inside: no configuration opens these.
const never = new BlockList()
never.addSubnet('169.254.0.0', 16, 'ipv4')
never.addSubnet('fe80::', 10, 'ipv6')
never.addAddress('fd00:ec2::254', 'ipv6')
never.addAddress('100.100.100.200', 'ipv4')
never.addSubnet('0.0.0.0', 8, 'ipv4')
never.addAddress('::', 'ipv6')

/** Reads the addresses of the command line or of a program's options. Throws with a sentence for one that is none. */
export function webhookTargets(texts: readonly string[]): WebhookTargets {
  const lists = texts.map(readTarget)
  return {
    isEmpty: lists.length === 0,
    allows(address, port) {
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (isIP(address) === 0 || never.check(address, family)) return false
      return lists.some((one) => (one.port ?? port) === port && one.addresses.check(address, family))
    },
  }
}

function readTarget(text: string): { addresses: BlockList; port: number | undefined } {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text)
  const plain = /^([\d.]+(?:\/\d{1,2})?)(?::(\d{1,5}))?$/.exec(text)
  const [, network = text, port] = bracketed ?? plain ?? []
  const [address = '', prefix] = network.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const bits = prefix === undefined ? undefined : Number(prefix)
  const isRight =
    isIP(address) !== 0 && (bits === undefined || (bits >= 0 && bits <= (family === 'ipv6' ? 128 : 32)))
  if (!isRight || Number(port ?? 0) > 65_535)
    throw new Error(
      `"${text}" is no address that webhooks can be called on. Give an IP address or a network, with or without a port, such as 10.0.0.0/8 or 127.0.0.1:9443.`,
    )
  const addresses = new BlockList()
  if (bits === undefined) addresses.addAddress(address, family)
  else addresses.addSubnet(address, bits, family)
  return { addresses, port: port === undefined ? undefined : Number(port) }
}

/**
 * Resolves names for a connection to `port`, and fails with TargetRefused unless every address that it could use is
 * allowed: what is checked is what is connected to.
 */
export function guardedLookup(targets: WebhookTargets, port: number): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const isAllowed =
        !error && found.length > 0 && found.every(({ address }) => targets.allows(address, port))
      const [first] = isAllowed ? found : []
      // Whether the name exists is nobody's business either.
      if (first === undefined) return done(new TargetRefused(), '', 0)
      if (options.all) done(null, found)
      else done(null, first.address, first.family)
    })
  }
}
