import { createHash } from 'node:crypto'
import type { JsonObject } from '../json.ts'
import { isObject } from '../json.ts'
import { apiVersionOf, type Kind } from '../registry/kind.ts'
import type { Registry } from '../registry/registry.ts'
import { schemaOf } from '../schema/custom.ts'
import { enumOf, enumText } from '../schema/enums.ts'
import { listRule } from '../schema/merge-keys.ts'
import { fieldType, loadDescriptions, modelOf } from '../schema/models.ts'

const scalars: Record<string, JsonObject> = {
  s: { type: 'string' },
  i: { type: 'integer', format: 'int32' },
  l: { type: 'integer', format: 'int64' },
  f: { type: 'number', format: 'double' },
  b: { type: 'boolean' },
  t: { type: 'string', format: 'date-time' },
  u: { type: 'string', format: 'date-time' },
  y: { type: 'string', format: 'byte' },
  q: { type: 'string' },
  o: { type: 'string', format: 'int-or-string' },
  x: {},
}

/** `V1DeploymentSpec` → `io.k8s.v1.DeploymentSpec`: clients show what stands behind the last dot. */
function schemaName(model: string): string {
  const match = /^([A-Za-z]*V\d+)(.+)$/.exec(model)
  return match ? `io.k8s.${match[1]?.toLowerCase()}.${match[2]}` : `io.k8s.${model}`
}

function typeSchema(of: string, description: string | undefined): JsonObject {
  const text = description ? { description } : {}
  if (of.length === 1) return { ...scalars[of], ...text }
  const reference = { $ref: `#/components/schemas/${schemaName(of)}` }
  // A reference may not have siblings, so its text goes around it.
  return description ? { ...text, allOf: [reference], default: {} } : reference
}

type Words = Record<string, Record<string, string>>

function modelSchema(model: string, words: Words, queue: string[]): JsonObject {
  const properties: JsonObject = {}
  const required: string[] = []
  for (const [name, encoded] of Object.entries(modelOf(model) ?? {})) {
    const { isRequired, container, of } = fieldType(encoded)
    const values = enumOf(model, name)
    const own = words[model]?.[name]
    const description = values ? `${own ?? ''}${enumText(values)}` : own
    if (isRequired) required.push(name)
    if (of.length > 1) queue.push(of)
    const text = description ? { description } : {}
    if (container === 'none')
      properties[name] = { ...typeSchema(of, description), ...(values ? { enum: values } : {}) }
    else if (container === 'map')
      properties[name] = { ...text, type: 'object', additionalProperties: typeSchema(of, undefined) }
    else {
      const rule = listRule(model, name)
      const keys = rule.apply
      const listType = keys === undefined ? 'atomic' : keys.length === 0 ? 'set' : 'map'
      properties[name] = {
        ...text,
        type: 'array',
        items: typeSchema(of, undefined),
        'x-kubernetes-list-type': listType,
        ...(listType === 'map' && keys ? { 'x-kubernetes-list-map-keys': [...keys] } : {}),
        ...(rule.patch === undefined ? {} : { 'x-kubernetes-patch-strategy': 'merge' }),
        ...(rule.patch ? { 'x-kubernetes-patch-merge-key': rule.patch } : {}),
      }
    }
  }
  const description = words[model]?.['']
  return {
    ...(description ? { description } : {}),
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties,
  }
}

function gvk(kind: Kind): JsonObject {
  return { group: kind.group, version: kind.version, kind: kind.kind }
}

function customSchemaName(kind: Kind): string {
  return `${kind.group.split('.').toReversed().join('.')}.${kind.version}.${kind.kind}`
}

function pathItem(kind: Kind, verbs: readonly string[], schema: string): JsonObject {
  const reference = { $ref: `#/components/schemas/${schema}` }
  const content = { 'application/json': { schema: reference } }
  const responses = { '200': { description: 'OK', content } }
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }))
  const group = gvk(kind)
  const item: JsonObject = {}
  const operation = (action: string, extra: JsonObject) => ({
    tags: [kind.group || 'core'],
    ...extra,
    responses,
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': group,
  })
  const requestBody = { content }
  if (verbs.includes('get')) item['get'] = operation('get', {})
  if (verbs.includes('list')) item['get'] = operation('list', {})
  if (verbs.includes('create')) item['post'] = operation('post', { parameters, requestBody })
  if (verbs.includes('update')) item['put'] = operation('put', { parameters, requestBody })
  if (verbs.includes('patch')) {
    const types = [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]
    if (!kind.definition) types.push('application/strategic-merge-patch+json')
    const body = { content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }])) }
    item['patch'] = operation('patch', { parameters, requestBody: body })
  }
  if (verbs.includes('delete')) item['delete'] = operation('delete', {})
  return item
}

