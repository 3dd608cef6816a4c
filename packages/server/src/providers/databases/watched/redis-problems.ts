import { addressText, type Cause, socketCauses, type Target } from './socket-problems.ts'

/** What is wrong with a connection to Redis or Valkey and what helps. Never quotes the password. */
export function redisProblemOf(error: unknown, target: Target): string {
  const { code = '', message } = error as { code?: string; message: string }
  const byCode = byCodes[code]
  if (byCode !== undefined) return byCode(target, message)
  const byText = texts.find(([pattern]) => pattern.test(message))
  if (byText !== undefined) return byText[1](target, message)
  return `The server at ${addressText(target)} could not be asked${code === '' ? '' : ` (${code})`}: ${message.replace(/\.?$/, '.')}`
}

const notRedis: Cause = ({ host, port, tls }) =>
  `What answers at ${host}:${port} closed the connection without speaking Redis${tls === 'disable' ? '' : ' over TLS'}. Check the port${tls === 'disable' ? ', and whether the server asks for TLS (rediss://)' : ''}.`

const byCodes: Readonly<Record<string, Cause>> = {
  ...socketCauses('Redis'),
  ECONNRESET: notRedis,
  EPIPE: notRedis,
  EPROTO: ({ host, port }) =>
    `What answers at ${host}:${port} does not speak TLS. Begin the address with redis:// to connect without, or check the port.`,
  ERR_SSL_WRONG_VERSION_NUMBER: ({ host, port }) =>
    `What answers at ${host}:${port} does not speak TLS. Begin the address with redis:// to connect without, or check the port.`,
}

const texts: readonly (readonly [RegExp, Cause])[] = [
  [
    /^NOAUTH/,
    ({ username }) =>
      `The server asks for a password of the user "${username}", and the connection string has none.`,
  ],
  [
    /^WRONGPASS/,
    ({ username }) => `The server refuses the user "${username}" with this password. Check both.`,
  ],
  [
    /without any password configured/,
    () => 'The server asks for no password, and the connection string has one. Leave it out.',
  ],
  [
    /DB index is out of range|invalid DB index/,
    ({ databaseName }) => `The server has no database ${databaseName}. Use a smaller number, such as 0.`,
  ],
  [/SELECT is not allowed in cluster mode/, () => 'A cluster has the database 0 alone. Use 0.'],
  [
    /^NOPERM.*'?info'?/i,
    ({ username }) =>
      `The user "${username}" may not execute INFO, without which nothing is known of the server. Grant it there: ACL SETUSER ${username} +info +select +client|setname +slowlog|get.`,
  ],
  [
    /^NOPERM/,
    ({ username }, message) =>
      `The user "${username}" lacks a right on the server: ${message.replace(/\.?$/, '.')}`,
  ],
  [/^LOADING/, () => 'The server is loading its data and takes no commands yet.'],
  [/max number of clients/, () => 'The server has no connection left. Close some, or raise its maxclients.'],
  [
    /protected mode/i,
    () =>
      'The server is in protected mode: it admits only programs on its own machine until it has a password.',
  ],
  [
    /Command timed out|ETIMEDOUT/,
    (target) => `The server at ${addressText(target)} does not answer within 10 s.`,
  ],
  [/Protocol error|Unknown RESP type|Connection is closed|closed$/i, notRedis],
]
