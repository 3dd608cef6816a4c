import { ConfigError } from './platform/errors.ts'

/** Answers the value of DATABASE_URL. Throws ConfigError unless it is the address of one PostgreSQL, without repeating its password. */
export function checkDatabaseUrl(value: string): string {
  if (/^\w+:\/\/[^/?]*,/.test(value)) {
    throw new ConfigError(
      'DATABASE_URL names several hosts, and Bey connects to one. Set DATABASE_URL to an address that follows the primary, such as a virtual IP, a DNS name or a proxy.',
    )
  }
  const url = URL.parse(value)
  if (url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return value
  throw new ConfigError(
    'DATABASE_URL is not a PostgreSQL address. Set DATABASE_URL to postgres://user:password@host:5432/database, or unset it to use the embedded database.',
  )
}
