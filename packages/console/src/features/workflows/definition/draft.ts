import { needsOf } from '@bey/contract'
import { isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Document } from 'yaml'

/** A step as it is written, right or wrong. */
export interface DraftStep {
  index: number
  /** Empty where it has none. */
  key: string
  name: string
  type: string
  /** As written; undefined means the step before it. */
  needs: readonly string[] | undefined
  raw: Readonly<Record<string, unknown>>
}

/** A definition that can be read as YAML; what it says may still be wrong. */
export interface Draft {
  text: string
  document: Document
  root: Readonly<Record<string, unknown>>
  steps: readonly DraftStep[]
  /** Where each step begins and ends in the text, in their order. */
  ranges: readonly { from: number; to: number }[]
  /** Line (from 1) of a place in the text. */
  lineAt: (offset: number) => number
}

/** Why a text cannot be read, and where. */
export interface Unreadable {
  message: string
  from: number
  to: number
  line: number
}

export type Path = readonly (string | number)[]

/** Reads a text; `unreadable` says where YAML ends to make sense. Never throws. */
export function readDraft(
  text: string,
): { draft: Draft; unreadable?: undefined } | { draft?: undefined; unreadable: Unreadable } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const lineAt = (offset: number) => lines.linePos(offset).line
  const [error] = document.errors
  if (error) {
    const [from, to] = error.pos
    return { unreadable: { message: `${error.message}.`.replace('..', '.'), from, to, line: lineAt(from) } }
  }
  const root = rootOf(document)
  if (root === undefined) {
    const message = 'A workflow is a list of names with values: name, steps and so on.'
    return { unreadable: { message, from: 0, to: Math.min(text.length, 1), line: 1 } }
  }
  return { draft: { text, document, root, steps: stepsOf(root), ranges: rangesOf(document), lineAt } }
}

function rootOf(document: Document): Record<string, unknown> | undefined {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {}
    return isRecord(value) ? value : undefined
  } catch (error) {
    // Aliases that multiply without end.
    if (error instanceof ReferenceError) return undefined
    throw error
  }
}

function stepsOf(root: Record<string, unknown>): DraftStep[] {
  const list: unknown = root['steps']
  if (!Array.isArray(list)) return []
  return list.map((each: unknown, index) => {
    const raw = isRecord(each) ? each : {}
    const needs = raw['needs']
    return {
      index,
      key: textOf(raw['key']),
      name: textOf(raw['name']),
      type: textOf(raw['type']),
      needs: Array.isArray(needs) ? needs.map(textOf) : undefined,
      raw,
    }
  })
}

function rangesOf(document: Document): { from: number; to: number }[] {
  const list: unknown = document.get('steps', true)
  if (!isSeq(list)) return []
  return list.items.map((item) => {
    const [from = 0, to = from] = isNode(item) ? (item.range ?? []) : []
    return { from, to }
  })
}

/** The step in which a place of the text lies. */
export function stepAt({ ranges, steps }: Draft, offset: number): number | undefined {
  // The dash before a step is its own, too.
  const index = ranges.findLastIndex(({ from }) => from <= offset + 2)
  const range = ranges[index]
  return range && steps[index] && offset <= range.to ? index : undefined
}

/** The keys that a step waits for, written or by its place in the list. */
export function effectiveNeeds(steps: readonly DraftStep[], index: number): readonly string[] {
  return needsOf(asGraph(steps), index)
}

/** The steps as the functions of the contract take them. */
export function asGraph(steps: readonly DraftStep[]): { key: string; needs: string[] | undefined }[] {
  return steps.map(({ key, needs }) => ({ key, needs: needs && [...needs] }))
}

/** Where the value at a path stands in the text; the nearest value above it where there is none. */
export function rangeOf({ document, text }: Draft, path: Path): { from: number; to: number } {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return { from: node.range[0], to: node.range[1] }
  }
  return { from: 0, to: Math.min(text.length, text.indexOf('\n') === -1 ? text.length : text.indexOf('\n')) }
}

/** `steps[2].config.url` as a path. */
export function parsePath(path: string): Path {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? '') : Number(index),
  )
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
