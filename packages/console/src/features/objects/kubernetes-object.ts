/** What the pages read of any object. Everything is optional: it comes from a cluster. */
export interface KubernetesObject {
  apiVersion?: string
  kind?: string
  metadata?: {
    name?: string
    namespace?: string
    uid?: string
    creationTimestamp?: string
    deletionTimestamp?: string
    generation?: number
    resourceVersion?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
    finalizers?: string[]
  }
  spec?: Record<string, unknown>
  status?: Record<string, unknown> & { conditions?: Condition[] }
}

export interface Condition {
  type?: string
  status?: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

/** The wire says nothing about the shape of an object; its kind does. */
export function asKubernetesObject(object: Record<string, unknown>): KubernetesObject {
  return object
}

/** Conditions that report trouble while they are true; every other one while it is false. */
const troubleWhenTrue = /(Pressure|Unavailable|Failure|Failed|Stalled|Degraded|Dangling|NonStructuralSchema)$/

/** Whether a condition says that something is wrong. */
export function isTrouble({ type = '', status }: Condition): boolean {
  return status === (troubleWhenTrue.test(type) ? 'True' : 'False')
}
