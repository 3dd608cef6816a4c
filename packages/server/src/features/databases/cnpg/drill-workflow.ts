import type { RestoreStatus } from '@bey/contract'

import { EngineStopping, StepFailure } from '../../../platform/engine/step-failure.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import type { DrillCluster } from '../../../tables/database-restores.ts'
import type { Json, StepContext, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { announceBackup } from '../backups/backup-parts.ts'
import { onDrillMove } from '../backups/drill-moves.ts'
import { findPolicy } from '../backups/policy.ts'
import { runChecks } from '../backups/restore-checks.ts'
import {
  countDrills,
  findRestore,
  moveRestore,
  type RestoreRow,
  updateRestore,
} from '../backups/restore-rows.ts'
import type { OpenConnection } from '../provider.ts'
import { clusterPath, messageOf, observe } from './cluster-object.ts'
import { type ClusterStepParts, clusterSteps, type OnCluster } from './cluster-steps.ts'
import { deleteDrillCluster, drillClusterName, drillManifest } from './drill-cluster.ts'
import { chooseDrillSource, newestMoment } from './drill-source.ts'
import { isOfDatabase } from './manifest.ts'
import { openCnpg } from './open-cnpg.ts'
import { readOwner } from './owner-credential.ts'
import { failedPod, readPods } from './pod-trouble.ts'
import { readCluster, waitForCluster } from './wait-for-cluster.ts'

/** How long a server that is ready may take to answer. */
const answerWithinMs = 120_000
/** How long the operator may take to try a restore again that ended with an error. */
const retriedWithinMs = 20_000
const removedWithinMs = 10 * 60_000
/** Names that are tried where somebody else has a Cluster of that name. */
const namesTried = 5
const applicationName = 'bey-drill'

/** The restore ran, and what it restored from is at fault. */
class RecoveryFailure extends StepFailure {}

type Subject = OnCluster & { drill: RestoreRow }

/**
 * A restore of the newest Backup into a throw-away Cluster beside the source, the checks of the owner, and how long it took.
 * The Cluster is removed whatever comes of it: by the last step, by the step that fails, or by the next look at the database.
 */
export function clusterDrillWorkflow(parts: ClusterStepParts): WorkflowDefinition {
  const { database, clock } = parts
  const clusterStep = clusterSteps(parts)

  const step = (
    key: string,
    name: string,
    work: (context: StepContext, subject: Subject) => Promise<Json | undefined>,
  ) =>
    clusterStep(key, name, async (context, subject) => {
      const { organizationId, input } = context.run
      const drill = await database.readTenant(organizationId, (db) =>
        findRestore(db, organizationId, String(input['drillId'])),
      )
      if (drill === undefined) throw new Error('The drill of this run is gone')
      try {
        return await work(context, { ...subject, drill })
      } catch (error) {
        // The next process goes on with this step.
        if (!(context.signal.reason instanceof EngineStopping))
          await concludeFailure(subject, drill.id, error)
        throw error
      }
    })

  /** Notes what a failed step proved, and removes the Cluster. What is not removed now, the next look removes. */
  async function concludeFailure({ row, call }: OnCluster, drillId: string, error: unknown): Promise<void> {
    const { organizationId } = row
    const cluster = await database.withTenant(organizationId, async (db) => {
      if (error instanceof RecoveryFailure) {
        await updateRestore(db, organizationId, drillId, { proof: 'failed' })
      }
      return (await findRestore(db, organizationId, drillId))?.cluster ?? null
    })
    if (cluster === null) return
    // The signal of a run that was cancelled would end these requests as well.
    const still: typeof call = (method, path, options) =>
      call(method, path, { ...options, signal: AbortSignal.timeout(10_000) })
    await deleteDrillCluster(still, drillId, cluster).catch(() => false)
  }

  const update = ({ drill }: Subject, values: Parameters<typeof updateRestore>[3]) =>
    database.withTenant(drill.organizationId, (db) =>
      updateRestore(db, drill.organizationId, drill.id, values),
    )

  async function advance({ drill }: Subject, from: RestoreStatus, to: RestoreStatus): Promise<void> {
    const { organizationId, databaseId } = drill
    await database.withTenant(organizationId, async (db) => {
      if (await moveRestore(db, drill, [from], to)) await announceBackup(db, organizationId, databaseId)
    })
  }

  const prepare = step('prepare', 'Choose the backup', async (context, subject) => {
    const { drill, row, actor, namespace, name, call } = subject
    await advance(subject, 'pending', 'preparing')
    if (drill.cluster !== null) return undefined
    const source = await chooseDrillSource(subject)
    const newestAt = await newestMoment(parts, subject, source)
    const lostMs = newestAt === null ? null : Math.max(0, clock.now().getTime() - newestAt.getTime())
    const first = await database.readTenant(drill.organizationId, (db) =>
      countDrills(db, drill.organizationId, row.id),
    )
    const free = await freeName(subject, first)
    const backup = source.backup?.metadata?.name ?? null
    const cluster: DrillCluster = {
      clusterId: row.clusterId ?? 0,
      namespace,
      name: free,
      userId: actor.user.id,
      backup,
      newestAt: newestAt?.toISOString() ?? null,
      begunAt: null,
    }
    // Before anything is made there: whatever interrupts the run, what it left is found.
    await update(subject, { cluster, lostMs })
    context.log(
      backup === null
        ? `Restores what the store of "${name}" holds.`
        : `Restores the Backup "${backup}" and the changes after it.`,
    )
    if (lostMs !== null) context.log(`With the Cluster, the last ${seconds(lostMs)} would have been lost.`)
    return undefined

    async function freeName({ drill: { id } }: Subject, from: number): Promise<string> {
      for (let n = from; n < from + namesTried; n += 1) {
        const tried = drillClusterName(name, n)
        // oxlint-disable-next-line no-await-in-loop -- until one is free
        const found = await readCluster({ namespace, name: tried, call })
        if (found === undefined || isOfDatabase(found, id)) return tried
      }
      throw new StepFailure(
        `Clusters named "${name}-drill-…" are in the way in the namespace "${namespace}".`,
      )
    }
  })

  const apply = step('apply', 'Apply the throw-away Cluster', async (context, subject) => {
    const { drill, row, call } = subject
    const cluster = placed(subject)
    const { namespace, name } = cluster
    const { object, recovery } = await chooseDrillSource(subject, cluster.backup)
    const body = drillManifest(drill.id, name, row, object, recovery)
    const begunAt = cluster.begunAt ?? clock.now().toISOString()
    await update(subject, { cluster: { ...cluster, begunAt } })
    const answer = await call('PATCH', `${clusterPath(namespace, name)}?fieldManager=bey`, {
      body,
      contentType: 'application/apply-patch+yaml',
    })
    if (answer.status === 403) {
      throw new StepFailure(
        `You may not make Clusters of CloudNativePG in the namespace "${namespace}": ${messageOf(answer)}.`,
      )
    }
    if (answer.status >= 300) throw new StepFailure(`The cluster refuses the Cluster: ${messageOf(answer)}.`)
    context.log(`The Cluster "${name}" is asked for in the namespace "${namespace}".`)
    await advance(subject, 'preparing', 'restoring')
    return undefined
  })

  const restore = step('restore', 'Wait until it is restored', async (context, subject) => {
    const { call } = subject
    const { namespace, name, begunAt } = placed(subject)
    let failedMs: number | undefined
    await waitForCluster(context, clock, {
      namespace,
      name,
      call,
      isDone: async (_object, { status }) => {
        if (status === 'available') return true
        const failure = failedPod(await readPods(call, namespace, name))
        if (failure === undefined) return false
        failedMs ??= clock.monotonicMs()
        if (clock.monotonicMs() - failedMs >= retriedWithinMs) throw new RecoveryFailure(failure)
        return false
      },
    })
    const restoreMs = begunAt === null ? null : clock.now().getTime() - Date.parse(begunAt)
    await update(subject, { restoreMs })
    await advance(subject, 'restoring', 'replaying')
    if (restoreMs !== null) context.log(`It is restored after ${seconds(restoreMs)}.`)
    return undefined
  })

  const answer = step('answer', 'Wait until it answers', async (context, subject) => {
    const begunMs = clock.monotonicMs()
    const connection = await connectWithin(context, subject, answerWithinMs)
    try {
      const { rows } = await connection.query<{ at: Date | null }>(
        'select pg_catalog.pg_last_xact_replay_timestamp() as at',
      )
      const { newestAt } = placed(subject)
      const reachedAt = rows[0]?.at ?? (newestAt === null ? null : new Date(newestAt))
      const replayMs = Math.round(clock.monotonicMs() - begunMs)
      await update(subject, { replayMs, reachedAt })
      context.log(`It takes questions after ${seconds(replayMs + (subject.drill.restoreMs ?? 0))}.`)
    } finally {
      await connection.end()
    }
    await advance(subject, 'replaying', 'validating')
    return undefined
  })

  const validate = step('validate', 'Check what came back', async (context, subject) => {
    const { organizationId, databaseId } = subject.drill
    const { checks: wanted } = await database.readTenant(organizationId, (db) =>
      findPolicy(db, organizationId, databaseId),
    )
    const begunMs = clock.monotonicMs()
    const connection = await connectWithin(context, subject, answerWithinMs)
    const checks = await ask(connection, wanted)
    const validateMs = Math.round(clock.monotonicMs() - begunMs)
    const isFailed = checks.some(({ outcome }) => outcome === 'failed')
    await update(subject, { checks, validateMs, ...(isFailed && { proof: 'failed' }) })
    for (const { name, outcome, detail } of checks) context.log(`${name}: ${outcome}. ${detail ?? ''}`)
    if (checks.length === 0) context.log('The policy has no checks: it answers, and nothing more was asked.')
    return undefined
  })

  const remove = step('remove', 'Remove the Cluster', async (context, subject) => {
    const { drill, call } = subject
    if (drill.cluster !== null) {
      const begunMs = clock.monotonicMs()
      // oxlint-disable-next-line no-await-in-loop -- until it is gone
      while (!(await deleteDrillCluster(call, drill.id, drill.cluster))) {
        // What holds it is no matter of the backup: the next looks go on.
        if (clock.monotonicMs() - begunMs > removedWithinMs) break
        // oxlint-disable-next-line no-await-in-loop -- until it is gone
        await context.sleep(500)
      }
      if (clock.monotonicMs() - begunMs <= removedWithinMs) await update(subject, { cluster: null })
      context.log(`The Cluster "${drill.cluster.name}" is deleted.`)
    }
    const failed = drill.checks.filter(({ outcome }) => outcome === 'failed')
    if (failed.length === 0) return undefined
    const sentences = failed
      .slice(0, 3)
      .map(({ name, detail }) => `The check "${name}" failed: ${detail ?? ''}`)
    throw new StepFailure(sentences.join(' '))
  })

  async function ask(connection: OpenConnection, wanted: Parameters<typeof runChecks>[1]) {
    try {
      return await runChecks(connection.client, wanted, () => clock.monotonicMs())
    } finally {
      await connection.end()
    }
  }

  async function connect({ row, call, drill }: Subject): Promise<OpenConnection> {
    const { namespace, name, clusterId } = placed({ drill })
    const object = await readCluster({ namespace, name, call })
    if (object === undefined) throw new StepFailure(`The Cluster "${name}" was deleted by somebody else.`)
    const { username, databaseName, password } = await readOwner((path) => call('GET', path), object)
    const cnpg = { namespace, name, isAdopted: false, wanted: null, observed: observe(object, clock.now()) }
    return openCnpg(
      parts.providers,
      { ...row, clusterId, cnpg, username, databaseName },
      password,
      applicationName,
    )
  }

  /** The way to a server opens a moment after it is ready. */
  async function connectWithin(
    context: StepContext,
    subject: Subject,
    limitMs: number,
  ): Promise<OpenConnection> {
    const begunMs = clock.monotonicMs()
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until it answers
        return await connect(subject)
      } catch (error) {
        if (!(error instanceof ConnectionProblem) || clock.monotonicMs() - begunMs > limitMs) throw error
      }
      // oxlint-disable-next-line no-await-in-loop -- until it answers
      await context.sleep(500)
    }
  }

  return {
    key: 'database.cluster_drill',
    name: 'Prove that a database on a cluster can be restored',
    description:
      'Restores the newest backup of CloudNativePG into a Cluster that is removed again, and checks it.',
    type: 'data',
    cancelPermission: 'databases.restore',
    steps: [prepare, apply, restore, answer, validate, remove],
    onMove: onDrillMove(clock),
  }
}

function placed({ drill }: Pick<Subject, 'drill'>): DrillCluster {
  if (drill.cluster === null)
    throw new StepFailure('Its throw-away Cluster was removed before the drill ended.')
  return drill.cluster
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
