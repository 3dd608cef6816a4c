import { parseArgs } from 'node:util'

import type { InstanceHealth } from '@bey/contract'
import { desc } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'

import { consoleDir, repositoryDir } from '../built-files.ts'
import { gatherFacts, type Query } from '../features/instance/doctor/facts.ts'
import { instanceHealth } from '../features/instance/doctor/health.ts'
import { readBuild } from '../features/status/build.ts'
import { nextBackupTime } from '../instance-backup-config.ts'
import { checkKeyService } from '../platform/crypto/check-key-service.ts'
import { locateRootKey } from '../platform/crypto/root-key.ts'
import { knownMigrations } from '../platform/db/migrate.ts'
import { instanceBackups } from '../tables/instance-backups.ts'
import { findRunningCluster } from './backup/running-cluster.ts'
import type { OperatorCall } from './operator-call.ts'
import { readRootKey } from './read-root-key.ts'
import { withEmbeddedDatabase } from './with-database.ts'

export const doctorUsage = `bey doctor [--json]

Checks this Bey on its machine, whether it runs or not, and says what to do. It ends with 0 only when nothing is wrong.`

const marks = { ok: '✓', warning: '!', failed: '✗', unknown: '?' } as const

/** Checks the instance; answers 0 when every check is good. */
export async function doctorCommand({ args, config, log, out, now }: OperatorCall): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' } } })
  const fingerprint = await fingerprintInUse(config)
  const keyService = await checkKeyService(config)
  const { version } = await readBuild(repositoryDir, consoleDir)
  const look = async (connection: pg.ClientConfig) => {
    const client = new pg.Client({ ...connection, application_name: 'bey-doctor' })
    client.on('error', () => undefined)
    await client.connect()
    try {
      const query: Query = async (text, parameters) => (await client.query(text, parameters)).rows
      const [mail] = await query<{ found: boolean }>(
        `select exists (select 1 from instance_settings where name = 'smtp') as found`,
      )
      const facts = await gatherFacts({
        query,
        config,
        fingerprint,
        keyService,
        knownMigrations: await knownMigrations(),
        hasMail: config.smtp !== undefined || mail?.found === true,
        now: now(),
      })
      const backups = await drizzle(client)
        .select()
        .from(instanceBackups)
        .orderBy(desc(instanceBackups.startedAt))
        .limit(100)
      return await instanceHealth({ query, facts, backups, version, sockets: null, nextTime: nextBackupTime })
    } finally {
      await client.end()
    }
  }
  const health =
    config.databaseUrl === undefined
      ? await withEmbeddedDatabase(config, 'bey doctor', log, async () =>
          look({ ...(await findRunningCluster(config.dataDir))?.connection, database: 'bey' }),
        )
      : await look({ connectionString: config.databaseUrl })
  out(values.json === true ? `${JSON.stringify(health, null, 2)}\n` : describe(health))
  return health.isHealthy ? 0 : 1
}

/** Of the root key that a server would start with, without asking the key service for it. Throws ConfigError where there is none. */
async function fingerprintInUse(config: OperatorCall['config']): Promise<string> {
  const place = await locateRootKey(config)
  return place.kind === 'service'
    ? place.wrapped.fingerprint
    : (await readRootKey(config)).rootKey.fingerprint
}

function describe({ checks, isHealthy, version }: InstanceHealth): string {
  const wrong = checks.filter(({ status }) => status !== 'ok').length
  const lines = checks.flatMap(({ status, title, detail, action }) => [
    `${marks[status]} ${title}: ${detail}`,
    ...(action === null ? [] : [`    → ${action}`]),
  ])
  const end = isHealthy ? 'Nothing is wrong.' : `${wrong} of ${checks.length} checks found something.`
  return `Bey ${version}\n${lines.join('\n')}\n${end}\n`
}
