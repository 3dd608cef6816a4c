import type { Clock } from '../../../platform/clock.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { Json, StepContext } from '../../workflows/definition/definition.ts'
import type { ClusterAnswer, ClusterCalls } from '../connection/cluster-calls.ts'
import { reasonOf } from '../connection/cluster-calls.ts'
import { drainInputOf, nodePath } from './drain-input.ts'
import type { DrainPod, PodRef } from './drain-plan.ts'
import { planDrain } from './drain-plan.ts'
import { evictPod } from './evict-pods.ts'

/** A step of a drain: the cluster, in the name of the person who started it, and the step's own context. */
export type DrainStep = (call: ClusterCalls, context: StepContext) => Promise<Json | undefined>

const pageSize = 500
const maxNamed = 10

/** Makes the node take no new pods; one that takes none already is left so. */
export const cordonNode: DrainStep = (call, context) => setUnschedulable(call, context, true)

/** Makes the node take pods again. */
export const uncordonNode: DrainStep = (call, context) => setUnschedulable(call, context, false)

async function setUnschedulable(
  call: ClusterCalls,
  context: StepContext,
  isUnschedulable: boolean,
): Promise<undefined> {
  const { node, nodeUid } = drainInputOf(context.run)
  const { signal } = context
  const read = await answered(call('GET', nodePath(node), { signal }))
  if (read.status === 404 || (read.status === 200 && read.body.metadata?.uid !== nodeUid)) {
    if (isUnschedulable) throw new StepFailure(`The node "${node}" is gone, and its pods with it.`)
    context.log(`The node ${node} is gone.`)
    return undefined
  }
  expect(read, 200, `The node "${node}" could not be read`)
  if (Boolean(read.body.spec?.unschedulable) === isUnschedulable) {
    context.log(isUnschedulable ? `${node} takes no new pods already.` : `${node} takes new pods already.`)
    return undefined
  }
  const changed = await answered(
    call('PATCH', nodePath(node), {
      body: { spec: { unschedulable: isUnschedulable || null } },
      contentType: 'application/merge-patch+json',
      signal,
    }),
  )
  expect(changed, 200, `The node "${node}" could not be ${isUnschedulable ? 'cordoned' : 'uncordoned'}`)
  context.log(
    isUnschedulable ? `Cordoned: ${node} takes no new pods.` : `Uncordoned: ${node} takes new pods.`,
  )
  return undefined
}

/** Which pods go and which stay; refuses before anything is evicted where a pod must not go. */
export function listPods(clock: Clock): DrainStep {
  return async (call, context) => {
    const { node, force, deleteEmptyDirData, timeoutSeconds } = drainInputOf(context.run)
    const plan = planDrain(await podsOf(call, node, context.signal), { force, deleteEmptyDirData })
    for (const { pod, why } of plan.stay) context.log(`${pod} stays: ${why}.`)
    if (plan.refused.length > 0) {
      for (const { pod, why } of plan.refused) context.log(`${pod} is in the way: ${why}.`, 'warning')
      throw new StepFailure(refusalText(plan.refused))
    }
    context.log(`${plan.evict.length} to evict, ${plan.stay.length} to stay.`)
    const deadline = new Date(clock.now().getTime() + timeoutSeconds * 1000).toISOString()
    return { pods: plan.evict, staying: plan.stay.length, deadline }
  }
}

