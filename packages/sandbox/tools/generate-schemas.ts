/**
 * Turns the models of `@kubernetes/client-node` into two small JSON files, so that the sandbox knows the shape of
 * every built-in kind without loading that package. Run: `node packages/sandbox/tools/generate-schemas.ts`.
 *
 * `generated/schemas.json`: model → field → type. A type is `!`? then `[]`|`{}`? then one of
 * s string, i int32, l int64, f double, b boolean, q quantity, t time, u micro time, y bytes, o int-or-string,
 * x anything, or the name of a model. `generated/descriptions.json`: model → { '': text, field: text }.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const roots = [
  'V1Pod',
  'V1Node',
  'V1Namespace',
  'V1Service',
  'V1ConfigMap',
  'V1Secret',
  'V1ServiceAccount',
  'CoreV1Event',
  'V1Endpoints',
  'V1PersistentVolume',
  'V1PersistentVolumeClaim',
  'V1ResourceQuota',
  'V1LimitRange',
  'V1ReplicationController',
  'V1PodTemplate',
  'V1Binding',
  'V1Deployment',
  'V1ReplicaSet',
  'V1StatefulSet',
  'V1DaemonSet',
  'V1ControllerRevision',
  'V1Job',
  'V1CronJob',
  'V1HorizontalPodAutoscaler',
  'V2HorizontalPodAutoscaler',
  'V1ComponentStatus',
  'V1Scale',
  'V1Ingress',
  'V1IngressClass',
  'V1NetworkPolicy',
  'V1IPAddress',
  'V1ServiceCIDR',
  'V1PodDisruptionBudget',
  'V1Eviction',
  'V1Role',
  'V1RoleBinding',
  'V1ClusterRole',
  'V1ClusterRoleBinding',
  'V1StorageClass',
  'V1CSINode',
  'V1CSIDriver',
  'V1VolumeAttachment',
  'V1CSIStorageCapacity',
  'V1EndpointSlice',
  'V1Lease',
  'EventsV1Event',
  'V1PriorityClass',
  'V1RuntimeClass',
  'V1CustomResourceDefinition',
  'V1APIService',
  'V1CertificateSigningRequest',
  'V1TokenReview',
  'V1SelfSubjectReview',
  'V1SubjectAccessReview',
  'V1SelfSubjectAccessReview',
  'V1LocalSubjectAccessReview',
  'V1SelfSubjectRulesReview',
  'AuthenticationV1TokenRequest',
  'V1FlowSchema',
  'V1PriorityLevelConfiguration',
  'V1ValidatingWebhookConfiguration',
  'V1MutatingWebhookConfiguration',
  'V1ValidatingAdmissionPolicy',
  'V1ValidatingAdmissionPolicyBinding',
  'V1DeleteOptions',
  'V1ObjectMeta',
  'V1ListMeta',
  'V1Status',
]

// The models call quantities plain strings; these names are quantities wherever they occur in the API reference.
const quantityMaps = new Set([
  'limits',
  'requests',
  'capacity',
  'allocatable',
  'hard',
  'used',
  'default',
  'defaultRequest',
  'max',
  'min',
  'maxLimitRequestRatio',
  'podFixed',
  'overhead',
  'allocatedResources',
])
const quantityFields = new Set([
  'sizeLimit',
  'divisor',
  'averageValue',
  'maximumVolumeSize',
  'V1CSIStorageCapacity.capacity',
  'V2MetricTarget.value',
  'V2MetricValueStatus.value',
])

type Attribute = { name: string; baseName: string; type: string; format: string }
type Model = { getAttributeTypeMap(): Attribute[] }

const directory = join(
  dirname(createRequire(import.meta.url).resolve('@kubernetes/client-node')),
  'gen',
  'models',
)

function scalar(model: string, attribute: Attribute, type: string): string {
  const names = [attribute.baseName, `${model}.${attribute.baseName}`]
  if (type === 'string' && names.some((name) => quantityFields.has(name))) return 'q'
  if (type === 'string') return attribute.format === 'byte' ? 'y' : 's'
  if (type === 'number') return attribute.format === 'int64' ? 'l' : attribute.format === 'double' ? 'f' : 'i'
  if (type === 'boolean') return 'b'
  if (type === 'Date') return 't'
  if (type === 'V1MicroTime') return 'u'
  if (type === 'IntOrString') return 'o'
  return type === 'any' ? 'x' : type
}

function encode(model: string, attribute: Attribute, required: boolean): string {
  const mark = required ? '!' : ''
  const list = /^Array<(.*)>$/.exec(attribute.type)
  if (list?.[1]) return `${mark}[]${scalar(model, attribute, list[1])}`
  const map = /^\{ \[key: string\]: (.*); \}$/.exec(attribute.type)
  if (map?.[1]) {
    if (map[1] === 'string' && quantityMaps.has(attribute.baseName)) return `${mark}{}q`
    return map[1].startsWith('Array<') ? `${mark}{}x` : `${mark}{}${scalar(model, attribute, map[1])}`
  }
  return mark + scalar(model, attribute, attribute.type)
}

function texts(source: string): { description: string; fields: Map<string, string>; required: Set<string> } {
  const fields = new Map<string, string>()
  const required = new Set<string>()
  const clean = (text: string) => text.replace(/\s*\n\s*\*\s?/g, ' ').trim()
  const pattern = /(?:\/\*\*\s*\n\s*\*([\s\S]*?)\*\/\s*)?'([^']+)'(\??):/g
  const [head = '', body = ''] = source.split(/export declare class \w+ \{/)
  for (const [, text, name = '', optional] of body.matchAll(pattern)) {
    if (text) fields.set(name, clean(text))
    if (!optional) required.add(name)
  }
  const comments = [...head.matchAll(/\/\*\*\s*\n\s*\*([\s\S]*?)\*\//g)]
  const last = comments.length > 1 ? comments.at(-1)?.[1] : undefined
  return { description: last ? clean(last) : '', fields, required }
}

const schemas: Record<string, Record<string, string>> = {}
const descriptions: Record<string, Record<string, string>> = {}
const queue = [...roots]
for (let name = queue.shift(); name; name = queue.shift()) {
  if (schemas[name]) continue
  const module: Record<string, Model> = await import(pathToFileURL(join(directory, `${name}.js`)).href)
  const { description, fields, required } = texts(readFileSync(join(directory, `${name}.d.ts`), 'utf8'))
  const shape: Record<string, string> = {}
  const words: Record<string, string> = description ? { '': description } : {}
  for (const attribute of module[name]?.getAttributeTypeMap() ?? []) {
    const type = encode(name, attribute, required.has(attribute.name))
    shape[attribute.baseName] = type
    const text = fields.get(attribute.name)
    if (text) words[attribute.baseName] = text
    const reference = type.replace(/^!?(\[\]|\{\})?/, '')
    if (reference.length > 1) queue.push(reference)
  }
  schemas[name] = shape
  descriptions[name] = words
}

const output = join(import.meta.dirname, '..', 'generated')
writeFileSync(join(output, 'schemas.json'), `${JSON.stringify(schemas)}\n`)
writeFileSync(join(output, 'descriptions.json'), `${JSON.stringify(descriptions)}\n`)
