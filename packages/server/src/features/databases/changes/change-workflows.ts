import { type AllowedNetwork, databasePlanIds, effectiveAllowList, listenAddresses } from '@bey/contract'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type {
  Json,
  StepContext,
  StepDefinition,
  WorkflowDefinition,
} from '../../workflows/definition/definition.ts'
import { measureOnce } from '../measure.ts'
import { openEmbedded } from '../open-connection.ts'
import { type DatabaseParts, placementOf, providerDatabase } from '../parts.ts'
import type { DatabasePlacement, OpenConnection } from '../provider.ts'
import { databaseIdOf, onDatabaseMove } from '../run-moves.ts'
import { type DatabaseRow, findDatabase, updateDatabase } from '../store.ts'
import type { Changes } from './plan-changes.ts'
import { readWaiting, setParameters } from './set-parameters.ts'

type Subject = { row: DatabaseRow; placement: DatabasePlacement; changes: Partial<Changes> }
type Work = (context: StepContext, subject: Subject) => Promise<Json | undefined>

/**
 * Changes of a database that Bey runs. What was set before is kept until the server answers with the new values: where it does
 * not start with them, it gets the old ones back.
 */
export function changeWorkflows(parts: Omit<DatabaseParts, 'workflows'>): WorkflowDefinition[] {
  const { database, providers, clock } = parts
  const { embedded } = providers

  function step(key: string, name: string, work: Work): StepDefinition {
    return {
      key,
      name,
      type: 'database',
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const { organizationId } = context.run
        const row = await database.readTenant(organizationId, (db) =>
          findDatabase(db, organizationId, databaseIdOf(context.run)),
        )
        const placement = row && placementOf(row)
        if (!row || !placement) throw new Error('The database of this run is gone')
        return work(context, { row, placement, changes: changesOf(context.run.input) })
      },
    }
  }

  async function asAdmin<T>(
    { row, placement }: Pick<Subject, 'row' | 'placement'>,
    work: (admin: OpenConnection) => Promise<T>,
  ): Promise<T> {
    const admin = await openEmbedded(embedded, placement, row.databaseName)
    try {
      return await work(admin)
    } finally {
      await admin.end()
    }
  }

  const store = (row: DatabaseRow, values: Parameters<typeof updateDatabase>[3]) =>
    database.withTenant(row.organizationId, (db) => updateDatabase(db, row.organizationId, row.id, values))

  const keep = step('keep', 'Keep what is set now', async ({ run }, { row, placement }) => {
    await embedded.parameters.keep(placement, run.id)
    // Read once: after a crash of a later step the row has the new ones.
    return { plan: row.plan, allowList: row.allowList }
  })

  const reserve = step('reserve', 'Reserve memory', async (context, { row, placement, changes }) => {
    if (changes.plan === undefined) return undefined
    await embedded.reserve(providerDatabase({ ...row, plan: changes.plan }), placement, context)
    await store(row, { plan: changes.plan })
    return undefined
  })

  const apply = step('apply', 'Apply the changes', async (context, { row, placement, changes }) => {
    const { allowList, parameters = {} } = changes
    if (allowList !== undefined) {
      await store(row, { allowList })
      await embedded.writeAllowList(providerDatabase({ ...row, allowList }), placement)
      const admitted = effectiveAllowList({ ...row, allowList })
      context.log(
        admitted.length === 0
          ? 'Only this machine reaches it.'
          : `It is reached from this machine and ${admitted.map(({ cidr }) => cidr).join(', ')}.`,
      )
    }
    await asAdmin({ row, placement }, async (admin) => {
      await setParameters(admin, parameters, context.log)
    })
    return undefined
  })

  const restart = step('restart', 'Restart the server', async (context, { row, placement, changes }) => {
    if (!(await needsRestart(row, placement, changes))) {
      context.log('Everything holds without a restart.')
      return undefined
    }
    if (changes.restart !== true && changes.plan === undefined) {
      context.log('Some of it takes effect with the next restart.')
      return undefined
    }
    context.log(await embedded.stop(row.id, placement))
    try {
      const { pid } = await embedded.start(providerDatabase(row), placement)
      context.log(`The server listens on port ${placement.port} (process ${pid}).`)
    } catch (error) {
      await putBack(context, row, placement)
      const words = error instanceof Error ? error.message : String(error)
      throw new StepFailure(`${words} What was set before is set again.`, { cause: error })
    }
    return undefined
  })

  async function putBack(
    context: StepContext,
    row: DatabaseRow,
    placement: DatabasePlacement,
  ): Promise<void> {
    const before = context.outputs['keep'] ?? {}
    const plan = databasePlanIds.find((id) => id === before['plan']) ?? row.plan
    // Written by the step "keep" of this run.
    const allowList = (before['allowList'] ?? row.allowList) as AllowedNetwork[]
    await embedded.parameters.putBack(placement, context.run.id)
    await store(row, { plan, allowList })
    const old = { ...row, plan, allowList }
    await embedded.reserve(providerDatabase(old), placement, context)
    await embedded.start(providerDatabase(old), placement)
  }

  async function needsRestart(
    row: DatabaseRow,
    placement: DatabasePlacement,
    { plan, parameters = {} }: Partial<Changes>,
  ): Promise<boolean> {
    if (plan !== undefined) return true
    return asAdmin({ row, placement }, async (admin) => {
      const { differs, listens } = await readWaiting(admin, Object.keys(parameters))
      return differs || listens !== listenAddresses(effectiveAllowList(row))
    })
  }

  const verify = step('verify', 'Verify', async ({ run, log }, { row, placement }) => {
    const connection = await openEmbedded(embedded, placement, row.databaseName)
    const { version, figures } = await measureOnce(connection, null, clock.now())
    await store(row, { version, figures })
    await embedded.parameters.forget(placement, run.id)
    log(`PostgreSQL ${version} answers; it takes ${figures.maxConnections} connections.`)
    return undefined
  })

  const common = {
    type: 'maintenance',
    cancelPermission: 'databases.manage',
    steps: [keep, reserve, apply, restart, verify],
  } as const
  return [
    {
      ...common,
      key: 'database.update',
      name: 'Change database',
      description:
        'Changes parameters of a database, or from where it is reached; restarts it where that was asked.',
      onMove: onDatabaseMove(clock, {
        what: 'The change',
        while: ['updating'],
        completed: () => ({ status: 'available' }),
        failed: 'degraded',
      }),
    },
    {
      ...common,
      key: 'database.scale',
      name: 'Resize database',
      description: 'Gives a database another size: reserves its memory, and restarts its server.',
      onMove: onDatabaseMove(clock, {
        what: 'The change of its size',
        while: ['scaling'],
        completed: () => ({ status: 'available' }),
        failed: 'degraded',
      }),
    },
  ]
}

/** What the run was asked to change: written by the endpoint that started it. */
function changesOf(input: Json): Partial<Changes> {
  const changes: Partial<Changes> = input['changes'] ?? {}
  return changes
}
