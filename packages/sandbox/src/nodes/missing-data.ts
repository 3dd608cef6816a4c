import type { Store } from '../store/store.ts'
import { configMaps, secrets, type Container, type Pod } from '../types.ts'

/** Data that the pod needs and that is not there keeps it from starting. */
export function missingData(store: Store, pod: Pod): { isVolume: boolean; message: string } | undefined {
  const { namespace } = pod.metadata
  const lacks = (kind: typeof configMaps | typeof secrets, name: string | undefined, optional?: boolean) =>
    name !== undefined && !optional && !store.get<unknown>(kind, namespace, name)
  for (const { configMap, secret } of pod.spec.volumes ?? []) {
    if (lacks(configMaps, configMap?.name, configMap?.optional))
      return { isVolume: true, message: `configmap "${configMap?.name}" not found` }
    if (lacks(secrets, secret?.secretName, secret?.optional))
      return { isVolume: true, message: `secret "${secret?.secretName}" not found` }
  }
  return undefined
}

/** Why a container cannot get the values of its environment. */
export function missingEnvironment(store: Store, pod: Pod, container: Container): string | undefined {
  const { namespace } = pod.metadata
  for (const { valueFrom } of container.env ?? []) {
    const map = valueFrom?.configMapKeyRef
    if (map && !map.optional) {
      const found = store.get(configMaps, namespace, map.name ?? '')
      if (!found) return `configmap "${map.name}" not found`
      if (found.data?.[map.key] === undefined)
        return `couldn't find key ${map.key} in ConfigMap ${namespace}/${map.name}`
    }
    const secret = valueFrom?.secretKeyRef
    if (secret && !secret.optional) {
      const found = store.get(secrets, namespace, secret.name ?? '')
      if (!found) return `secret "${secret.name}" not found`
      if (found.data?.[secret.key] === undefined)
        return `couldn't find key ${secret.key} in Secret ${namespace}/${secret.name}`
    }
  }
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef && !configMapRef.optional && !store.get(configMaps, namespace, configMapRef.name ?? ''))
      return `configmap "${configMapRef.name}" not found`
    if (secretRef && !secretRef.optional && !store.get(secrets, namespace, secretRef.name ?? ''))
      return `secret "${secretRef.name}" not found`
  }
  return undefined
}
