import { OutboundRefused } from './outbound.ts'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection without an answer',
  EPIPE: 'closed the connection without an answer',
  ENOTFOUND: 'is a name that does not resolve',
  EAI_AGAIN: 'is a name that cannot be resolved at the moment',
  EHOSTUNREACH: 'cannot be reached from this server',
  ENETUNREACH: 'cannot be reached from this server',
  ETIMEDOUT: 'did not take the connection in time',
  HPE_HEADER_OVERFLOW: 'sent more headers than are read',
  EPROTO: 'does not speak TLS on this port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS on this port',
  CERT_NOT_YET_VALID: 'shows a certificate that is not valid yet',
  INVALID_PURPOSE: 'shows a certificate that is not for servers',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a certificate that signs itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate of an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a certificate of an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'shows a certificate that cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate for another name',
}

/** Why a connection to a host failed, as a sentence that holds no part of the URL but its host. */
export function connectionSentence(error: unknown, host: string): string {
  if (error instanceof OutboundRefused) return `${error.message}.`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('HPE_')) return `${host} ${reasons[code] ?? 'answered something that is not HTTP'}.`
  if (code.startsWith('CERT_'))
    return `${host} ${reasons[code] ?? 'shows a certificate that is not accepted'}.`
  return `${host} ${reasons[code] ?? 'cannot be reached'}.`
}
