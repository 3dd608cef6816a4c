import type { Pod } from './kube-types.ts'
import { createSharedValues } from './shared-values.ts'

/** Names of config maps and secrets of the pod's namespace, in volumes and in the environment of its containers. */
export type PodReads = { configMaps: readonly string[]; secrets: readonly string[] }

/** One value for all replicas of a workload. */
const sharedReads = createSharedValues((json: string) => JSON.parse(json) as PodReads)

export function podReads({ spec = {} }: Pod): PodReads | null {
  const configMaps = new Set<string>()
  const secrets = new Set<string>()
  const add = (names: Set<string>, name: string | undefined) => {
    if (name) names.add(name)
  }
  for (const { configMap, secret, projected } of spec.volumes ?? []) {
    add(configMaps, configMap?.name)
    add(secrets, secret?.secretName)
    for (const source of projected?.sources ?? []) {
      add(configMaps, source.configMap?.name)
      add(secrets, source.secret?.name)
    }
  }
  for (const { env = [], envFrom = [] } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const { valueFrom } of env) {
      add(configMaps, valueFrom?.configMapKeyRef?.name)
      add(secrets, valueFrom?.secretKeyRef?.name)
    }
    for (const { configMapRef, secretRef } of envFrom) {
      add(configMaps, configMapRef?.name)
      add(secrets, secretRef?.name)
    }
  }
  // Every pod has this one, which belongs to its namespace.
  configMaps.delete('kube-root-ca.crt')
  if (configMaps.size === 0 && secrets.size === 0) return null
  return sharedReads(JSON.stringify({ configMaps: [...configMaps], secrets: [...secrets] }))
}
