/**
 * How things that run are doing: one vocabulary from a container to the organization. Derived on the server; a
 * phase or a status is not health.
 *
 * - `healthy`: does what it is meant to do
 * - `starting`: on its way there, within the time that this usually takes
 * - `degraded`: works, but not as it is meant to
 * - `failing`: does not do what it is meant to do
 * - `unknown`: could not be looked at
 */
/** A change of the health of a cluster, database or network is announced when it has lasted for so long. */
export const healthMoveAfterMs = 30_000

export const healthStates = ['failing', 'degraded', 'unknown', 'starting', 'healthy'] as const
export type HealthState = (typeof healthStates)[number]

/** The thing that a state of health comes from. `namespace` is empty where the kind has none. */
export type HealthObject = { kind: string; namespace: string; name: string }

export type Health = {
  state: HealthState
  /** One word in the field's own language, such as `CrashLoopBackOff`; null while healthy. */
  reason: string | null
  /** What the reason means here, in words. */
  detail: string | null
  /** Since when it is so, RFC 3339; null where nobody knows. */
  since: string | null
  /** The object at fault: of a workload the pod, of a cluster the workload or node. */
  object: HealthObject | null
}

export const healthy: Health = { state: 'healthy', reason: null, detail: null, since: null, object: null }

/** Smaller is worse. A list that is sorted by health begins with what needs somebody. */
export function healthRank(state: HealthState): number {
  return healthStates.indexOf(state)
}

/** Whether somebody should look at it. */
export function needsAttention({ state }: { state: HealthState }): boolean {
  return state === 'failing' || state === 'degraded' || state === 'unknown'
}

/** Glyph and tone of each state, by their names in the console's design system. */
export const healthLook = {
  healthy: { glyph: 'dot', tone: 'quiet', isBusy: false },
  starting: { glyph: 'half', tone: 'info', isBusy: true },
  degraded: { glyph: 'triangle', tone: 'warn', isBusy: false },
  failing: { glyph: 'triangle', tone: 'danger', isBusy: false },
  unknown: { glyph: 'ring', tone: 'warn', isBusy: false },
} as const satisfies Record<HealthState, { glyph: string; tone: string; isBusy: boolean }>

/** What keeps pods running; `Pod` represents one that nothing keeps. */
export const workloadKinds = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'Pod',
] as const
export type WorkloadKind = (typeof workloadKinds)[number]

/** Failing pods that a node of a node map names. */
export const maxNamedFailing = 3
