import type { ExternalTarget } from '../../features/databases/provider.ts'

type Target = Pick<ExternalTarget, 'host' | 'port' | 'databaseName' | 'username' | 'tls' | 'password'>
type Cause = (target: Target, message: string) => string

/** What is wrong with a connection and what helps, as sentences. Never quotes the password. */
export function problemOf(error: unknown, target: Target): string {
  const { code = '', message } = error as { code?: string; message: string }
  const byCode = causes[code]
  if (byCode !== undefined) return byCode(target, message)
  const byText = texts.find(([text]) => message.includes(text))
  if (byText !== undefined) return byText[1](target, message)
  if (/^[0-9A-Z]{5}$/.test(code)) return `The server refuses the connection: ${message} (${code}).`
  return `The server at ${place(target)} could not be reached${code === '' ? '' : ` (${code})`}: ${message}.`
}

const place = ({ host, port }: Target) => `${host}:${port}`

const isUntrusted: Cause = () =>
  'The certificate of the server is not signed by an authority that this machine trusts. Add the certificate of its authority, or use sslmode=require to encrypt without this check.'

const causes: Readonly<Record<string, Cause>> = {
  ENOTFOUND: ({ host }) =>
    `The host name "${host}" is not known. Check its spelling, and whether this machine can look it up.`,
  EAI_AGAIN: ({ host }) =>
    `The host name "${host}" could not be looked up, because no name server answered. Try again, or use an address.`,
  ECONNREFUSED: ({ host, port }) =>
    `Nothing accepts connections on port ${port} of ${host}. Check the port, and whether PostgreSQL runs there and listens for other machines (listen_addresses).`,
  ETIMEDOUT: (target) => timedOut(target),
  EHOSTUNREACH: ({ host }) =>
    `There is no route to ${host}. Check the address and the network of this machine.`,
  ENETUNREACH: ({ host }) =>
    `There is no route to ${host}. Check the address and the network of this machine.`,
  ECONNRESET: (target) => notPostgres(target),
  EOUTBOUND: (_target, message) => `Not connected: ${message}.`,
  '28P01': ({ username }) => `The server refuses the user "${username}" with this password. Check both.`,
  '28000': ({ username, databaseName, tls }, message) =>
    message.includes('pg_hba.conf')
      ? `The server admits no connection of the user "${username}" to "${databaseName}" from this machine${tls === 'disable' ? ' without encryption' : ''}. Add a line to its pg_hba.conf, or connect with TLS.`
      : `The server does not know the user "${username}", or does not let it log in.`,
  '3D000': ({ databaseName }) => `The server has no database "${databaseName}". Check its name.`,
  '42501': ({ username, databaseName }) =>
    `The user "${username}" may not connect to "${databaseName}". Grant it CONNECT on the database.`,
  '53300': () => 'The server has no connection left. Close some, or raise its max_connections.',
  '57P03': () => 'The server is starting or stopping and takes no connections yet.',
  SELF_SIGNED_CERT_IN_CHAIN: isUntrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: isUntrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: isUntrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: isUntrusted,
  UNABLE_TO_GET_ISSUER_CERT: isUntrusted,
  CERT_HAS_EXPIRED: () =>
    'The certificate of the server has expired. Renew it, or use sslmode=require to encrypt without this check.',
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) =>
    `The certificate of the server is for another name than "${host}". Connect by its name, or use sslmode=verify-ca.`,
}

const texts: readonly (readonly [string, Cause])[] = [
  [
    'does not support SSL',
    ({ tls }) =>
      `The server offers no TLS, and the connection asks for it (sslmode=${tls}). Switch TLS on there, or use sslmode=disable.`,
  ],
  ['timeout', (target) => timedOut(target)],
  ['error establishing an SSL connection', (target) => notPostgres(target)],
  ['Connection terminated unexpectedly', (target) => notPostgres(target)],
  [
    'SASL',
    ({ username, password }) =>
      password === null
        ? `The server asks for a password of the user "${username}", and the connection has none.`
        : `The login of the user "${username}" failed: the server asks for a kind of login that Bey does not speak.`,
  ],
]

function timedOut(target: Target): string {
  return `The server at ${place(target)} does not answer within 10 s. Check the address, and whether a firewall lets this machine through.`
}

function notPostgres(target: Target): string {
  return `What answers at ${place(target)} closed the connection without speaking PostgreSQL. Check the port.`
}
