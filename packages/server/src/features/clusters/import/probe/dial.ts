import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import type { Duplex } from 'node:stream'

import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import { openTunnel } from '../../../../platform/outbound/tunnel.ts'
import type { ContextConnection } from '../kubeconfig.ts'
import type { Checks } from './checks.ts'
import { problemOf } from './problems.ts'

const timeoutMs = 5_000

/** Finds, checks and reaches what a connection names first: its proxy, or the server itself. Undefined where that stopped. */
export async function dial(
  { url, proxyUrl }: ContextConnection,
  outbound: Outbound,
  checks: Checks,
): Promise<Duplex | undefined> {
  const target = endOf(url)
  const first = proxyUrl === undefined ? target : endOf(proxyUrl)
  const addresses = await checks.run('name', async () => {
    const beganMs = performance.now()
    const found = await addressesOf(first.host)
    return { value: found, detail: isIP(first.host) ? 'is an address' : `${found[0]}, ${since(beganMs)}` }
  })
  if (addresses === undefined) return undefined
  const isAllowed = await checks.run('address', async () => {
    const allowed = addresses.filter((address) => outbound.guard.refusalOf(address) === undefined)
    const named = proxyUrl === undefined ? undefined : outbound.refusalOfHost(target.host)
    if (named) throw named
    const [address = first.host] = addresses
    if (allowed.length === 0) {
      const reason = outbound.guard.refusalOf(address) ?? 'is not allowed'
      return checks.fail(problemOf.address(`${address} ${reason}.`))
    }
    const kind = outbound.guard.kindOf(allowed[0] ?? '')
    return { value: true, detail: kind === 'public' ? 'public' : `${kind}, allowed here` }
  })
  if (!isAllowed) return undefined
  return checks.run('connection', async () => {
    const beganMs = performance.now()
    const socket =
      proxyUrl === undefined
        ? await connectTo(target, outbound)
        : await openTunnel({ proxyUrl, ...target, outbound, timeoutMs })
    const way = proxyUrl === undefined ? '' : ` through ${first.host}`
    return { value: socket, detail: `port ${target.port}${way}, ${since(beganMs)}` }
  })
}

const since = (beganMs: number): string => `${Math.max(1, Math.round(performance.now() - beganMs))} ms`

export function endOf(text: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(text)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host]
  const found = await Promise.race([lookup(host, { all: true }), late()])
  return found.map(({ address }) => address)
}

async function late(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())
  throw Object.assign(new Error('The name servers took too long'), { code: 'EAI_AGAIN' })
}

function connectTo(target: { host: string; port: number }, outbound: Outbound): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const refusal = outbound.refusalOfHost(target.host)
    if (refusal) return reject(refusal)
    const socket = connect({ ...target, lookup: outbound.lookup })
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(Object.assign(new Error('It took too long'), { code: 'ETIMEDOUT' })),
    )
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
  })
}
