import { diffLines } from 'diff'
import type { DiffLine } from '../../../ui/diff-lines.tsx'

/** Lines shown around a change. */
const around = 2

export interface TextDiff {
  lines: DiffLine[]
  added: number
  removed: number
}

/** What turns one text into the other, each change with the lines around it. */
export function diffText(before: string, after: string): TextDiff {
  const all = diffLines(before, after).flatMap(({ value, added, removed }): DiffLine[] => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ kind, text }))
  })
  const isNear = all.map((_, index) =>
    all.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  )
  const lines = all.flatMap((line, index): DiffLine[] => {
    if (isNear[index]) return [line]
    return isNear[index - 1] ? [{ kind: 'gap', text: '⋯' }] : []
  })
  if (lines.at(-1)?.kind === 'gap') lines.pop()
  const count = (kind: DiffLine['kind']) => all.filter((line) => line.kind === kind).length
  return { lines, added: count('added'), removed: count('removed') }
}
