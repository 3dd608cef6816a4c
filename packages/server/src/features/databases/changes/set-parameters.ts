import pg from 'pg'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext } from '../../workflows/definition/definition.ts'
import type { OpenConnection } from '../provider.ts'

/** Sets parameters of a server of Bey's, as its administrator; null takes back what was set. Throws StepFailure. */
export async function setParameters(
  admin: Pick<OpenConnection, 'query'>,
  parameters: Readonly<Record<string, string | null>>,
  log: StepContext['log'],
): Promise<void> {
  for (const [name, value] of Object.entries(parameters)) {
    const set = value === null ? 'reset' : 'set'
    const to = value === null ? '' : ` = ${pg.escapeLiteral(value)}`
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await admin.query(`alter system ${set} ${pg.escapeIdentifier(name)}${to}`).catch(explain)
    log(value === null ? `${name} is not set any more.` : `${name} is set to ${value}.`)
  }
  await admin.query('select pg_reload_conf()')
}

/** Whether some of these parameters hold only after a restart of the server, and what it listens on now. */
export async function readWaiting(
  admin: Pick<OpenConnection, 'query'>,
  names: readonly string[],
): Promise<{ differs: boolean; listens: string }> {
  const { rows } = await admin.query<{ listens: string; differs: boolean }>(
    `select current_setting('listen_addresses') as listens,
       exists (select from pg_settings s left join pg_file_settings f on f.name = s.name and f.setting is not null
          and f.sourcefile ~ 'auto.conf$'
        where lower(s.name) = any($1) and (s.pending_restart or (s.source = 'command line' and f.name is not null)
          or (f.name is null and s.name = any($2) and s.source <> 'command line'))) as differs`,
    [
      names.map((name) => name.toLowerCase()),
      ['work_mem', 'maintenance_work_mem', 'effective_cache_size', 'track_io_timing'],
    ],
  )
  return rows[0] ?? { differs: false, listens: '' }
}

function explain(error: unknown): never {
  if (error instanceof pg.DatabaseError) {
    throw new StepFailure(`PostgreSQL refused it: ${error.message}.`, { cause: error })
  }
  throw error
}
