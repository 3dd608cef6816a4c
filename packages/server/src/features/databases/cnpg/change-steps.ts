import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Json, StepContext } from '../../workflows/definition/definition.ts'
import { findPolicy, storePolicy } from '../backups/policy.ts'
import type { DatabaseRow } from '../store.ts'
import { type ClusterObject, clusterPath, hibernation, messageOf } from './cluster-object.ts'
import {
  type ClusterStepParts,
  clusterSteps,
  keepObserved,
  type OnCluster,
  patchCluster,
} from './cluster-steps.ts'
import { areRestarted, readPods } from './pod-trouble.ts'
import { isOfDatabase } from './manifest.ts'
import { removeStore } from './store-step.ts'
import { readCluster, type Wait, waitForCluster } from './wait-for-cluster.ts'

/** How long an operator may take to notice a change before what it says is believed. */
const settleMs = 3_000

/** The steps that change a Cluster that is there. Each waits until its operator has done it. */
export function changeSteps(parts: ClusterStepParts) {
  const { clock } = parts
  const step = clusterSteps(parts)

  /** Waits, and keeps what the Cluster says then, so that what follows does not see what was before. */
  async function waited(context: StepContext, wait: OnCluster & Pick<Wait, 'isDone'>): Promise<void> {
    const object = await waitForCluster(context, clock, wait)
    await keepObserved(parts, wait.row, object)
  }

  const restart = step('restart', 'Restart its instances', async (context, subject) => {
    // Of the run, so that a second attempt asks for the same restart.
    const mark = context.run.queuedAt.toISOString()
    await patchCluster(subject, { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': mark } } })
    const { call, namespace, name } = subject
    await waited(context, {
      ...subject,
      isDone: async (_object, { status }) =>
        status === 'available' && areRestarted(await readPods(call, namespace, name), mark),
    })
    return undefined
  })

  const hibernate = step('hibernate', 'Stop its instances', async (context, subject) => {
    await patchCluster(subject, { metadata: { annotations: { [hibernation]: 'on' } } })
    await waited(context, {
      ...subject,
      isDone: (_object, { status }) => status === 'hibernated',
    })
    context.log('Its pods are gone; its volumes stay.')
    return undefined
  })

  const resume = step('resume', 'Start its instances', async (context, subject) => {
    await patchCluster(subject, { metadata: { annotations: { [hibernation]: 'off' } } })
    await waited(context, {
      ...subject,
      isDone: (_object, { status }) => status === 'available',
    })
    return undefined
  })

  const change = step('change', 'Change the Cluster', async (context, subject) => {
    const { instances, storage, parameters } = changeOf(context.run.input)
    const before = parameters === undefined ? undefined : await readCluster(subject)
    await patchCluster(subject, {
      spec: {
        ...(instances !== undefined && { instances }),
        ...(storage !== undefined && { storage: { size: storage } }),
        ...(parameters !== undefined && { postgresql: { parameters: parameterPatch(before, parameters) } }),
      },
    })
    const begunMs = clock.monotonicMs()
    await waited(context, {
      ...subject,
      isDone: ({ status: said }, { status }) =>
        status === 'available' &&
        clock.monotonicMs() - begunMs > settleMs &&
        (instances === undefined || said?.readyInstances === instances),
    })
    return undefined
  })

  const failOver = step('fail_over', 'Make another instance the primary', async (context, subject) => {
    const { namespace, name, call } = subject
    const object = await readCluster(subject)
    const { currentPrimary, instanceNames = [] } = object?.status ?? {}
    const { to: wanted } = context.run.input as { to?: string }
    const to = wanted ?? instanceNames.find((each) => each !== currentPrimary)
    if (to === undefined || !instanceNames.includes(to)) {
      throw new StepFailure(
        to === undefined
          ? 'It has no other instance.'
          : `It has no instance "${to}"; its instances are ${instanceNames.join(', ')}.`,
      )
    }
    if (currentPrimary !== to) {
      const pod = await call(
        'GET',
        `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(to)}`,
      )
      if (pod.status !== 200)
        throw new StepFailure(`The pod "${to}" cannot become the primary: ${messageOf(pod)}.`)
      // As the plug-in of kubectl asks for it; the version keeps two from asking for different ones at once.
      await patchCluster(
        subject,
        {
          metadata: { resourceVersion: object?.metadata?.resourceVersion },
          status: {
            targetPrimary: to,
            targetPrimaryTimestamp: clock.now().toISOString(),
            phase: 'Switchover in progress',
            phaseReason: `Switching over to ${to}`,
          },
        },
        '/status',
      )
    }
    context.log(`${to} becomes the primary of "${name}".`)
    await waited(context, {
      ...subject,
      isDone: ({ status: said }, { status }) => status === 'available' && said?.currentPrimary === to,
    })
    return { primary: to }
  })

  const remove = step('delete_cluster', 'Delete the Cluster', async (context, subject) => {
    await removeCluster(context, subject)
    const { namespace, call, row } = subject
    const store = row.cnpg?.wanted?.store
    if (store === undefined) return undefined
    await removeStore(call, { id: row.id, namespace }, store)
    await releaseTarget(parts, row)
    context.log(`What was backed up stays in ${store.destinationPath}.`)
    return undefined
  })

  async function removeCluster(context: StepContext, subject: OnCluster): Promise<void> {
    const { namespace, name, call, row } = subject
    const object = await readCluster(subject)
    // One that somebody else made under the same name is theirs.
    if (object === undefined || !isOfDatabase(object, row.id)) {
      context.log('There is no Cluster of this database.')
      return
    }
    const answer = await call('DELETE', clusterPath(namespace, name), {
      body: { propagationPolicy: 'Foreground', preconditions: { uid: object.metadata?.uid } },
    })
    if (answer.status >= 300 && answer.status !== 404) {
      throw new StepFailure(`The cluster refuses to delete the Cluster "${name}": ${messageOf(answer)}.`)
    }
    const begunMs = clock.monotonicMs()
    // oxlint-disable-next-line no-await-in-loop -- until it is gone
    while ((await readCluster(subject))?.metadata?.uid === object.metadata?.uid) {
      if (clock.monotonicMs() - begunMs > 10 * 60_000) {
        throw new StepFailure(
          `The Cluster "${name}" is still being deleted after 10 min. A finalizer may hold it.`,
        )
      }
      // oxlint-disable-next-line no-await-in-loop -- until it is gone
      await context.sleep(500)
    }
    context.log(`The Cluster "${name}" is deleted with its pods and volumes.`)
  }

  return { restart, hibernate, resume, change, failOver, remove }
}

/** A target that no Cluster uses any more can be deleted. */
async function releaseTarget(
  { database }: Pick<ClusterStepParts, 'database'>,
  { organizationId, id }: DatabaseRow,
): Promise<void> {
  await database.withTenant(organizationId, async (db) => {
    const { updatedAt: _at, ...policy } = await findPolicy(db, organizationId, id)
    if (policy.targetId !== null) await storePolicy(db, organizationId, id, { ...policy, targetId: null })
  })
}

type Change = { instances?: number; storage?: string; parameters?: Record<string, string> }

/** Stored by `databases.changeCluster`, which has checked it. */
const changeOf = (input: Json) => input as Change

/** Sets these parameters and takes away those that are not named, but for those that Bey always sets. */
function parameterPatch(before: ClusterObject | undefined, parameters: Record<string, string>) {
  const known = Object.keys(before?.spec?.postgresql?.parameters ?? {})
  const gone = known.filter((name) => !(name in parameters) && !name.startsWith('pg_stat_statements.'))
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...parameters }
}
