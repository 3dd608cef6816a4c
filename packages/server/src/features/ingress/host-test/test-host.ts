import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { HostTest } from '@bey/contract'
import { hostTestLimits } from '@bey/contract/ingress/rules'

import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { connectTcp } from './connect.ts'
import { readFirstByte, statusSentence } from './first-byte.ts'
import { handshake } from './handshake.ts'

export type TestedHost = {
  host: string
  port: number
  path: string
  isTls: boolean
  /** Connected to instead of what the name resolves to. */
  address?: string | undefined
  /** Fingerprints of the certificates that the host is to show; undefined where none could be read. */
  expected: readonly string[] | undefined
}

export type Resolve = (host: string) => Promise<string[]>
type Step = HostTest['steps'][number]
type Outcome = Omit<HostTest, 'at'>

const timeoutMs = hostTestLimits.stepTimeoutMs
const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/**
 * Connects to a host as a browser does, step by step, and reads the beginning of what it answers to a GET. Each step has
 * 5 s. Connections go to the very addresses that were checked. Never throws for what the host does.
 */
export async function testHost(
  outbound: Outbound,
  tested: TestedHost,
  resolve: Resolve = resolveBySystem,
): Promise<Outcome> {
  const { host, port, path, isTls } = tested
  const beganMs = performance.now()
  const steps: Step[] = []
  const sinceStart = () => round(performance.now() - beganMs)
  const add = (step: Omit<Step, 'durationMs'>) =>
    steps.push({ ...step, durationMs: round(sinceStart() - step.startMs) })
  const answer = (
    result: Outcome['result'],
    sentence: string,
    more: Partial<Pick<Outcome, 'addresses' | 'certificate' | 'status'>> = {},
  ): Outcome => ({
    host,
    port,
    path,
    isTls,
    durationMs: sinceStart(),
    result,
    sentence,
    steps,
    addresses: [],
    certificate: null,
    status: null,
    ...more,
  })

  const named = await addressesOf(tested, resolve)
  add({ step: 'dns', subject: host, state: named.state, startMs: 0, text: named.text })
  if (named.addresses.length === 0) return answer('failed', named.text)
  const { addresses } = named

  const tcp = await Promise.all(
    addresses.map(async (address) => {
      const startMs = sinceStart()
      const found = await connectTcp(outbound, { address, port, timeoutMs })
      const text = 'socket' in found ? 'connected' : found.problem
      const state = 'socket' in found ? ('passed' as const) : ('failed' as const)
      add({ step: 'tcp', subject: `${address} port ${port}`, state, startMs, text })
      return { address, text, socket: 'socket' in found ? found.socket : undefined }
    }),
  )
  const [first, ...others] = tcp.flatMap(({ address, socket }) => (socket ? [{ address, socket }] : []))
  for (const { socket } of others) socket.destroy()
  const closed = tcp.filter(({ socket }) => socket === undefined)
  if (first === undefined)
    return answer('failed', `${host} port ${port}: ${tcp[0]?.text ?? 'no connection'}.`, { addresses })

  let stream = first.socket
  try {
    let certificate: Outcome['certificate'] = null
    if (isTls) {
      const startMs = sinceStart()
      const found = await handshake(stream, { host, expected: tested.expected, timeoutMs })
      const text = 'problem' in found ? found.problem : (found.certificate.problem ?? found.text)
      const isFine = 'socket' in found && found.certificate.problem === null
      add({ step: 'tls', subject: host, state: isFine ? 'passed' : 'failed', startMs, text })
      if ('problem' in found) return answer('failed', found.problem, { addresses })
      stream = found.socket
      certificate = found.certificate
    }
    const startMs = sinceStart()
    const reply = await readFirstByte(stream, { host, port, path, isTls, timeoutMs })
    const isAnswered = 'status' in reply
    const text = isAnswered ? statusSentence(reply, path) : reply.problem
    const isGood = isAnswered && reply.status < 400
    add({
      step: 'http',
      subject: `GET ${path.split('?')[0]}`,
      state: isGood ? 'passed' : 'failed',
      startMs,
      text,
    })
    const found = { addresses, certificate, status: isAnswered ? reply.status : null }
    if (!isAnswered) return answer('failed', reply.problem, found)
    const worst = certificate?.problem ?? (isGood ? undefined : text)
    if (worst !== undefined) return answer('failed', worst, found)
    if (certificate?.isFromSecret === false)
      return answer('warned', 'It works, but shows another certificate than the Secret holds.', found)
    if (closed.length > 0)
      return answer(
        'warned',
        `It works at ${first.address}, but not at ${closed.map(({ address }) => address).join(', ')}.`,
        found,
      )
    return answer('passed', `It works: ${text}`, found)
  } finally {
    first.socket.destroy()
    stream.destroy()
  }
}

async function addressesOf(
  { host, address }: TestedHost,
  resolve: Resolve,
): Promise<{ state: Step['state']; text: string; addresses: string[] }> {
  if (address !== undefined) return { state: 'skipped', text: `${address} was given.`, addresses: [address] }
  if (isIP(host) !== 0) return { state: 'skipped', text: 'It is an address.', addresses: [host] }
  const failed = (text: string) => ({ state: 'failed' as const, text, addresses: [] })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), timeoutMs)
  })
  try {
    const found = await Promise.race([resolve(host), late])
    if (found === undefined) return failed('The name servers did not answer within 5 s.')
    const addresses = [...new Set(found)].slice(0, hostTestLimits.addresses)
    if (addresses.length === 0) return failed(`${host} has no address.`)
    return { state: 'passed', text: addresses.join(', '), addresses }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return failed(
      code === 'ENOTFOUND' || code === 'ENODATA'
        ? `There is no such name: ${host} does not resolve.`
        : 'The name servers of this machine cannot resolve it at the moment.',
    )
  } finally {
    clearTimeout(timer)
  }
}

const round = (ms: number) => Math.max(0, Math.round(ms * 10) / 10)
