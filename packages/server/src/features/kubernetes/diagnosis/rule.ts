import type { Evidence, ObjectRef, Remedy } from '@bey/contract'
import { resourceOfKind } from '@bey/contract'
import type { Situation } from './situation.ts'

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

export const depths = { surface: 0, object: 1, dependency: 2, change: 3 } as const

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
