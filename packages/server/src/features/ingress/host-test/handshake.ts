import type { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { HostTest } from '@bey/contract'

import { trustOptions } from '../../../platform/outbound/tls-options.ts'
import { fingerprintOf, nameOf } from '../read-certificate.ts'

type Certificate = NonNullable<HostTest['certificate']>
export type Handshake = { socket: TLSSocket; certificate: Certificate; text: string } | { problem: string }

/** Begins TLS on a connection. A certificate that a browser would refuse is answered with the reason, and used all the same. */
export function handshake(
  socket: Socket,
  { host, expected, timeoutMs }: { host: string; expected: readonly string[] | undefined; timeoutMs: number },
): Promise<Handshake> {
  return new Promise((resolve) => {
    const secure = connect({
      socket,
      ...(isIP(host) === 0 && { servername: host }),
      host,
      // What is wrong with a certificate is what is looked for; nothing secret is sent.
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      ...trustOptions(''),
    })
    const end = (problem: string) => {
      clearTimeout(timer)
      secure.destroy()
      resolve({ problem })
    }
    const timer = setTimeout(
      () => end(`TLS was not agreed on within ${timeoutMs / 1000} s: it may not speak TLS on this port.`),
      timeoutMs,
    )
    secure.on('error', (error: NodeJS.ErrnoException) => end(problemOf(error)))
    secure.once('close', () => end('It closed the connection before TLS was agreed on.'))
    secure.once('secureConnect', () => {
      clearTimeout(timer)
      const shown = secure.getPeerX509Certificate()
      if (shown === undefined) return end('It shows no certificate.')
      const fingerprint = fingerprintOf(shown)
      const isFromSecret = expected === undefined ? null : expected.includes(fingerprint)
      const problem = ownProblem(shown, host) ?? trustProblem(secure)
      const version = secure.getProtocol() ?? 'TLS'
      const compared =
        isFromSecret === null
          ? ''
          : isFromSecret
            ? ', the certificate of the Secret'
            : ', not the certificate of the Secret'
      resolve({
        socket: secure,
        text: `${version}${compared}`,
        certificate: {
          subject: nameOf(shown.subject),
          issuer: nameOf(shown.issuer),
          expiresAt: shown.validToDate.toISOString(),
          fingerprint,
          isTrusted: problem === null,
          problem,
          isFromSecret,
        },
      })
    })
  })
}

function problemOf({ code = '' }: NodeJS.ErrnoException): string {
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'It closed the connection before TLS was agreed on.'
  if (code.startsWith('ERR_SSL') || code === 'EPROTO')
    return code.includes('ALERT') ? 'It refuses TLS for this name.' : 'It does not speak TLS on this port.'
  return 'TLS could not be agreed on.'
}

/** Problems of the certificate itself, checked apart from its chain: TLS reports the first problem alone, often the issuer. */
function ownProblem(shown: X509Certificate, host: string): string | undefined {
  const now = Date.now()
  if (shown.validToDate.getTime() <= now)
    return `The certificate expired on ${shown.validToDate.toISOString().slice(0, 10)}.`
  if (shown.validFromDate.getTime() > now) return 'The certificate is not valid yet.'
  const isForHost = isIP(host) === 0 ? shown.checkHost(host) : shown.checkIP(host)
  return isForHost === undefined ? `The certificate is not for ${host}.` : undefined
}

/** Why a browser would not trust the chain of a certificate, in a sentence; null where it would. */
function trustProblem(socket: TLSSocket): string | null {
  if (socket.authorized) return null
  // Of type Error by its declaration, and a code as text where the chain is what is wrong.
  const error = socket.authorizationError as Error | string | null
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'A certificate of its chain has expired.'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'The certificate signs itself: browsers do not trust it.'
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'The certificate is of an authority that this server does not trust.'
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'The issuer of the certificate is not trusted here, or a certificate between is not sent.'
    default:
      return 'The certificate cannot be verified.'
  }
}
