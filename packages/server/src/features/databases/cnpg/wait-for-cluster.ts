import type { Clock } from '../../../platform/clock.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext } from '../../workflows/definition/definition.ts'
import { asCluster, type ClusterObject, clusterPath, messageOf } from './cluster-object.ts'
import { type ClusterState, stateOf } from './cluster-state.ts'
import type { PersonCall } from './clusters.ts'
import { podTrouble, readPods } from './pod-trouble.ts'

const periodMs = 1_000
/** How long the operator may say nothing of a new Cluster. */
const silentAfterMs = 60_000
/** How long a trouble that somebody has to mend may last: some end by themselves after a moment. */
const stuckAfterMs = 120_000
const deadlineMs = 30 * 60_000

export type Subject = { namespace: string; name: string; call: PersonCall }
export type Wait = Subject & {
  /** Whether the Cluster is as it is waited for. */
  isDone: (object: ClusterObject, state: ClusterState) => boolean | Promise<boolean>
}

/** Reads a Cluster. Throws StepFailure with the cause where that is not possible; undefined: there is none. */
export async function readCluster({ namespace, name, call }: Subject): Promise<ClusterObject | undefined> {
  const answer = await call('GET', clusterPath(namespace, name))
  if (answer.status === 404) return undefined
  if (answer.status === 200) return asCluster(answer.body)
  throw new StepFailure(`The Cluster "${name}" cannot be read: ${messageOf(answer)}.`)
}

/**
 * Waits until a Cluster is as it should be, and logs each phase on the way. Throws StepFailure where its operator does not
 * answer, where it waits for a person, where its pods do not start, and after half an hour.
 */
export async function waitForCluster(
  context: Pick<StepContext, 'log' | 'progress' | 'sleep'>,
  clock: Pick<Clock, 'monotonicMs'>,
  { isDone, ...subject }: Wait,
): Promise<ClusterObject> {
  const { namespace, name, call } = subject
  const begunMs = clock.monotonicMs()
  let said: string | undefined
  let trouble: { text: string; sinceMs: number } | undefined
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it is done
    const object = await readCluster(subject)
    if (object === undefined)
      throw new StepFailure(`The Cluster "${name}" is gone from the namespace "${namespace}".`)
    const state = stateOf(object)
    // oxlint-disable-next-line no-await-in-loop -- until it is done
    if (await isDone(object, state)) return object
    const { instances = 1 } = object.spec ?? {}
    const { phase = '', readyInstances = 0 } = object.status ?? {}
    const line = phase === '' ? undefined : `${phase}; ${readyInstances} of ${instances} instances are ready.`
    if (line !== undefined && line !== said) context.log(line)
    said = line ?? said
    context.progress(Math.min(95, Math.round((100 * readyInstances) / instances)))
    const nowMs = clock.monotonicMs()
    if (phase === '' && nowMs - begunMs > silentAfterMs) {
      throw new StepFailure(
        `CloudNativePG has not taken up the Cluster "${name}" for ${silentAfterMs / 1_000} s. Check that its operator runs in the cluster and watches the namespace "${namespace}".`,
      )
    }
    // oxlint-disable-next-line no-await-in-loop -- until it is done
    const text = state.isStuck ? (state.reason ?? phase) : podTrouble(await readPods(call, namespace, name))
    if (text === undefined) trouble = undefined
    else if (trouble?.text !== text) {
      context.log(text, 'warning')
      trouble = { text, sinceMs: trouble === undefined ? nowMs : trouble.sinceMs }
    }
    if (trouble !== undefined && nowMs - trouble.sinceMs > stuckAfterMs) throw new StepFailure(trouble.text)
    if (nowMs - begunMs > deadlineMs) {
      throw new StepFailure(`The Cluster "${name}" was not ready after 30 min: ${state.reason ?? phase}`)
    }
    // oxlint-disable-next-line no-await-in-loop -- until it is done
    await context.sleep(periodMs)
  }
}
