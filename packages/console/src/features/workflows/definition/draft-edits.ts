import { isMap, isScalar, isSeq, YAMLMap, YAMLSeq } from 'yaml'
import type { Document, Scalar } from 'yaml'
import { yamlText } from './definition-text.ts'
import type { Draft, DraftStep, Path } from './draft.ts'
import { effectiveNeeds } from './draft.ts'

// Every change of graph and form is a change of the text: what it does not touch keeps its comments and its order.

/** The text with a value at a path; undefined removes it, with what is empty above it in a step's `config`. */
export function withValue(draft: Draft, path: Path, value: unknown): string {
  return withScalar(draft, path, value) ?? edited(draft, (document) => setValue(document, path, value))
}

/** The text with several values changed at once. */
export function withValues(draft: Draft, changes: readonly (readonly [Path, unknown])[]): string {
  return edited(draft, (document) => {
    for (const [path, value] of changes) setValue(document, path, value)
  })
}

/** The text with another step at the end; it waits for `after`, or for the step before it where that is the same. */
export function withStep(
  draft: Draft,
  step: { type: string; name: string; config: Readonly<Record<string, unknown>> },
  after: DraftStep | undefined,
): { text: string; key: string } {
  const key = freeKey(draft, step.name)
  const isNext = after === undefined || after.index === draft.steps.length - 1
  const body = {
    key,
    name: step.name,
    type: step.type,
    ...(isNext ? {} : { needs: [after.key] }),
    ...(Object.keys(step.config).length > 0 ? { config: step.config } : {}),
  }
  return { key, text: edited(draft, (document) => listOf(document).add(document.createNode(body))) }
}

/** The text with a copy of a step after the others. */
export function withCopy(draft: Draft, step: DraftStep): { text: string; key: string } {
  const key = freeKey(draft, `${step.key}_copy`)
  const body = {
    ...step.raw,
    key,
    name: `${step.name} (copy)`,
    needs: effectiveNeeds(draft.steps, step.index),
  }
  return { key, text: edited(draft, (document) => listOf(document).add(document.createNode(body))) }
}

/** The text without a step; what waited for it waits for what it waited for. */
export function withoutStep(draft: Draft, index: number): string {
  const removed = draft.steps[index]
  if (!removed) return draft.text
  const before = effectiveNeeds(draft.steps, index)
  const rest = draft.steps.filter((step) => step.index !== index)
  return edited(draft, (document) => {
    document.deleteIn(['steps', index])
    for (const [place, step] of rest.entries()) {
      const old = effectiveNeeds(draft.steps, step.index)
      const wanted = [...new Set(old.flatMap((need) => (need === removed.key ? before : [need])))]
      const implied = place === 0 ? [] : [rest[place - 1]?.key ?? '']
      const now = step.needs === undefined ? implied : step.needs
      if (!sameKeys(now, wanted)) setNeeds(document, place, wanted)
    }
  })
}

/** The text with a step that waits for another, or does not any more. */
export function withNeed(draft: Draft, index: number, need: string, isNeeded: boolean): string {
  const now = effectiveNeeds(draft.steps, index)
  const next = isNeeded ? [...new Set([...now, need])] : now.filter((key) => key !== need)
  return edited(draft, (document) => setNeeds(document, index, next))
}

/** The text with another key of a step, in `needs` of others and in every expression that names it. */
export function withKey(draft: Draft, step: DraftStep, key: string): string {
  const reference = new RegExp(`\\bsteps\\.${step.key}\\b`, 'g')
  return edited(draft, (document) => {
    document.setIn(['steps', step.index, 'key'], key)
    for (const other of draft.steps) {
      if (other.needs?.includes(step.key)) {
        const needs = other.needs.map((need) => (need === step.key ? key : need))
        setNeeds(document, other.index, needs)
      }
    }
    if (step.key === '') return
    for (const path of textPaths(draft.root, [])) {
      const text: unknown = document.getIn(path)
      if (typeof text === 'string' && text.includes(`steps.${step.key}`)) {
        document.setIn(path, text.replace(reference, `steps.${key}`))
      }
    }
  })
}

/** A key that no step has: "Build image" becomes `build_image`, then `build_image_2`. */
export function freeKey(draft: Draft, name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 56)
  const base = words === '' ? 'step' : words
  const taken = new Set(draft.steps.map((step) => step.key))
  let key = base
  for (let count = 2; taken.has(key); count += 1) key = `${base}_${count}`
  return key
}

/** A short value in the place of another: nothing else of the text is written again. Undefined where it is no such. */
function withScalar({ document, text }: Draft, path: Path, value: unknown): string | undefined {
  const node: unknown = document.getIn(path, true)
  if (!isScalar(node) || !node.range || node.anchor || node.tag) return undefined
  const written = scalarText(node.type, value)
  if (written === undefined) return undefined
  const [from, to] = node.range
  return text.slice(0, from) + written + text.slice(to)
}

/** Text that YAML reads as such wherever it stands, also within braces and brackets. */
const plainWords = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z][^\n{}[\],&*#?|<>=!%@`"'\\]*$/i

const isPlainText = (text: string) => plainWords.test(text) && !/: |:$| $/.test(text)

function scalarText(type: Scalar['type'], value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || value.includes('\n')) return undefined
  if (type === 'QUOTE_DOUBLE') return JSON.stringify(value)
  if (type === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`
  if (type === 'PLAIN') return isPlainText(value) ? value : JSON.stringify(value)
  return undefined
}

function edited(draft: Draft, change: (document: Document) => void): string {
  const document = draft.document.clone()
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never
  change(document)
  return yamlText(document)
}

function setValue(document: Document, path: Path, value: unknown): void {
  if (value !== undefined) {
    document.setIn(path, isPlain(value) ? value : document.createNode(value))
    return
  }
  if (document.hasIn(path)) document.deleteIn(path)
  // An empty map above it says nothing, but for the definition and its steps.
  for (let length = path.length - 1; length > 2; length -= 1) {
    const above = document.getIn(path.slice(0, length), true)
    if (!isMap(above) || above.items.length > 0) break
    document.deleteIn(path.slice(0, length))
  }
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null

function setNeeds(document: Document, index: number, needs: readonly string[]): void {
  const list = document.createNode(needs) as YAMLSeq
  list.flow = true
  const step = document.getIn(['steps', index], true)
  if (!isMap(step)) return
  if (step.has('needs')) return step.set('needs', list)
  // Under the type, where people look for it.
  const place = step.items.findIndex((pair) => String(pair.key) === 'type') + 1
  step.items.splice(place, 0, document.createPair('needs', list))
}

function listOf(document: Document): YAMLSeq {
  const list: unknown = document.get('steps', true)
  if (isSeq(list)) {
    list.flow = false
    return list
  }
  const made = new YAMLSeq()
  if (document.contents instanceof YAMLMap) document.contents.set('steps', made)
  return made
}

function sameKeys(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key) => right.includes(key))
}

function textPaths(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return [path]
  if (Array.isArray(value)) return value.flatMap((each, index) => textPaths(each, [...path, index]))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => textPaths(each, [...path, key]))
  return []
}
