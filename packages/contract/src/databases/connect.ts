import { type ConnectFormat, hostOf, passwordPlaceholder, shell, textOfQuery } from './connect-formats.ts'
import { mysqlConnectText, redisConnectText } from './connect-watched.ts'
import { engineFamily } from './engines.ts'
import type { DatabaseEndpoint } from './rules.ts'

/** Where a client connects to. */
export type ConnectTarget = DatabaseEndpoint & {
  /** PostgreSQL: the file on the client's machine with the certificates of the authority that it trusts. */
  authorityFile?: string
}

/** How a client connects, in the words of its language; each part is quoted as that language asks. */
export function connectText(
  format: ConnectFormat,
  endpoint: ConnectTarget,
  password: string = passwordPlaceholder,
): string {
  const family = engineFamily(endpoint.engine)
  if (family === 'mysql') return mysqlConnectText(format, endpoint, password)
  if (family === 'redis') return redisConnectText(format, endpoint, password)
  const { host, port, database, username, tls, authorityFile } = endpoint
  switch (format) {
    case 'uri':
    // Of other engines.
    case 'mysql':
    case 'redis-cli':
      return uriOf(endpoint, password)
    case 'psql':
      return `PGPASSWORD=${shell(password)} psql ${shell(
        `host=${keyword(host)} port=${port} dbname=${keyword(database)} user=${keyword(username)} sslmode=${tls}${authorityFile === undefined ? '' : ` sslrootcert=${keyword(authorityFile)}`}`,
      )}`
    case 'jdbc': {
      const query = new URLSearchParams({ user: username, password, ...tlsQuery(endpoint) })
      return `jdbc:postgresql://${hostOf(host)}:${port}/${encodeURIComponent(database)}?${textOfQuery(query, password)}`
    }
    case 'node':
      return `import pg from 'pg'

const client = new pg.Client(${JSON.stringify(uriOf(endpoint, password))})
await client.connect()`
    case 'python':
      return `import psycopg

connection = psycopg.connect(${JSON.stringify(uriOf(endpoint, password))})`
    case 'go':
      return `import "github.com/jackc/pgx/v5"

conn, err := pgx.Connect(ctx, ${JSON.stringify(uriOf(endpoint, password))})`
    case 'env':
      return [
        `PGHOST=${shell(host)}`,
        `PGPORT=${port}`,
        `PGDATABASE=${shell(database)}`,
        `PGUSER=${shell(username)}`,
        `PGPASSWORD=${shell(password)}`,
        `PGSSLMODE=${tls}`,
        ...(authorityFile === undefined ? [] : [`PGSSLROOTCERT=${shell(authorityFile)}`]),
      ].join('\n')
  }
}

const tlsQuery = ({ tls, authorityFile }: ConnectTarget) => ({
  sslmode: tls,
  ...(authorityFile !== undefined && { sslrootcert: authorityFile }),
})

function uriOf(target: ConnectTarget, password: string): string {
  const { host, port, database, username } = target
  const secret = password === passwordPlaceholder ? password : encodeURIComponent(password)
  return `postgresql://${encodeURIComponent(username)}:${secret}@${hostOf(host)}:${port}/${encodeURIComponent(database)}?${new URLSearchParams(tlsQuery(target)).toString()}`
}

/** A value of a libpq keyword string. */
const keyword = (value: string) =>
  /^[^\s'\\]+$/.test(value) ? value : `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
