import type { ConnectionTest } from '@bey/contract'
import { once } from 'node:events'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'

import { trustOptions } from '../../../../platform/outbound/tls-options.ts'
import type { ContextConnection } from '../kubeconfig.ts'
import { endOf } from './dial.ts'

type Chain = ConnectionTest['chain']

export type ShownCertificate = {
  chain: Chain
  /** PEM of each certificate of the chain. */
  pems: string[]
  /** The code with which OpenSSL or Node refuses it; undefined when it is as it should be. */
  refusal: string | undefined
}

const timeoutMs = 8_000

/** Lets the server show its certificate, over a connection on which nothing else is sent: no certificate of ours either. */
export async function showCertificate(
  socket: Duplex,
  { url, caPem, tlsServerName }: ContextConnection,
  now: Date,
): Promise<ShownCertificate> {
  const { host } = endOf(url)
  const name = tlsServerName ?? host
  const tls = connect({
    socket,
    host: name,
    ...(isIP(name) === 0 && { servername: name }),
    ...trustOptions(caPem),
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  })
  const timer = setTimeout(
    () => tls.destroy(Object.assign(new Error('It took too long'), { code: 'ETIMEDOUT' })),
    timeoutMs,
  )
  try {
    await once(tls, 'secureConnect')
    return shown(tls, name, now)
  } finally {
    clearTimeout(timer)
    tls.destroy()
  }
}

function shown(tls: TLSSocket, name: string, now: Date): ShownCertificate {
  const certificates = chainOf(tls.getPeerCertificate(true))
  const refusal = tls.authorized ? undefined : refusalCode(tls)
  return {
    chain: certificates.map((each, index) => ({
      subject: nameOf(each.subject),
      issuer: nameOf(each.issuer),
      validFrom: new Date(each.valid_from).toISOString(),
      validTo: new Date(each.valid_to).toISOString(),
      fingerprint: each.fingerprint256,
      names: namesOf(each).slice(0, 100),
      isAuthority: each.ca ?? false,
      problem:
        refusal === undefined ? null : problemAt(each, index, certificates.length, refusal, { name, now }),
    })),
    pems: certificates.map(({ raw }) => pem(raw)),
    refusal,
  }
}

// Node's type says Error, and its documentation a code; it is either.
function refusalCode({ authorizationError }: TLSSocket): string {
  const error: unknown = authorizationError
  if (typeof error === 'string') return error
  return error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
}

/** As the server sent it, its own first. The last is its own issuer where it sent a root. */
function chainOf(first: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const found: DetailedPeerCertificate[] = []
  let next: DetailedPeerCertificate | undefined = first
  while (
    next?.raw !== undefined &&
    found.length < 10 &&
    !found.some((each) => each.fingerprint256 === next?.fingerprint256)
  ) {
    found.push(next)
    next = next.issuerCertificate
  }
  return found
}

function problemAt(
  certificate: DetailedPeerCertificate,
  index: number,
  length: number,
  refusal: string,
  { name, now }: { name: string; now: Date },
): string | null {
  if (new Date(certificate.valid_to) < now) return `expired ${day(certificate.valid_to)}`
  if (new Date(certificate.valid_from) > now) return `not valid before ${day(certificate.valid_from)}`
  if (refusal === 'ERR_TLS_CERT_ALTNAME_INVALID') return index === 0 ? `not for ${name}` : null
  if (refusal === 'CERT_HAS_EXPIRED' || refusal === 'CERT_NOT_YET_VALID') return null
  return index === length - 1 ? 'not trusted here' : null
}

export function day(text: string): string {
  return new Date(text).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}

function nameOf(name: DetailedPeerCertificate['subject'] | undefined): string {
  const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
  return (first(name?.CN) ?? first(name?.O) ?? 'unnamed').slice(0, 200)
}

function namesOf({ subjectaltname = '' }: DetailedPeerCertificate): string[] {
  return subjectaltname
    .split(', ')
    .map((each) => each.replace(/^(DNS|IP Address|URI|email):/, ''))
    .filter((each) => each !== '')
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
