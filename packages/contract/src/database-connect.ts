import type { DatabaseEndpoint } from './database-rules.ts'

export const connectFormats = ['uri', 'psql', 'jdbc', 'node', 'python', 'go', 'env'] as const
export type ConnectFormat = (typeof connectFormats)[number]

export const connectFormatLabels: Readonly<Record<ConnectFormat, string>> = {
  uri: 'URI',
  psql: 'psql',
  jdbc: 'JDBC',
  node: 'Node',
  python: 'Python',
  go: 'Go',
  env: 'Environment',
}

/** Stands for the password until it is copied. */
export const passwordPlaceholder = '<password>'

/** How a client connects, in the words of its language; each part is quoted as that language asks. */
export function connectText(
  format: ConnectFormat,
  endpoint: DatabaseEndpoint,
  password: string = passwordPlaceholder,
): string {
  const { host, port, database, username, tls } = endpoint
  switch (format) {
    case 'uri':
      return uriOf(endpoint, password)
    case 'psql':
      return `PGPASSWORD=${shell(password)} psql ${shell(
        `host=${keyword(host)} port=${port} dbname=${keyword(database)} user=${keyword(username)} sslmode=${tls}`,
      )}`
    case 'jdbc': {
      const query = new URLSearchParams({ user: username, password, sslmode: tls })
      return `jdbc:postgresql://${hostOf(host)}:${port}/${encodeURIComponent(database)}?${text(query, password)}`
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
      ].join('\n')
  }
}

function uriOf({ host, port, database, username, tls }: DatabaseEndpoint, password: string): string {
  const secret = password === passwordPlaceholder ? password : encodeURIComponent(password)
  return `postgresql://${encodeURIComponent(username)}:${secret}@${hostOf(host)}:${port}/${encodeURIComponent(database)}?sslmode=${tls}`
}

/** An IPv6 address stands in brackets before a port. */
const hostOf = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** As a query, in which the placeholder stays readable. */
function text(query: URLSearchParams, password: string): string {
  if (password !== passwordPlaceholder) return query.toString()
  return query.toString().replace(encodeURIComponent(passwordPlaceholder), passwordPlaceholder)
}

/** A word of a POSIX shell. */
const shell = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A value of a libpq keyword string. */
const keyword = (value: string) =>
  /^[^\s'\\]+$/.test(value) ? value : `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
