import { addressText, type Cause, socketCauses, type Target } from './socket-problems.ts'

/** What is wrong with a connection to MySQL or MariaDB and what helps. Never quotes the password. */
export function mysqlProblemOf(error: unknown, target: Target): string {
  const { code = '', message } = error as { code?: string; message: string }
  // mysql2 has one code for whatever ends the handshake of TLS.
  const byText =
    code === 'HANDSHAKE_SSL_ERROR' ? tlsCodes.find(([text]) => text.test(message))?.[1] : undefined
  const cause = causes[byText ?? code]
  if (cause !== undefined) return cause(target, message)
  if (code.startsWith('ER_')) return `The server refuses the connection: ${message} (${code}).`
  return `The server at ${addressText(target)} could not be reached${code === '' ? '' : ` (${code})`}: ${message}.`
}

const tlsCodes: readonly (readonly [RegExp, string])[] = [
  [/altnames/, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/expired/, 'CERT_HAS_EXPIRED'],
  [/verify|self.signed|issuer/, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
]

const notMysql: Cause = (target) =>
  `What answers at ${addressText(target)} does not greet as MySQL and MariaDB do. Check the port.`
const refused: Cause = ({ username, password }) =>
  password === null
    ? `The server refuses the user "${username}" without a password. Add the password to the connection string.`
    : `The server refuses the user "${username}" with this password from this machine. Check both, and the host of the user there.`
const noRoom: Cause = () => 'The server has no connection left. Close some, or raise its max_connections.'

const causes: Readonly<Record<string, Cause>> = {
  ...socketCauses('MySQL'),
  EGREETING: notMysql,
  ECONNRESET: notMysql,
  PROTOCOL_CONNECTION_LOST: notMysql,
  HANDSHAKE_NO_SSL_SUPPORT: ({ tls }) =>
    `The server offers no TLS, and the connection asks for it (sslmode=${tls}). Switch TLS on there, or use sslmode=disable.`,
  ER_ACCESS_DENIED_ERROR: refused,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: refused,
  ER_BAD_DB_ERROR: ({ databaseName }) => `The server has no database "${databaseName}". Check its name.`,
  ER_DBACCESS_DENIED_ERROR: ({ username, databaseName }) =>
    `The user "${username}" may not use the database "${databaseName}", or there is none of that name. Check the name, or grant SELECT on it.`,
  ER_HOST_NOT_PRIVILEGED: () =>
    'The server admits no connection from this machine. Create the user there for the host of this machine.',
  ER_HOST_IS_BLOCKED: () =>
    'The server has blocked this machine after too many failed connections. Execute FLUSH HOSTS there.',
  ER_CON_COUNT_ERROR: noRoom,
  ER_TOO_MANY_USER_CONNECTIONS: noRoom,
  ER_SECURE_TRANSPORT_REQUIRED: () =>
    'The server takes encrypted connections only. Use sslmode=require, or verify-full with its authority.',
  ER_ACCOUNT_HAS_BEEN_LOCKED: ({ username }) => `The user "${username}" is locked on the server.`,
  ER_MUST_CHANGE_PASSWORD_LOGIN: ({ username }) =>
    `The password of the user "${username}" has expired. Set a new one on the server.`,
}
