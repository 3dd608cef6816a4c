import type { KeyChanges } from './any-object-actions.ts'
import { annotationsProblem, keyProblem, labelValueProblem } from './label-rules.ts'

/** A key and its value while they are edited. */
export interface KeyRow {
  id: number
  key: string
  value: string
}

export function rowsOf(values: Readonly<Record<string, string>>): KeyRow[] {
  return Object.entries(values).map(([key, value], id) => ({ id, key, value }))
}

/** What is wrong with each row, in their order. */
export function problemsOf(
  rows: readonly KeyRow[],
  of: 'label' | 'annotation',
): readonly (string | undefined)[] {
  const together = of === 'annotation' ? annotationsProblem(toRecord(rows)) : undefined
  return rows.map(({ key, value }, index) => {
    const isTwice = rows.findIndex((each) => each.key === key) < index
    return (
      keyProblem(key) ??
      (isTwice ? `The key "${key}" is here twice.` : undefined) ??
      (of === 'label' ? labelValueProblem(value) : together)
    )
  })
}

/** The keys that differ from what was there: null for those that are gone. */
export function changesOf(before: Readonly<Record<string, string>>, rows: readonly KeyRow[]): KeyChanges {
  const after = toRecord(rows)
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  return {
    ...Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value)),
    ...Object.fromEntries(gone.map((key) => [key, null])),
  }
}

function toRecord(rows: readonly KeyRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}
