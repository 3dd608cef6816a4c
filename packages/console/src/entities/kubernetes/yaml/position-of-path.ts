import { isMap, isPair, isScalar, isSeq } from 'yaml'
import type { Document, Node } from 'yaml'
import { isFree } from './text-problem.ts'
import type { FieldPath } from './field-owners.ts'

/** Where a field stands in the text: its key, or the item of a list. The nearest field above it where it is absent. */
export function positionOfPath(document: Document.Parsed, path: FieldPath): { from: number; to: number } {
  let node: unknown = document.contents
  let place: Node | undefined
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === String(step))
      if (!pair) break
      if (isScalar(pair.key)) place = pair.key
      node = pair.value
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)]
      if (item === undefined) break
      node = item
      place = firstOf(item) ?? place
    } else break
  }
  const [from, to] = place?.range ?? document.contents?.range ?? [0, 1]
  return { from, to: Math.max(to, from + 1) }
}

function firstOf(item: unknown): Node | undefined {
  if (isMap(item)) {
    const first = item.items[0]
    return isPair(first) && isScalar(first.key) ? first.key : item
  }
  return isScalar(item) ? item : undefined
}

/**
 * A field as the API server names it in its errors (`spec.template.spec.containers[0].image`, `metadata.labels[a/b]`,
 * `.spec.containers[name="web"].image`), as a path into `object`.
 */
export function parseFieldPath(field: string, object: unknown): FieldPath {
  const path: (string | number)[] = []
  let value = object
  for (const [, name, index, key, said] of field.matchAll(
    /\.?([^.[\]]+)|\[(\d+)\]|\[(\w+)="([^"]*)"[^\]]*\]/g,
  )) {
    const step = index ?? name
    if (key !== undefined) {
      const found = Array.isArray(value)
        ? value.findIndex((item) => isFree(item) && String(item[key]) === said)
        : -1
      path.push(Math.max(found, 0))
    } else if (step !== undefined) path.push(index === undefined ? step : Number(index))
    const last = path.at(-1)
    value = Array.isArray(value) ? value[Number(last)] : isFree(value) ? value[String(last)] : undefined
  }
  return path
}
