export const connectFormats = [
  'uri',
  'psql',
  'mysql',
  'redis-cli',
  'jdbc',
  'node',
  'python',
  'go',
  'env',
] as const
export type ConnectFormat = (typeof connectFormats)[number]

export const connectFormatLabels: Readonly<Record<ConnectFormat, string>> = {
  uri: 'URI',
  psql: 'psql',
  mysql: 'Client',
  'redis-cli': 'Client',
  jdbc: 'JDBC',
  node: 'Node',
  python: 'Python',
  go: 'Go',
  env: 'Environment',
}

/** Stands for the password until it is copied. */
export const passwordPlaceholder = '<password>'

/** An IPv6 address stands in brackets before a port. */
export const hostOf = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** As a query, in which the placeholder stays readable. */
export function textOfQuery(query: URLSearchParams, password: string): string {
  if (password !== passwordPlaceholder) return query.toString()
  return query.toString().replace(encodeURIComponent(passwordPlaceholder), passwordPlaceholder)
}

/** A word of a POSIX shell. */
export const shell = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
