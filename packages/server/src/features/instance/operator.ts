import type { Instance } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { act } from '../../platform/act.ts'
import type { ServerSeal } from '../../platform/crypto/server-seal.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import type { ReadOnlyMode } from '../../platform/read-only.ts'
import { presentInstance } from './present.ts'
import type { InstanceSettings } from './settings.ts'

export type InstanceParts = {
  database: Pick<Database, 'asSystem'>
  serverSeal: ServerSeal
  settings: InstanceSettings
  readOnly: ReadOnlyMode
}

export type InstanceChange = {
  action: string
  diff?: Record<string, unknown>
  work: (db: Db) => Promise<unknown>
  /** After the commit, before the settings are read. */
  afterwards?: () => Promise<void>
}

/** Work as the operator of the server, the owners of its first organization. Throws `forbidden` for all others. */
export function createOperator(parts: InstanceParts) {
  const { database } = parts
  const system = <T>(work: (db: Db) => Promise<T>) =>
    database.asSystem('change the settings of the server', work)

  return {
    async require(caller: Caller): Promise<void> {
      await system((db) => requireOperator(db, caller))
    },

    /** Changes settings, audits that, and answers all settings as they are then. */
    async change(caller: Caller, { action, diff, work, afterwards }: InstanceChange): Promise<Instance> {
      await system(async (db) => {
        const organizationId = await requireOperator(db, caller)
        await work(db)
        const target = { type: 'instance', name: action.split('.')[1] ?? '' }
        const who = { ...caller, organizationId }
        await act(db, who, { action, class: 'update', target, ...(diff && { diff }) })
      })
      await afterwards?.()
      return presentInstance(parts, caller)
    },
  }
}

export type Operator = ReturnType<typeof createOperator>

/** Refuses to change what the environment sets. Throws AppError `conflict`. */
export function requireStored(source: 'environment' | 'stored' | 'none', what: string): void {
  if (source !== 'environment') return
  throw new AppError('conflict', `The environment of the server sets ${what}, which wins. Change it there.`)
}

/** Answers the first organization, of which the caller must be an owner. Reads of secrets do not exist. */
async function requireOperator(db: Db, caller: Caller): Promise<number> {
  const { rows } = await db.execute<{ id: number; isOwner: boolean }>(sql`
    select o.id, exists (
      select 1 from memberships m
      where m.organization_id = o.id and m.user_id = ${caller.user.id} and m.role = 'OWNER'
    ) as "isOwner"
    from organizations o order by o.id limit 1`)
  const [first] = rows
  if (first?.isOwner) return first.id
  throw new AppError(
    'forbidden',
    'Only an owner of the first organization of this server, or its environment, sets these.',
  )
}
