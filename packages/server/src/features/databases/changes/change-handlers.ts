import { canonicalNetwork } from '@bey/contract'

import { act, type Who } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { requireCreated } from '../backups/require-created.ts'
import { findRow } from '../insight/insight-parts.ts'
import { withAdmin } from '../manage/open-admin.ts'
import { type DatabaseParts, startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { lockDatabase, moveDatabase } from '../store.ts'
import { presentParameter, readParameters } from './parameters.ts'
import { type Changes, planChanges } from './plan-changes.ts'

type Names = 'databases.parameters' | `databases.changes.${'plan' | 'create'}`

/** Size, parameters and allow-list of a database of Bey's: what a change would do, and the run that makes it. */
export function changeHandlers(parts: DatabaseParts): Handlers<Names> {
  const { database, clock } = parts

  async function create(id: string, asked: Changes, caller: Who) {
    const { organizationId } = caller
    const changes = canonical(asked)
    const plan = await planChanges(parts, await findRow(parts, organizationId, id), changes)
    if (plan.refusal !== null) throw new AppError('limit_reached', plan.refusal)
    return database.withTenant(organizationId, async (db) => {
      const row = existing(await lockDatabase(db, organizationId, id))
      const isScale = changes.plan !== undefined && changes.plan !== row.plan
      const status = isScale ? 'scaling' : 'updating'
      if (row.status !== 'available') {
        throw new AppError(
          'conflict',
          `The database "${row.name}" is ${row.status}. Wait until it is available.`,
        )
      }
      if (isScale || plan.needsRestart) await requireCreated(db, row)
      const key = isScale ? 'database.scale' : 'database.update'
      const run = await startDatabaseRun(parts, db, row, key, caller, { changes })
      await moveDatabase(db, row, [row.status], status, { reason: null }, clock.now())
      await act(db, caller, {
        action: key,
        class: 'update',
        target: databaseTarget(row),
        runId: run.runId,
        diff: Object.fromEntries(plan.changes.map(({ what, from, to }) => [what, { from, to }])),
      })
      return keepReply(db, {
        databaseId: id,
        ...run,
        status: 'queued',
        message: `The database "${row.name}" is changed.`,
      })
    })
  }

  return {
    'databases.parameters': async ({ caller, params }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const found = await withAdmin(parts, row, readParameters)
      return { parameters: found.map((each) => presentParameter(each, row)) }
    },
    'databases.changes.plan': async ({ caller, params, body }) =>
      planChanges(parts, await findRow(parts, caller.organizationId, params.id), canonical(body)),
    'databases.changes.create': ({ caller, params, body }) => create(params.id, body, caller),
  }
}

function canonical(changes: Changes): Changes {
  const { allowList } = changes
  if (allowList === undefined) return changes
  return { ...changes, allowList: allowList.map((each) => ({ ...each, cidr: canonicalNetwork(each.cidr) })) }
}
