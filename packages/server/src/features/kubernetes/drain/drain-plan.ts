/** A pod of a node, as far as a drain looks at it. */
export type DrainPod = {
  metadata?: {
    name?: string
    namespace?: string
    uid?: string
    deletionTimestamp?: string
    annotations?: Record<string, string>
    ownerReferences?: { kind?: string; name?: string; controller?: boolean }[]
  }
  spec?: { volumes?: { name?: string; emptyDir?: unknown }[] }
  status?: { phase?: string }
}

export type PodRef = { namespace: string; name: string; uid: string }

export type DrainChoices = { force: boolean; deleteEmptyDirData: boolean }

/** What a drain does with the pods of a node, each with why it stays or is refused. */
export type DrainPlan = {
  evict: PodRef[]
  stay: { pod: string; why: string }[]
  refused: { pod: string; why: string }[]
}

const mirrorKey = 'kubernetes.io/config.mirror'

/** Sorts the pods of a node as `kubectl drain --ignore-daemonsets` does. */
export function planDrain(pods: readonly DrainPod[], { force, deleteEmptyDirData }: DrainChoices): DrainPlan {
  const plan: DrainPlan = { evict: [], stay: [], refused: [] }
  for (const pod of pods) {
    const { name = '', namespace = '', uid = '' } = pod.metadata ?? {}
    const label = `${namespace}/${name}`
    const why = whyStays(pod)
    if (why !== undefined) {
      plan.stay.push({ pod: label, why })
      continue
    }
    const refusal = whyRefused(pod, { force, deleteEmptyDirData })
    if (refusal === undefined) plan.evict.push({ namespace, name, uid })
    else plan.refused.push({ pod: label, why: refusal })
  }
  return plan
}

function controllerOf({ metadata }: DrainPod) {
  return metadata?.ownerReferences?.find((owner) => owner.controller === true)
}

function isOver({ status }: DrainPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

function whyStays(pod: DrainPod): string | undefined {
  if (pod.metadata?.annotations?.[mirrorKey] !== undefined) return 'the node itself runs it'
  const owner = controllerOf(pod)
  if (owner?.kind === 'DaemonSet' && !isOver(pod))
    return `the daemon set "${owner.name}" runs it on every node`
  return undefined
}

function whyRefused(pod: DrainPod, { force, deleteEmptyDirData }: DrainChoices): string | undefined {
  // What is over, or ends already, loses nothing more.
  if (isOver(pod) || pod.metadata?.deletionTimestamp !== undefined) return undefined
  if (!force && controllerOf(pod) === undefined) return 'nothing would start it again'
  const local = pod.spec?.volumes?.find(({ emptyDir }) => emptyDir !== undefined)
  if (!deleteEmptyDirData && local)
    return `what it keeps in the emptyDir volume "${local.name}" would be lost`
  return undefined
}