function root(group: string, version: string): string {
  return group ? `apis/${group}/${version}` : `api/${version}`
}

const metadataText =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata"

function customSchema(kind: Kind, queue: string[], words: Words): JsonObject {
  const schema = kind.definition ? schemaOf(kind.definition, kind.version) : undefined
  queue.push('V1ObjectMeta')
  const own = isObject(schema?.['properties']) ? schema['properties'] : {}
  return {
    ...(schema ?? { 'x-kubernetes-preserve-unknown-fields': true }),
    type: 'object',
    properties: {
      ...own,
      // What every kind has is described alike.
      apiVersion: typeSchema('s', words['V1Pod']?.['apiVersion']),
      kind: typeSchema('s', words['V1Pod']?.['kind']),
      metadata: typeSchema('V1ObjectMeta', metadataText),
    },
  }
}

function buildDocument(kinds: Kind[], group: string, version: string): string {
  const words = loadDescriptions()
  const paths: JsonObject = {}
  const schemas: JsonObject = {}
  const queue: string[] = []
  const types = new Map<string, JsonObject[]>()
  for (const kind of kinds) {
    const model = kind.model
    const name = kind.definition || !model ? customSchemaName(kind) : schemaName(model)
    if (model && !kind.definition) queue.push(model)
    else
      schemas[name] = { ...customSchema(kind, queue, words), 'x-kubernetes-group-version-kind': [gvk(kind)] }
    types.set(name, [...(types.get(name) ?? []), gvk(kind)])
    const base = `/${root(group, version)}/${kind.namespaced ? 'namespaces/{namespace}/' : ''}${kind.resource}`
    const all = kind.verbs
    paths[base] = pathItem(
      kind,
      all.filter((verb) => verb === 'create' || verb === 'list'),
      name,
    )
    if (all.includes('get')) {
      paths[`${base}/{name}`] = pathItem(
        kind,
        all.filter((verb) => verb !== 'create' && verb !== 'list'),
        name,
      )
    }
  }
  queue.push('V1DeleteOptions')
  for (let model = queue.shift(); model; model = queue.shift()) {
    const name = schemaName(model)
    if (schemas[name]) continue
    const kindsOf = types.get(name)
    schemas[name] = {
      ...modelSchema(model, words, queue),
      ...(kindsOf ? { 'x-kubernetes-group-version-kind': kindsOf } : {}),
    }
  }
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths,
    components: { schemas },
  })
}

type Document = { text: string; hash: string }

/** OpenAPI v3 documents, one per group and version, made when somebody asks and kept until the kinds change. */
export class OpenApi {
  readonly #registry: Registry
  readonly #hashes = new Map<string, string>()
  #version = 0

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** The index that `/openapi/v3` serves. */
  index(): JsonObject {
    const paths: JsonObject = {}
    for (const { group, version } of this.#groupVersions()) {
      const path = root(group, version)
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#hashOf(group, version)}` }
    }
    return { paths }
  }

  document(path: string): Document | undefined {
    const found = this.#groupVersions().find(({ group, version }) => root(group, version) === path)
    if (!found) return undefined
    const kinds = this.#kindsOf(found.group, found.version)
    return {
      text: buildDocument(kinds, found.group, found.version),
      hash: this.#hashOf(found.group, found.version),
    }
  }

  #kindsOf(group: string, version: string): Kind[] {
    return this.#registry.all().filter((kind) => kind.group === group && kind.version === version)
  }

  #groupVersions(): { group: string; version: string }[] {
    const found = new Map<string, { group: string; version: string }>()
    for (const kind of this.#registry.all())
      found.set(apiVersionOf(kind), { group: kind.group, version: kind.version })
    return [...found.values()]
  }

  // A built-in document never changes while this program runs; a custom one does with its definition.
  #hashOf(group: string, version: string): string {
    if (this.#version !== this.#registry.version) {
      this.#hashes.clear()
      this.#version = this.#registry.version
    }
    const key = `${group}/${version}`
    let hash = this.#hashes.get(key)
    if (hash === undefined) {
      const facts = this.#kindsOf(group, version).map((kind) => [
        kind.resource,
        kind.definition?.metadata.uid,
        kind.definition?.metadata.resourceVersion,
      ])
      hash = createHash('sha256')
        .update(JSON.stringify([key, 2, facts]))
        .digest('hex')
        .toUpperCase()
      this.#hashes.set(key, hash)
    }
    return hash
  }
}
