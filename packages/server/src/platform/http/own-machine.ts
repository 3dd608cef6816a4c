import type { PublicCaller } from './handlers.ts'

/**
 * Whether a request was sent on this machine and by no proxy. A page of the internet whose name was pointed at this machine
 * has a Host header that is not of this machine, and what a proxy on this machine passes on seems to come from this machine.
 */
export function isFromThisMachine(caller: PublicCaller, isLoopback: (host: string) => boolean): boolean {
  const isHere = isLoopback(addressOf(caller.ip)) && isLoopback(hostOf(caller.host))
  return isHere && !caller.isForwarded
}

function addressOf(ip: string): string {
  return ip.replace(/^::ffff:/, '')
}

function hostOf(header: string): string {
  const url = `http://${header}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
}
