import { resourceOfKind } from '@bey/contract'
import type { AnyObject } from './situation.ts'

export type Reference = { kind: string; resource: string; namespace: string; name: string }

type Volume = {
  configMap?: { name?: string; optional?: boolean }
  secret?: { secretName?: string; optional?: boolean }
  persistentVolumeClaim?: { claimName?: string }
  projected?: { sources?: { configMap?: Named; secret?: Named }[] }
}
type Named = { name?: string; optional?: boolean }
type PodSpec = {
  serviceAccountName?: string
  volumes?: Volume[]
  imagePullSecrets?: Named[]
  containers?: ContainerRefs[]
  initContainers?: ContainerRefs[]
}
type ContainerRefs = {
  envFrom?: { configMapRef?: Named; secretRef?: Named }[]
  env?: { valueFrom?: { configMapKeyRef?: Named; secretKeyRef?: Named } }[]
}
type IngressSpec = {
  ingressClassName?: string
  tls?: { secretName?: string }[]
  defaultBackend?: Backend
  rules?: { http?: { paths?: { backend?: Backend }[] } }[]
}
type Backend = { service?: { name?: string } }

/** The objects without which a pod, claim or ingress cannot do its work; optional references are left out. */
export function requiredReferences({ kind, metadata, spec = {} }: AnyObject): Reference[] {
  const namespace = metadata?.namespace ?? ''
  if (kind === 'Pod') return inNamespace(namespace, podReferences(spec))
  if (kind === 'Ingress') {
    const { ingressClassName, tls = [] } = spec as IngressSpec
    return [
      ...inNamespace(namespace, [
        ...ingressServices({ spec }).map((name) => ['Service', name] as const),
        ...tls.map(({ secretName }) => ['Secret', secretName] as const),
      ]),
      ...(ingressClassName ? [reference('IngressClass', '', ingressClassName)] : []),
    ]
  }
  const storageClass = spec['storageClassName']
  if (kind === 'PersistentVolumeClaim' && typeof storageClass === 'string' && storageClass !== '')
    return [reference('StorageClass', '', storageClass)]
  return []
}

export function ingressServices({ spec = {} }: AnyObject): string[] {
  const { defaultBackend, rules = [] } = spec as IngressSpec
  const backends = [
    defaultBackend,
    ...rules.flatMap(({ http }) => http?.paths?.map((path) => path.backend) ?? []),
  ]
  return [...new Set(backends.flatMap((backend) => backend?.service?.name ?? []))]
}

function podReferences(spec: PodSpec): (readonly [string, string | undefined])[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const needed = (kind: string, named: Named | undefined) =>
    named?.name && named.optional !== true ? [[kind, named.name] as const] : []
  return [
    ...(spec.volumes ?? []).flatMap(({ configMap, secret, persistentVolumeClaim, projected }) => [
      ...needed('ConfigMap', configMap),
      ...needed('Secret', secret && { ...secret, name: secret.secretName ?? '' }),
      ...(persistentVolumeClaim ? [['PersistentVolumeClaim', persistentVolumeClaim.claimName] as const] : []),
      ...(projected?.sources ?? []).flatMap((source) => [
        ...needed('ConfigMap', source.configMap),
        ...needed('Secret', source.secret),
      ]),
    ]),
    ...containers.flatMap(({ envFrom = [], env = [] }) => [
      ...envFrom.flatMap((each) => [
        ...needed('ConfigMap', each.configMapRef),
        ...needed('Secret', each.secretRef),
      ]),
      ...env.flatMap(({ valueFrom }) => [
        ...needed('ConfigMap', valueFrom?.configMapKeyRef),
        ...needed('Secret', valueFrom?.secretKeyRef),
      ]),
    ]),
  ]
}

function inNamespace(
  namespace: string,
  all: readonly (readonly [string, string | undefined])[],
): Reference[] {
  const found = new Map<string, Reference>()
  for (const [kind, name] of all) if (name) found.set(`${kind}/${name}`, reference(kind, namespace, name))
  return [...found.values()]
}

function reference(kind: string, namespace: string, name: string): Reference {
  const resource = kind === 'IngressClass' ? 'ingressclasses.networking.k8s.io' : (resourceOfKind(kind) ?? '')
  return { kind, resource, namespace, name }
}
