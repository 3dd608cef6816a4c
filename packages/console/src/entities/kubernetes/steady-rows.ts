import { useState } from 'react'

interface Held<Row> {
  /** What the list was asked for: another question has another order. */
  question: string
  rows: readonly Row[]
}

/**
 * Rows that do not move under the pointer: while `isHeld`, they keep the order and the groups that they had, with what
 * is new of each. `movedCount` says how many would move; `release` lets them.
 */
export function useSteadyRows<Row>(
  rows: readonly Row[] | undefined,
  options: {
    rowKey: (row: Row) => string
    groupOf: (row: Row) => string
    question: string
    isHeld: boolean
  },
): {
  rows: readonly Row[] | undefined
  movedCount: number
  groupOf: (row: Row) => string
  release: () => void
} {
  const { rowKey, groupOf, question, isHeld } = options
  const [held, setHeld] = useState<Held<Row>>()
  const release = () => setHeld(undefined)
  if (rows === undefined) return { rows, movedCount: 0, groupOf, release }
  if (!isHeld || held?.question !== question) {
    if (held?.rows !== rows || held.question !== question) setHeld({ question, rows })
    return { rows, movedCount: 0, groupOf, release }
  }
  const steady = inRememberedOrder(rows, held.rows, rowKey, groupOf)
  const groups = new Map(held.rows.map((row) => [rowKey(row), groupOf(row)]))
  const groupBefore = (row: Row) => groups.get(rowKey(row)) ?? groupOf(row)
  return steady.movedCount === 0
    ? { rows, movedCount: 0, groupOf, release }
    : { rows: steady.rows, movedCount: steady.movedCount, groupOf: groupBefore, release }
}

/** The new rows in the order of the old ones, what is new at the end; and how many have another place or group now. */
export function inRememberedOrder<Row>(
  rows: readonly Row[],
  before: readonly Row[],
  rowKey: (row: Row) => string,
  groupOf: (row: Row) => string,
): { rows: readonly Row[]; movedCount: number } {
  const now = new Map(rows.map((row) => [rowKey(row), row]))
  const known = new Map(before.map((row) => [rowKey(row), row]))
  const kept = before.flatMap((row) => now.get(rowKey(row)) ?? [])
  const added = rows.filter((row) => !known.has(rowKey(row)))
  const stayed = rows.filter((row) => known.has(rowKey(row)))
  const moved = kept.filter((row, index) => {
    const old = known.get(rowKey(row))
    return stayed[index] !== row || (old !== undefined && groupOf(old) !== groupOf(row))
  })
  // One that arrived among the others pushes the rest down; only its own arrival counts.
  const isOrdered = added.every((row) => rows.indexOf(row) >= kept.length)
  const movedCount = moved.length + (isOrdered ? 0 : added.length)
  return { rows: [...kept, ...added], movedCount }
}
