import { parseFieldPath } from '../../entities/kubernetes/yaml/position-of-path.ts'
import type { ManifestDocument } from '../../entities/kubernetes/yaml/manifest-documents.ts'
import type { Free } from '../../entities/kubernetes/yaml/text-problem.ts'
import { isFree } from '../../entities/kubernetes/yaml/text-problem.ts'

/** The value at a field that the API server named, in any object. */
export function valueAtField(object: Free, field: string): unknown {
  let value: unknown = object
  for (const step of parseFieldPath(field, object)) {
    value = Array.isArray(value) ? value[Number(step)] : isFree(value) ? value[String(step)] : undefined
  }
  return value
}

/** The manifest with the live value at a field: what nobody changes, nobody takes over. */
export function withLiveValue(text: string, document: ManifestDocument, field: string, live: Free): string {
  const path = parseFieldPath(field, document.object)
  const copy = document.node.clone()
  const value = valueAtField(live, field)
  if (value === undefined) copy.deleteIn(path)
  else copy.setIn(path, copy.createNode(value))
  copy.directives = document.node.directives
  const written = copy.toString({ lineWidth: 0 }).replace(/^---\n/, '')
  const [, start] = /^(---[^\n]*\n)/.exec(text.slice(document.from, document.to)) ?? []
  return text.slice(0, document.from) + (start ?? '') + written + text.slice(document.to)
}
