import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Json, StepContext } from '../../workflows/definition/definition.ts'
import { findPolicy } from '../backups/policy.ts'
import { monitorName } from '../open-connection.ts'
import { createPasswordReader } from '../password-of.ts'
import { becomeAvailable } from '../run-moves.ts'
import { methodOf } from './backup-objects.ts'
import { applySchedule, scheduleName } from './backup-schedule.ts'
import { backUp } from './backup-step.ts'
import { type ClusterObject, messageOf } from './cluster-object.ts'
import { type ClusterStepParts, clusterSteps, type OnCluster } from './cluster-steps.ts'
import { openCnpg } from './open-cnpg.ts'
import { readCluster } from './wait-for-cluster.ts'

/**
 * What follows in a creation once the server has answered: the database is available meanwhile, and stays so where one of
 * these steps fails. The run says then what is missing.
 */
export function readySteps(parts: ClusterStepParts) {
  const { database, providers, clock } = parts
  const step = clusterSteps(parts)
  const passwordOf = createPasswordReader(parts)

  const available = ({ run }: StepContext) =>
    database.withTenant(run.organizationId, (db) => becomeAvailable(db, clock, run))

  const scheduleOf = async ({ row }: OnCluster) =>
    (await database.readTenant(row.organizationId, (db) => findPolicy(db, row.organizationId, row.id)))
      .schedule

  const extensions = step('extensions', 'Look for its extensions', async (context, { row }) => {
    const wanted = row.cnpg?.wanted?.extensions ?? []
    if (wanted.length === 0) {
      context.log('None were asked for.')
      return undefined
    }
    await available(context)
    const connection = await openCnpg(providers, row, await passwordOf(row), monitorName)
    try {
      const { rows } = await connection.query<{ name: string }>(
        'select extname::text as name from pg_catalog.pg_extension where extname = any($1)',
        [wanted],
      )
      const missing = wanted.filter((name) => !rows.some((row) => row.name === name))
      if (missing.length > 0) {
        throw new StepFailure(
          `The image of its instances does not bring ${missing.join(', ')}. The database works without; choose an image that brings what is missing, and install it under Extensions.`,
        )
      }
    } finally {
      await connection.end()
    }
    context.log(`${wanted.join(', ')} ${wanted.length === 1 ? 'is' : 'are'} installed.`)
    return undefined
  })

  /** Works on a Cluster whose policy has a schedule. */
  const scheduled =
    (
      work: (context: StepContext, subject: OnCluster, cron: string, object: ClusterObject) => Promise<Json>,
    ) =>
    async (context: StepContext, subject: OnCluster): Promise<Json | undefined> => {
      const cron = await scheduleOf(subject)
      if (cron === null) {
        context.log('Its policy has no schedule: it is backed up when somebody asks.')
        return undefined
      }
      await available(context)
      const object = await readCluster(subject)
      if (object === undefined) throw new StepFailure('Its Cluster is gone.')
      return work(context, subject, cron, object)
    }

  const schedule = step(
    'schedule',
    'Set the schedule of its backups',
    scheduled(async (context, { name, call }, cron, object) => {
      const method = methodOf(object)
      if (method === null) {
        throw new StepFailure(`The Cluster "${name}" names no store and no plugin for backups.`)
      }
      const answer = await applySchedule(call, object, method, cron)
      if (answer.status >= 300) {
        throw new StepFailure(`The cluster refuses the ScheduledBackup: ${messageOf(answer)}.`)
      }
      context.log(
        `CloudNativePG backs it up by the ScheduledBackup "${scheduleName(name)}": ${cron}, in UTC.`,
      )
      return { scheduledBackup: scheduleName(name) }
    }),
  )

  const firstBackup = step(
    'first_backup',
    'Back up for the first time',
    scheduled((context, subject) => backUp(parts, context, subject)),
  )

  return [extensions, schedule, firstBackup]
}
