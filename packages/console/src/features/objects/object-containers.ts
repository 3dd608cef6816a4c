import { asKubernetesObject } from './kubernetes-object.ts'

export interface ObjectContainer {
  name: string
  kind: 'init' | 'container' | 'ephemeral'
}

interface PodSpec {
  initContainers?: { name?: string }[]
  containers?: { name?: string }[]
  ephemeralContainers?: { name?: string }[]
}

interface Templated {
  template?: { spec?: PodSpec }
  jobTemplate?: { spec?: { template?: { spec?: PodSpec } } }
}

/** The containers of a pod, or of the pods that a workload makes; empty for what has none. */
export function containersOf(object: Record<string, unknown>): ObjectContainer[] {
  // What stands in a spec depends on the kind.
  const spec = (asKubernetesObject(object).spec ?? {}) as PodSpec & Templated
  const pod = spec.jobTemplate?.spec?.template?.spec ?? spec.template?.spec ?? spec
  const of = (kind: ObjectContainer['kind'], list: { name?: string }[] | undefined) =>
    Array.isArray(list) ? list.flatMap(({ name }) => (name ? [{ name, kind }] : [])) : []
  return [
    ...of('container', pod.containers),
    ...of('init', pod.initContainers),
    ...of('ephemeral', pod.ephemeralContainers),
  ]
}

const withPods =
  /^(pods|services|replicationcontrollers|(deployments|statefulsets|daemonsets|replicasets)\.apps|(jobs|cronjobs)\.batch)$/

/** Whether logs come from an object of this resource. */
export function hasLogs(resource: string): boolean {
  return withPods.test(resource)
}
