import { diff3Merge, diffIndices } from 'node-diff3'

/** A place that both changed in different ways. Lines are numbered from 0. */
export interface MergeConflict {
  /** Stays the same for as long as base, mine and theirs do, wherever it moves. */
  key: string
  /** Its first line in the merged text, which holds mine there. */
  line: number
  /** Its first line in the live text. */
  liveLine: number
  base: readonly string[]
  mine: readonly string[]
  theirs: readonly string[]
}

/** Lines of the merged text that came from one side. */
export interface MergedLines {
  line: number
  count: number
}

export interface Merge {
  /** What does not conflict is merged; in a conflict my lines stand. */
  text: string
  conflicts: MergeConflict[]
  /** Taken over from the live text. Where lines were removed, `count` is 0. */
  theirs: MergedLines[]
}

interface Region {
  base: readonly string[]
  mine: readonly string[]
  theirs: readonly string[]
}

/** Merges what I made of `base` with what the others made of it meanwhile, line by line. */
export function mergeTexts(base: string, mine: string, live: string): Merge {
  const lines: string[] = []
  const conflicts: MergeConflict[] = []
  let liveLine = 0
  for (const block of diff3Merge(split(mine), split(base), split(live), { excludeFalseConflicts: true })) {
    if (block.ok) {
      lines.push(...block.ok)
      continue
    }
    if (!block.conflict) continue
    const { a, o, b, bIndex } = block.conflict
    liveLine = bIndex
    for (const part of partsOf({ mine: a, base: o, theirs: b })) {
      const merged = resolved(part)
      if (merged) lines.push(...merged)
      else {
        conflicts.push({ ...part, key: keyOf(part), line: lines.length, liveLine })
        lines.push(...part.mine)
      }
      liveLine += part.theirs.length
    }
  }
  const text = lines.join('\n')
  return { text, conflicts, theirs: takenOver(mine, text) }
}

/**
 * The base for merging again after the live text changed once more: what was merged already counts as seen, what is
 * still unanswered does not.
 */
export function nextBase(live: string, unanswered: readonly MergeConflict[]): string {
  const lines = split(live)
  for (const { liveLine, theirs, base } of unanswered.toSorted((a, b) => b.liveLine - a.liveLine)) {
    lines.splice(liveLine, theirs.length, ...base)
  }
  return lines.join('\n')
}

/**
 * Neighbouring changes of single lines are no conflict of each other: where all three sides have equally many lines,
 * each line is judged by itself.
 */
function partsOf(region: Region): Region[] {
  const { base, mine, theirs } = region
  if (base.length !== mine.length || base.length !== theirs.length) return [region]
  const parts: Region[] = []
  for (const [index, line] of base.entries()) {
    const part = { base: [line], mine: [mine[index] ?? ''], theirs: [theirs[index] ?? ''] }
    const last = parts.at(-1)
    if (last && !resolved(last) && !resolved(part)) {
      parts[parts.length - 1] = {
        base: [...last.base, ...part.base],
        mine: [...last.mine, ...part.mine],
        theirs: [...last.theirs, ...part.theirs],
      }
    } else parts.push(part)
  }
  return parts
}

function resolved({ base, mine, theirs }: Region): readonly string[] | undefined {
  if (same(mine, theirs) || same(base, theirs)) return mine
  return same(base, mine) ? theirs : undefined
}

/** What the merged text has that mine had not. */
function takenOver(mine: string, merged: string): MergedLines[] {
  return diffIndices(split(mine), split(merged)).map(({ buffer2: [line, count] }) => ({ line, count }))
}

function split(text: string): string[] {
  return text.split('\n')
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index])
}

function keyOf({ base, mine, theirs }: Region): string {
  return JSON.stringify([base, mine, theirs])
}
