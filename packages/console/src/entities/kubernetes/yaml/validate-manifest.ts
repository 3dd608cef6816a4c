import { isMap, isPair, isScalar, isSeq, isAlias } from 'yaml'
import type { Node } from 'yaml'
import type { ManifestDocument } from './manifest-documents.ts'
import type { Schema, SchemaSet } from './open-api.ts'
import { isIntOrString, isOpen, resolveSchema, schemaOfKind, stepInto, typeText } from './open-api.ts'
import { valueText } from './object-changes.ts'
import { hiddenValue } from './object-text.ts'
import type { TextProblem } from './text-problem.ts'

/** More would hide the first. */
const maxProblems = 50

/** What of a document does not fit the cluster's own schema of its kind; nothing where the kind has none. */
export function validateDocument(document: ManifestDocument, set: SchemaSet): TextProblem[] {
  const schema = schemaOfKind(set, document.kind)
  const problems: TextProblem[] = []
  if (schema) checkNode(document.node.contents, schema, document.kind)
  return problems.slice(0, maxProblems)

  function add(node: Node | null, message: string, severity: TextProblem['severity'] = 'error') {
    const [from, to] = node?.range ?? [document.from, document.from + 1]
    problems.push({ from, to: Math.max(to, from + 1), severity, message })
  }

  function checkNode(node: unknown, given: Schema | undefined, name: string): void {
    const expected = resolveSchema(set, given)
    if (!expected || isAlias(node) || problems.length >= maxProblems) return
    if (isMap(node)) checkMap(node, expected, name)
    else if (isSeq(node)) checkList(node, expected, name)
    else if (isScalar(node)) {
      const message = scalarProblem(node.value, expected, name, set)
      if (message) add(node, message)
    }
  }

  function checkMap(node: Node & { items: unknown[] }, expected: Schema, name: string) {
    const type = expected.type
    if (type !== undefined && type !== 'object') {
      add(firstKey(node), `${name} takes a ${typeText(set, expected)}, not a map of keys.`)
      return
    }
    const present = new Set<string>()
    for (const pair of node.items) {
      if (!isPair(pair) || !isScalar(pair.key)) continue
      const key = String(pair.key.value)
      present.add(key)
      const inner = stepInto(set, expected, key)
      if (inner) checkNode(pair.value, inner, key)
      else if (!isOpen(expected) && key !== '<<') {
        const near = nearest(key, Object.keys(expected.properties ?? {}))
        const hint = near ? ` Do you mean "${near}"?` : ''
        add(pair.key, `${name} has no field "${key}".${hint}`)
      }
    }
    for (const key of expected.required ?? []) {
      if (!present.has(key)) add(firstKey(node), `${name} needs the field "${key}".`)
    }
  }

  function checkList(node: Node & { items: unknown[] }, expected: Schema, name: string) {
    if (expected.type !== undefined && expected.type !== 'array') {
      add(node, `${name} takes a ${typeText(set, expected)}, not a list.`)
      return
    }
    for (const item of node.items) checkNode(item, expected.items, `An item of ${name}`)
  }
}

/** A problem of a whole map is marked at its first key: the map itself may be a hundred lines long. */
function firstKey(node: Node & { items: unknown[] }): Node {
  const first = node.items[0]
  return isPair(first) && isScalar(first.key) ? first.key : node
}

function scalarProblem(value: unknown, expected: Schema, name: string, set: SchemaSet): string | undefined {
  // Kubernetes reads null as "not given".
  if (value === null || value === hiddenValue) return undefined
  if (expected.enum && !expected.enum.includes(value)) {
    const near = nearest(valueText(value), expected.enum.map(String))
    const hint = near ? ` Do you mean ${near}?` : ''
    return `${name} is one of ${expected.enum.map(String).join(', ')}.${hint}`
  }
  if (isIntOrString(expected)) {
    return typeof value === 'boolean' ? `${name} takes an integer or a string, not ${value}.` : undefined
  }
  const is = (type: string) => (type === 'integer' ? Number.isInteger(value) : typeof value === type)
  switch (expected.type) {
    case 'string':
      if (typeof value === 'string') return undefined
      return `${name} takes a string: put quotes around ${valueText(value)}.`
    case 'integer':
    case 'number':
    case 'boolean':
      if (!is(expected.type)) return `${name} takes a ${typeText(set, expected)}, not "${valueText(value)}".`
      if (typeof value !== 'number') return undefined
      if (expected.minimum !== undefined && value < expected.minimum) {
        return `${name} is at least ${expected.minimum}.`
      }
      if (expected.maximum !== undefined && value > expected.maximum) {
        return `${name} is at most ${expected.maximum}.`
      }
      return undefined
    case 'object':
    case 'array':
      return `${name} takes a ${typeText(set, expected)}, not "${valueText(value)}".`
    default:
      return undefined
  }
}

/** The known word that was probably meant: at most two letters apart, in any case. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    if (distance <= 2 && distance < Math.min(word.length, name.length) && distance < (best?.distance ?? 3)) {
      best = { name, distance }
    }
  }
  return best?.name
}

/** Levenshtein's distance; what is surely above 2 may come out as any number above 2. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
