import { type EntityType, entityOf, entityTypes } from '../base/entity-table.ts'
import type { Permission } from '../base/permissions.ts'

/** Something that the inventory lists: a type of entity of Bey, or a kind of Kubernetes object. */
export type ResourceKind = {
  /** As queries write it (`kind:pod`) and as ids begin (`pod:3.shop.web-1`). */
  kind: string
  singular: string
  plural: string
  /** Name of a lucide icon, kebab-case. */
  icon: string
  /** Heading under which kinds are listed side by side. */
  group: 'Bey' | 'Cluster' | 'Workloads' | 'Network' | 'Configuration' | 'Storage'
  permission: Permission
}

/** Entities that are things an organization has, and not what happened to them. */
const listedEntities = [
  'cluster',
  'workflow',
  'secret',
  'database',
  'network',
  'member',
  'apiKey',
  'webhook',
] as const
export type ListedEntity = (typeof listedEntities)[number]

/** `apiKey` is written `api-key`. */
const written = (type: EntityType) => type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const ofEntities = entityTypes
  .filter((type): type is ListedEntity => listedEntities.some((each) => each === type))
  .map((type): ResourceKind => {
    const { singular, plural, icon, readPermission } = entityOf(type)
    return { kind: written(type), singular, plural, icon, group: 'Bey', permission: readPermission }
  })

/** Parts of entities that are listed by themselves, each with a UUID. */
export const partResourceKinds = {
  securityGroup: {
    kind: 'security-group',
    singular: 'security group',
    plural: 'security groups',
    icon: 'shield',
    group: 'Bey',
    permission: 'networks.read',
  },
  backupTarget: {
    kind: 'backup-target',
    singular: 'backup target',
    plural: 'backup targets',
    icon: 'hard-drive',
    group: 'Bey',
    permission: 'databases.read',
  },
  dataSource: {
    kind: 'data-source',
    singular: 'data source',
    plural: 'data sources',
    icon: 'chart-line',
    group: 'Bey',
    permission: 'analytics.read',
  },
} as const satisfies Record<string, ResourceKind>

/** Id of a part in the inventory: `security-group:019a…`. */
export function partResourceId(part: keyof typeof partResourceKinds, id: string): string {
  return `${partResourceKinds[part].kind}:${id}`
}

const kubernetes = (
  group: ResourceKind['group'],
  icon: string,
  kind: string,
  singular = kind,
  plural = `${singular}s`,
): ResourceKind => ({ kind, singular, plural, icon, group, permission: 'kubernetes.read' })

/** Kinds of objects that every running cluster is asked for. */
export const kubernetesResourceKinds: readonly ResourceKind[] = [
  kubernetes('Cluster', 'server', 'node'),
  kubernetes('Cluster', 'folder', 'namespace'),
  kubernetes('Workloads', 'layers', 'deployment'),
  kubernetes('Workloads', 'database', 'statefulset', 'stateful set'),
  kubernetes('Workloads', 'copy', 'daemonset', 'daemon set'),
  kubernetes('Workloads', 'zap', 'job'),
  kubernetes('Workloads', 'clock', 'cronjob', 'cron job'),
  kubernetes('Workloads', 'box', 'pod'),
  kubernetes('Network', 'waypoints', 'service'),
  kubernetes('Network', 'globe', 'ingress', 'ingress', 'ingresses'),
  kubernetes('Network', 'shield', 'networkpolicy', 'network policy', 'network policies'),
  kubernetes('Configuration', 'file-text', 'configmap', 'config map'),
  {
    ...kubernetes('Configuration', 'key-round', 'k8s-secret', 'Kubernetes secret'),
    permission: 'kubernetes.secrets',
  },
  kubernetes('Storage', 'hard-drive', 'volumeclaim', 'volume claim'),
]

/** The certificate in a Secret that ingresses or gateways of a cluster name; it has the place and name of that Secret. */
export const certificateKind: ResourceKind = {
  kind: 'certificate',
  singular: 'certificate',
  plural: 'certificates',
  icon: 'file-badge',
  group: 'Network',
  permission: 'kubernetes.read',
}

/** Gateways of the Gateway API, in clusters that serve it. */
export const gatewayKind = kubernetes('Network', 'globe', 'gateway')

/** Every kind, in the order in which they are listed. */
export const resourceKinds: readonly ResourceKind[] = [
  ...ofEntities,
  ...Object.values(partResourceKinds),
  ...kubernetesResourceKinds,
  gatewayKind,
  certificateKind,
]

/** Kinds whose ids name a cluster, a namespace and a name. */
const placedKinds = new Set(
  [...kubernetesResourceKinds, gatewayKind, certificateKind].map(({ kind }) => kind),
)

const byKind = new Map(resourceKinds.map((each) => [each.kind, each]))

export function resourceKindOf(kind: string): ResourceKind | undefined {
  return byKind.get(kind)
}

/** Id of an entity in the inventory: `secret:019a…`, `cluster:3`. */
export function entityResourceId(type: ListedEntity, id: string | number): string {
  return `${written(type)}:${id}`
}

/** An object of a cluster. By its name and not its uid: a pod of a stateful set keeps its tags when it is made again. */
export type ObjectOfResource = { kind: string; clusterId: number; namespace: string; name: string }

/** Id of an object of a cluster: `pod:3.shop.web-1`; the namespace is empty where its kind has none: `node:3..workers-1`. */
export function objectResourceId({ kind, clusterId, namespace, name }: ObjectOfResource): string {
  return `${kind}:${clusterId}.${namespace}.${name}`
}

/** Reads an id of an object or certificate of a cluster; undefined for one of an entity, or of no known kind. */
export function objectOfResourceId(id: string): ObjectOfResource | undefined {
  const match = /^([a-z0-9-]+):(\d{1,10})\.([^.]*)\.(.+)$/.exec(id)
  if (!match) return undefined
  const [, kind = '', cluster, namespace = '', name = ''] = match
  if (!placedKinds.has(kind)) return undefined
  return { kind, clusterId: Number(cluster), namespace, name }
}
