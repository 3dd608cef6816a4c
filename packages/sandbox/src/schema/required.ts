import { isObject, type Json, type JsonObject } from '../json.ts'
import { field, type Cause } from '../status-error.ts'
import { fieldType, modelOf, type FieldType } from './models.ts'

// Absent means empty to a real server, whatever the schema says.
const notRequired = new Set([
  'V1EndpointSlice.endpoints',
  'V1NetworkPolicySpec.podSelector',
  'V1RoleRef.apiGroup',
  'V1PriorityClass.value',
  'V1TokenRequestSpec.audiences',
  'CoreV1Event.involvedObject',
  'V1CustomResourceDefinitionVersion.served',
  'V1CustomResourceDefinitionVersion.storage',
  'V1ControllerRevision.revision',
  'V1StatefulSetSpec.serviceName',
  'V1HTTPIngressPath.pathType',
  'V1HTTPIngressPath.backend',
  'V1IngressServiceBackend.name',
  'V1IPBlock.cidr',
  'V1LabelSelectorRequirement.values',
  'EventsV1Event.eventTime',
])

const required = new Set([
  'V1Pod.spec',
  'V1PodTemplateSpec.spec',
  'V1Deployment.spec',
  'V1ReplicaSet.spec',
  'V1Service.spec',
  'V1StatefulSet.spec',
  'V1DaemonSet.spec',
  'V1Job.spec',
  'V1CronJob.spec',
  'V1JobTemplateSpec.spec',
  'V2HorizontalPodAutoscaler.spec',
  'V1Ingress.spec',
  'V1PodDisruptionBudget.spec',
  'V1PersistentVolume.spec',
  'V1PersistentVolumeClaim.spec',
  'V1PersistentVolumeClaimTemplate.spec',
  'V1ReplicationControllerSpec.template',
])

/** What an absent member lacks: its own required members, as if it were empty, or else itself. */
function absent({ container, of }: FieldType, path: string): Cause[] {
  const inner: Cause[] = []
  if (container === 'none' && of.length > 1) missingIn(of, {}, path, inner)
  return inner.length > 0 ? inner : [field.required(path)]
}

function missingIn(name: string, value: JsonObject, path: string, causes: Cause[]): void {
  const model = modelOf(name)
  if (!model) return
  for (const [key, encoded] of Object.entries(model)) {
    if (path === '' && (key === 'status' || key === 'metadata')) continue
    const type = fieldType(encoded)
    const inner = path ? `${path}.${key}` : key
    const member = value[key]
    const label = `${name}.${key}`
    const isNeeded = (type.isRequired && !notRequired.has(label)) || required.has(label)
    if (member === undefined) {
      if (isNeeded) causes.push(...absent(type, inner))
    } else if (type.of.length > 1) {
      if (type.container === 'none' && isObject(member)) missingIn(type.of, member, inner, causes)
      else if (Array.isArray(member)) {
        member.forEach((item, i) => isObject(item) && missingIn(type.of, item, `${inner}[${i}]`, causes))
      }
    }
  }
}

/** The required members that are absent, other than in metadata and status. */
export function missingFields(model: string, value: JsonObject): Cause[] {
  const causes: Cause[] = []
  missingIn(model, value, '', causes)
  return causes
}

const blanks: Record<string, Json> = { i: 0, l: 0, f: 0, b: false }

/** Puts something empty where a required member is absent, so that what else is wrong can be found and said as well. */
export function fillMissing(name: string, value: JsonObject): void {
  for (const [key, encoded] of Object.entries(modelOf(name) ?? {})) {
    const type = fieldType(encoded)
    const label = `${name}.${key}`
    const isNeeded = (type.isRequired && !notRequired.has(label)) || required.has(label)
    // To have no selector and to have an empty one are two different mistakes.
    if (isNeeded && value[key] === undefined && type.of !== 'V1LabelSelector') {
      if (type.container === 'list') value[key] = []
      else value[key] = type.container === 'map' || type.of.length > 1 ? {} : (blanks[type.of] ?? '')
    }
    const member = value[key]
    if (type.of.length === 1 || type.container === 'map') continue
    for (const item of Array.isArray(member) ? member : [member])
      if (isObject(item)) fillMissing(type.of, item)
  }
}

/** Whether a complaint is about a member that is said to be missing already, or about something in it. */
export function isWithin({ field: path = '' }: Cause, missing: readonly Cause[]): boolean {
  return missing.some(
    ({ field: lost = '' }) => path === lost || path.startsWith(`${lost}.`) || path.startsWith(`${lost}[`),
  )
}
