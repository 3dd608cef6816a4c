import type { Evidence, ObjectRef, Remedy } from '@bey/contract'
import { resourceOfKind } from '@bey/contract'
import type { ContainerStatus, Situation } from './situation.ts'

/** What a rule found out. */
type Finding = {
  /** How it comes, in one sentence. */
  cause: string
  evidence: Evidence[]
  remedies: Remedy[]
  /** Later causes come first: an image that cannot be pulled explains why a rollout is stuck, not the other way. */
  depth: number
}

/** One explanation: looks at a situation and says what it found, or nothing. */
export type Rule = {
  id: string
  /** It will not pass by itself, so that it is reported of what is only starting, too. */
  isLasting?: boolean
  find: (situation: Situation) => Finding | null
}

export const depths = { surface: 0, object: 1, dependency: 2, behindDependency: 3, change: 4 } as const

export function proof(
  kind: Evidence['kind'],
  text: string,
  more: { quote?: string | null | undefined; object?: ObjectRef | null; at?: string | null | undefined } = {},
): Evidence {
  return { kind, text, quote: more.quote ?? null, object: more.object ?? null, at: isoTime(more.at) }
}

/** Kubernetes writes whole seconds; the wire carries milliseconds. */
export function isoTime(text: string | null | undefined): string | null {
  const ms = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

export function refOf(kind: string, namespace: string, name: string): ObjectRef {
  return { kind, namespace, name, resource: resourceOfKind(kind) ?? null }
}

export function podRef({ pod }: Situation): ObjectRef | null {
  const name = pod?.metadata?.name
  return name ? refOf('Pod', pod.metadata?.namespace ?? '', name) : null
}

/** The object to act on: the workload that keeps the pod, else the subject. */
export function ownerRef({ workload, subject }: Situation): ObjectRef {
  const { kind, resource, namespace, name } = workload ?? subject
  return { kind, resource, namespace, name }
}

/** `deployment/web -n shop`: how kubectl names an object. */
export function kubectlTarget({ kind, namespace, name }: ObjectRef): string {
  return `${kind.toLowerCase()}/${name}${namespace ? ` -n ${namespace}` : ''}`
}

export function containerName({ container }: Situation): string {
  return container?.spec.name ?? container?.status.name ?? ''
}

/** The latest event with one of these reasons, and a message that fits. */
export function eventWith(situation: Situation, reasons: readonly string[], message?: RegExp) {
  return situation.events.find(
    (event) => reasons.includes(event.reason) && (message === undefined || message.test(event.message)),
  )
}

/** How the run of the container ended: this one, or the one before. */
export function lastEnd({ container }: Situation) {
  const state = container?.status.state
  return state?.terminated ?? container?.status.lastState?.terminated
}

const imageReasons = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'ImageInspectError',
  'InvalidImageName',
  'RegistryUnavailable',
  'SignatureValidationFailed',
])

/** Whether the kubelet says of a container that its image is not there yet (kubernetes/pkg/kubelet/images). */
export function waitsForImage({ state }: ContainerStatus): boolean {
  return imageReasons.has(state?.waiting?.reason ?? '')
}

export function openRemedy(text: string, object: ObjectRef): Remedy {
  return { text, action: { id: 'open', object }, command: `kubectl describe ${kubectlTarget(object)}` }
}

export function editRemedy(text: string, object: ObjectRef, command?: string): Remedy {
  return {
    text,
    action: { id: 'edit-yaml', object },
    command: command ?? `kubectl edit ${kubectlTarget(object)}`,
  }
}

/** Kinds of which what pods are made from cannot be changed: only another object can have other pods. */
const immutableTemplates = new Set(['Job', 'Pod'])

/** A change of the pods of a workload: where the API server refuses it, the way is another object in its place. */
export function templateRemedy(text: string, situation: Situation, command?: string): Remedy {
  const target = ownerRef(situation)
  if (!immutableTemplates.has(target.kind)) return editRemedy(text, target, command)
  const { kind, name, namespace } = target
  const file = `${name}.yaml`
  return {
    text: `${text}. A ${kind.toLowerCase()} cannot be changed in that: make it again from its corrected manifest`,
    action: { id: 'open', object: target },
    command: `kubectl get ${kind.toLowerCase()} ${name} -n ${namespace} -o yaml > ${file}; kubectl replace --force -f ${file}`,
  }
}

/** The class of a claim cannot be changed: either there is one of this name, or the claim is made again. */
export function missingClassRemedies(storageClass: string, namespace: string, claim: string): Remedy[] {
  return [
    {
      text: `Create the storage class "${storageClass}"`,
      action: { id: 'create', object: refOf('StorageClass', '', storageClass) },
      command: 'kubectl get storageclasses',
    },
    {
      text: `Or delete the claim "${claim}" and make it again with a class that exists: the class of a claim cannot be changed`,
      action: { id: 'open', object: refOf('PersistentVolumeClaim', namespace, claim) },
      command: `kubectl delete pvc ${claim} -n ${namespace}`,
    },
  ]
}