/** Evicts every pod of the plan; waits and tries again where a disruption budget allows none now. */
export function evictAll(clock: Clock, retryMs: number): DrainStep {
  return async (call, context) => {
    const { pods, deadline } = planOf(context)
    const reasons = new Map<string, string>()
    let left = pods
    const report = () =>
      context.progress(pods.length === 0 ? 100 : Math.round((1 - left.length / pods.length) * 100))
    while (left.length > 0) {
      const waiting: PodRef[] = []
      for (const pod of left) {
        const label = `${pod.namespace}/${pod.name}`
        const eviction = await evictPod(call, pod, context.signal)
        if (eviction.state === 'refused')
          throw new StepFailure(`The cluster refuses to evict ${label}: ${eviction.why}`)
        if (eviction.state === 'waiting') {
          waiting.push(pod)
          // Said once, and again when the reason is another one.
          if (reasons.get(label) !== eviction.why) context.log(`${label} waits: ${eviction.why}`, 'warning')
          reasons.set(label, eviction.why)
        } else context.log(eviction.state === 'evicted' ? `Evicted ${label}.` : `${label} is gone.`)
      }
      left = waiting
      report()
      if (left.length === 0) break
      if (clock.now().getTime() + retryMs > deadline) throw new StepFailure(outOfTime(left, reasons))
      await context.sleep(retryMs)
    }
    return { evicted: pods.length }
  }
}

/** Waits until the evicted pods have ended. */
export function awaitGone(clock: Clock, pollMs: number): DrainStep {
  return async (call, context) => {
    const { node } = drainInputOf(context.run)
    const { pods, deadline } = planOf(context)
    const wanted = new Set(pods.map(({ uid }) => uid))
    for (;;) {
      const here = await podsOf(call, node, context.signal)
      const left = here.filter(({ metadata }) => wanted.has(metadata?.uid ?? ''))
      if (pods.length > 0) context.progress(Math.round((1 - left.length / pods.length) * 100))
      if (left.length === 0) {
        context.log(pods.length === 0 ? 'There was nothing to wait for.' : `All ${pods.length} have ended.`)
        return { gone: pods.length }
      }
      if (clock.now().getTime() + pollMs > deadline) {
        const names = left.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)
        throw new StepFailure(
          `The time limit is over, and ${namesOf(names)} ${names.length === 1 ? 'has' : 'have'} not ended. The node stays cordoned; drain it again to go on waiting.`,
        )
      }
      await context.sleep(pollMs)
    }
  }
}

function planOf({ outputs }: StepContext): { pods: PodRef[]; deadline: number } {
  // As `listPods` recorded it.
  const plan = outputs['list_pods'] as { pods: PodRef[]; deadline: string }
  return { pods: plan.pods, deadline: Date.parse(plan.deadline) }
}

async function podsOf(call: ClusterCalls, node: string, signal: AbortSignal): Promise<DrainPod[]> {
  const pods: DrainPod[] = []
  const selector = encodeURIComponent(`spec.nodeName=${node}`)
  let next = ''
  do {
    const page = next && `&continue=${encodeURIComponent(next)}`
    const answer = await answered(
      call('GET', `/api/v1/pods?fieldSelector=${selector}&limit=${pageSize}${page}`, { signal }),
    )
    expect(answer, 200, `The pods of the node "${node}" could not be read`)
    // The path says that these are pods.
    pods.push(...((answer.body.items ?? []) as DrainPod[]))
    next = answer.body.metadata?.continue ?? ''
  } while (next !== '')
  return pods
}

async function answered(call: Promise<ClusterAnswer>): Promise<ClusterAnswer> {
  try {
    return await call
  } catch (error) {
    throw new StepFailure(`The cluster does not answer: ${whyUnreachable(error)}.`, { cause: error })
  }
}

function expect(answer: ClusterAnswer, status: number, what: string): void {
  if (answer.status !== status) throw new StepFailure(`${what}: ${reasonOf(answer)}`)
}

function refusalText(refused: readonly { pod: string; why: string }[]): string {
  const [first] = refused
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more, see the log)` : ''
  return `Nothing was evicted: of ${first?.pod} ${first?.why}${more}. The node stays cordoned. Delete these pods, or drain again and allow it.`
}

function outOfTime(left: readonly PodRef[], reasons: ReadonlyMap<string, string>): string {
  const names = left.map(({ namespace, name }) => `${namespace}/${name}`)
  const why = reasons.get(names[0] ?? '') ?? ''
  return `The time limit is over before ${namesOf(names)} could be evicted: ${why} The node stays cordoned; drain it again to go on waiting.`
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - maxNamed
  return names.slice(0, maxNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
