import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext } from '../../workflows/definition/definition.ts'
import { openCluster } from '../../../platform/clusters/open-cluster.ts'
import type { SyncParts } from '../sync/reconcile.ts'
import { restartMark, restartUsers, usersOf } from '../sync/restart.ts'
import { listSyncs, type SyncRow } from '../sync/store.ts'
import { rolloutOf } from './rollout.ts'

const pollMs = 1_000
/** After so many tries a copy that cannot be written is taken to fail. */
const triesBeforeFailure = 2

export type Deadlines = { copyMs: number; rolloutMs: number }
type At = { context: StepContext; secretId: string; version: number }

/** What a run does with the copies of a secret in clusters. Each function may be called again and repeats nothing. */
export function createCopyActs(parts: SyncParts, deadlines: Deadlines) {
  const { database, clusters, clock } = parts

  const copiesOf = (organizationId: number, secretId: string): Promise<SyncRow[]> =>
    database.readTenant(organizationId, async (db) =>
      (await listSyncs(db, organizationId, secretId)).filter(({ state }) => state !== 'removing'),
    )

  /** Waits until each copy holds the version. Throws StepFailure where one cannot be written. */
  async function awaitCopies({ context, secretId, version }: At): Promise<number> {
    const { organizationId } = context.run
    const endMs = clock.monotonicMs() + deadlines.copyMs
    for (;;) {
      const copies = await copiesOf(organizationId, secretId)
      const open = copies.filter(({ syncedVersion }) => syncedVersion !== version)
      context.progress(copies.length === 0 ? 100 : (100 * (copies.length - open.length)) / copies.length)
      if (open.length === 0) return copies.length
      const failed = open.find(({ error, attempts }) => error !== null && attempts >= triesBeforeFailure)
      if (failed !== undefined) {
        throw new StepFailure(`The copy ${textOf(failed)} cannot be written: ${failed.error ?? ''}`)
      }
      if (clock.monotonicMs() > endMs) {
        const names = open.map(textOf).join(', ')
        throw new StepFailure(`These copies did not get the new value in time: ${names}.`)
      }
      await context.sleep(pollMs)
    }
  }

  /** Restarts whatever uses a copy, whether or not the copy restarts by itself. */
  async function restartAll({ context, secretId, version }: At): Promise<number> {
    const { organizationId } = context.run
    let count = 0
    for (const copy of await copiesOf(organizationId, secretId)) {
      context.signal.throwIfAborted()
      const cluster = await openCluster(clusters, organizationId, copy.clusterId)
      const { namespace, name } = copy
      const mark = restartMark(copy.id, version)
      const restarted = await restartUsers(cluster, { namespace, name, mark, at: clock.now() })
      if (restarted > 0) context.log(`Restarted ${restarted} of what uses ${textOf(copy)}.`)
      count += restarted
    }
    return count
  }

  /** Waits until everything that uses a copy runs again. Throws StepFailure where something does not. */
  async function awaitRollouts({ context, secretId }: Omit<At, 'version'>): Promise<void> {
    const { organizationId } = context.run
    const endMs = clock.monotonicMs() + deadlines.rolloutMs
    for (;;) {
      const open: string[] = []
      for (const copy of await copiesOf(organizationId, secretId)) {
        const cluster = await openCluster(clusters, organizationId, copy.clusterId)
        for (const user of await usersOf(cluster, copy)) {
          const what = `${user.kind}/${user.workload.metadata.name} in ${copy.clusterTitle}`
          const rollout = rolloutOf(user)
          if (typeof rollout === 'object') throw new StepFailure(`${what} does not start: ${rollout.failed}`)
          if (rollout === 'under way') open.push(what)
        }
      }
      if (open.length === 0) return
      if (clock.monotonicMs() > endMs) {
        throw new StepFailure(`These did not run again in time: ${open.slice(0, 10).join(', ')}.`)
      }
      await context.sleep(pollMs)
    }
  }

  return { awaitCopies, restartAll, awaitRollouts }
}

const textOf = ({ clusterTitle, namespace, name }: SyncRow) => `${namespace}/${name} in ${clusterTitle}`
