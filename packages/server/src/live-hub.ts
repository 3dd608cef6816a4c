import type { Config } from './config.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/db/database.ts'
import { followRule } from './platform/db/entity-exists.ts'
import type { AnonymousClients } from './platform/http/anonymous-limits.ts'
import type { KeyAccess } from './platform/keys/key-access.ts'
import { liveAuthenticator } from './platform/live/authenticate.ts'
import { createLive, type Live } from './platform/live/live.ts'
import type { Log } from './platform/log.ts'

/** The hub of live events with the rules of this server: who may connect, from where, and what each may follow. */
export function openLiveHub(parts: {
  database: Database
  clock: Clock
  log: Log
  version: string
  config: Pick<Config, 'publicUrl' | 'hosts'>
  keyAccess: KeyAccess
  anonymousClients: AnonymousClients
}): Promise<Live> {
  const { database, clock, log, version, config, keyAccess, anonymousClients } = parts
  return createLive({
    database,
    clock,
    log,
    version,
    origins: { publicUrl: config.publicUrl, hosts: config.hosts },
    authenticate: liveAuthenticator(database, keyAccess),
    anonymousClients,
    canFollow: followRule(database),
  })
}
