import type { Config } from '../config.ts'
import { ConfigError } from '../platform/errors.ts'

/** Throws ConfigError where the database is one that Bey does not run. */
export function requireEmbedded({ databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (databaseUrl === undefined) return
  throw new ConfigError(
    'DATABASE_URL names a server that Bey does not run, and whose files it does not have. Back that database up as you do your others, together with the root key and the data directory.',
  )
}
