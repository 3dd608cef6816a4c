import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { isMap, isScalar, parseDocument } from 'yaml'
import type { ClusterSchemas } from './cluster-schemas.ts'
import { valueText } from './object-changes.ts'
import type { Schema, SchemaSet } from './open-api.ts'
import { resolveSchema, schemaAt, stepInto, typeText } from './open-api.ts'
import type { YamlContext } from './yaml-context.ts'
import { topValue, yamlContext } from './yaml-context.ts'

/** A kind that the cluster serves, in one version. */
export interface ServedKind {
  apiVersion: string
  kind: string
}

/** Completes fields and values from the cluster's own schemas, and kinds from what it serves. */
export function manifestCompletion(schemas: ClusterSchemas, kinds: () => readonly ServedKind[]) {
  return async (place: CompletionContext): Promise<CompletionResult | null> => {
    const text = place.state.doc.toString()
    const context = yamlContext(text, place.pos)
    if (!context || (!place.explicit && context.typed === '')) return null
    const options = await optionsFor(context, schemas, kinds())
    return options.length > 0 ? { from: context.from, options, validFor: /^[\w./-]*$/ } : null
  }
}

async function optionsFor(
  context: YamlContext,
  schemas: ClusterSchemas,
  kinds: readonly ServedKind[],
): Promise<Completion[]> {
  const apiVersion = topValue(context.document, 'apiVersion')
  const kind = topValue(context.document, 'kind')
  if (context.parents.length === 0 && context.isValue) {
    const own = topLevelValues(context.key, apiVersion, kind, kinds)
    if (own) return own
  }
  if (apiVersion === undefined || kind === undefined) {
    return context.parents.length === 0 && !context.isValue ? firstFields : []
  }
  const set = await schemas.find(apiVersion)
  if (!set) return []
  const parent = schemaAt(set, kind, context.parents)
  if (!parent) return []
  return context.isValue
    ? valueOptions(set, stepInto(set, parent, context.key))
    : fieldOptions(set, parent, context)
}

const firstFields: Completion[] = ['apiVersion', 'kind', 'metadata', 'spec'].map((label) => ({
  label,
  apply: label === 'metadata' || label === 'spec' ? `${label}:\n  ` : `${label}: `,
}))

function topLevelValues(
  key: string,
  apiVersion: string | undefined,
  kind: string | undefined,
  kinds: readonly ServedKind[],
): Completion[] | undefined {
  if (key === 'kind') {
    const fitting = kinds.filter((each) => apiVersion === undefined || each.apiVersion === apiVersion)
    return fitting.map((each) => ({ label: each.kind, detail: each.apiVersion }))
  }
  if (key !== 'apiVersion') return undefined
  const fitting = kinds.filter((each) => kind === undefined || each.kind === kind)
  return [...new Set((fitting.length > 0 ? fitting : kinds).map((each) => each.apiVersion))].map((label) => ({
    label,
  }))
}

function valueOptions(set: SchemaSet, schema: Schema | undefined): Completion[] {
  if (!schema) return []
  if (schema.enum) return schema.enum.map((value) => ({ label: String(value) }))
  if (schema.type === 'boolean') return [{ label: 'true' }, { label: 'false' }]
  if (schema.default !== undefined && typeof schema.default !== 'object') {
    return [{ label: valueText(schema.default), detail: `default ${typeText(set, schema)}` }]
  }
  return []
}

function fieldOptions(set: SchemaSet, parent: Schema, context: YamlContext): Completion[] {
  const isList = parent.type === 'array'
  const owner = isList ? resolveSchema(set, parent.items) : parent
  const present = isList ? new Set<string>() : presentKeys(context)
  const required = new Set(owner?.required ?? [])
  return Object.entries(owner?.properties ?? {}).flatMap(([name, given]) => {
    if (present.has(name)) return []
    const schema = resolveSchema(set, given) ?? given
    const type = typeText(set, schema)
    const indent = ' '.repeat(context.column + (isList ? 4 : 2))
    const isMapLike = schema.type === 'object' || schema.properties !== undefined
    const behind = schema.type === 'array' ? `:\n${indent}- ` : isMapLike ? `:\n${indent}` : ': '
    return [
      {
        label: name,
        detail: required.has(name) ? `${type}, required` : type,
        info: schema.description ?? '',
        apply: `${isList ? '- ' : ''}${name}${behind}`,
        boost: required.has(name) ? 2 : 0,
      },
    ]
  })
}

/** The keys that the map has already; of a text that cannot be read, as many as are found. */
function presentKeys({ document, parents, key }: YamlContext): Set<string> {
  const node: unknown =
    parents.length > 0 ? parseDocument(document).getIn(parents, true) : parseDocument(document).contents
  if (!isMap(node)) return new Set()
  const keys = node.items.flatMap((pair) => (isScalar(pair.key) ? [String(pair.key.value)] : []))
  return new Set(keys.filter((each) => each !== key))
}
