import type { InstanceHealth } from '@bey/contract'

import type { Config } from '../../../config.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type KeyServiceFact, watchKeyService } from '../../../platform/crypto/check-key-service.ts'
import type { Database } from '../../../platform/db/database.ts'
import { knownMigrations } from '../../../platform/db/migrate.ts'
import type { Log } from '../../../platform/log.ts'
import { listBackups } from '../backups/backup-rows.ts'
import type { InstanceSettings } from '../settings.ts'
import { gatherFacts, type Query } from './facts.ts'
import { instanceHealth } from './health.ts'
import { limitValues } from './limits.ts'
import { recordLimits } from './samples.ts'

const everyMs = 3_600_000
/** A process that is restarted often has to record something as well. */
const firstMs = 60_000

type Options = {
  database: Pick<Database, 'asSystem' | 'ownerPool'>
  clock: Clock
  log: Log
  config: Config
  settings: Pick<InstanceSettings, 'mail' | 'publicUrl'>
  fingerprint: string
  version: string
  sockets: () => number
  nextTime(schedule: string, after: Date): Date | null
}

/** How this instance is, asked by its operators, and what its limits stand at, recorded every hour. */
export function createDoctor(options: Options) {
  const { database, clock, log, config, settings, fingerprint, version, sockets, nextTime } = options
  const query: Query = async (text, values) => (await database.ownerPool.query(text, values)).rows

  const keyService = watchKeyService(config, clock)

  const facts = async (ofKeyService: KeyServiceFact | null) => {
    const known = { knownMigrations: await knownMigrations(), hasMail: (await settings.mail()) !== undefined }
    const publicUrl = (await settings.publicUrl()).value
    const all = { ...config, publicUrl }
    return gatherFacts({
      query,
      config: all,
      fingerprint,
      keyService: ofKeyService,
      ...known,
      now: clock.now(),
    })
  }

  async function record(): Promise<void> {
    await recordLimits(query, limitValues(await facts(null)), clock.now())
  }

  const begin = () => {
    record().catch((error: unknown) => log.debug({ err: error }, 'The limits were not recorded'))
  }
  const cancels = [clock.setTimeout(begin, firstMs), clock.setInterval(begin, everyMs)]

  return {
    async health(): Promise<InstanceHealth> {
      const backups = await database.asSystem('list backups of the instance', listBackups)
      const found = await facts(await keyService())
      return instanceHealth({ query, facts: found, backups, version, sockets: sockets(), nextTime })
    },
    stop: () => cancels.forEach((cancel) => cancel()),
  }
}
