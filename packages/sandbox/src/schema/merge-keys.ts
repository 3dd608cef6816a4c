/**
 * How lists merge, after the API reference ("patch strategy: merge on key …", "Map: unique values on key …").
 * Lists that are not named here are atomic.
 */
export type ListRule = {
  /** The member that identifies an item to a strategic merge patch; '' for a list of plain values. */
  patch?: string
  /** The members that identify an item to server-side apply; [] for a set of plain values. */
  apply?: readonly string[]
}

const byName: ListRule = { patch: 'name', apply: ['name'] }
const byType: ListRule = { patch: 'type', apply: ['type'] }
const set: ListRule = { apply: [] }

const fields: Record<string, ListRule> = {
  containers: byName,
  initContainers: byName,
  ephemeralContainers: byName,
  env: byName,
  volumes: byName,
  imagePullSecrets: byName,
  resourceClaims: byName,
  schedulingGates: byName,
  matchConditions: byName,
  webhooks: byName,
  volumeMounts: { patch: 'mountPath', apply: ['mountPath'] },
  volumeDevices: { patch: 'devicePath', apply: ['devicePath'] },
  hostAliases: { patch: 'ip', apply: ['ip'] },
  podIPs: { patch: 'ip', apply: ['ip'] },
  hostIPs: { patch: 'ip' },
  topologySpreadConstraints: { patch: 'topologyKey', apply: ['topologyKey', 'whenUnsatisfiable'] },
  conditions: byType,
  ownerReferences: { patch: 'uid', apply: ['uid'] },
  finalizers: { patch: '', apply: [] },
  podCIDRs: set,
}

const ofModel: Record<string, ListRule> = {
  'V1Container.ports': { patch: 'containerPort', apply: ['containerPort', 'protocol'] },
  'V1EphemeralContainer.ports': { patch: 'containerPort', apply: ['containerPort', 'protocol'] },
  'V1ServiceSpec.ports': { patch: 'port', apply: ['port', 'protocol'] },
  'V1ServiceAccount.secrets': byName,
  'V1ResourceRequirements.claims': { apply: ['name'] },
  'V1NodeStatus.addresses': byType,
  'V1JobStatus.conditions': { patch: 'type' },
  'V1CSINodeSpec.drivers': { patch: 'name', apply: ['name'] },
  'V1Endpoint.addresses': set,
  'V1CustomResourceDefinitionStatus.conditions': { apply: ['type'] },
  'V1CertificateSigningRequestStatus.conditions': { apply: ['type'] },
  'V1ObjectMeta.managedFields': {},
}

export function listRule(model: string, fieldName: string): ListRule {
  const label = `${model}.${fieldName}`
  const own = Object.hasOwn(ofModel, label) ? ofModel[label] : undefined
  return own ?? (Object.hasOwn(fields, fieldName) ? fields[fieldName] : undefined) ?? {}
}

/** Models whose whole value has one owner under server-side apply. */
export const atomicModels: ReadonlySet<string> = new Set([
  'V1LabelSelector',
  'V1ConfigMapKeySelector',
  'V1SecretKeySelector',
  'V1ObjectReference',
  'V1LocalObjectReference',
  'V1TypedLocalObjectReference',
  'V1TypedObjectReference',
  'V1SecretReference',
  'V1NodeSelector',
  'V1NodeSelectorTerm',
  'V1OwnerReference',
  'V1ObjectFieldSelector',
  'V1ResourceFieldSelector',
  'V1RoleRef',
  'RbacV1Subject',
  'V1CrossVersionObjectReference',
  'V2CrossVersionObjectReference',
  'V1ServiceBackendPort',
  'DiscoveryV1EndpointPort',
  'CoreV1EndpointPort',
])

/** Fields whose strategic patch replaces or retains keys instead of merging. */
export const patchReplaces: ReadonlySet<string> = new Set(['V1PodDisruptionBudgetSpec.selector'])
