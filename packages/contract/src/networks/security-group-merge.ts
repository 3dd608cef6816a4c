import type { SecurityGroupDraft, SecurityRule } from './security-group-rules.ts'

export type EditedGroup = SecurityGroupDraft & { description: string }

/** One rule, or the description, that both changed in different ways; undefined where one side removed the rule. */
export type GroupConflict =
  | {
      kind: 'rule'
      /** Number of the rule in the group as it was before both. */
      number: number
      mine: SecurityRule | undefined
      theirs: SecurityRule | undefined
    }
  | { kind: 'description'; mine: string; theirs: string }

export type GroupMerge = {
  /** Both changes together; in a conflict mine stands. */
  merged: EditedGroup
  conflicts: GroupConflict[]
  /** How much of theirs was taken over. */
  taken: { rules: number; targets: number; others: number }
}

/**
 * Merges what I made of a group with what others made of it meanwhile. A rule is known by what it says: one that is unlike
 * every rule of before, between the same neighbours, is the rule of before, changed.
 */
export function mergeGroups(base: EditedGroup, mine: EditedGroup, theirs: EditedGroup): GroupMerge {
  const conflicts: GroupConflict[] = []
  const taken = { rules: 0, targets: 0, others: 0 }
  const rules = mergeRules(base.rules, mine.rules, theirs.rules, conflicts, taken)
  const targets = mergeSets(base.targets, mine.targets, theirs.targets)
  taken.targets = missing(targets, mine.targets).length + missing(mine.targets, targets).length
  const pick = <T>(was: T, own: T, other: T): T => {
    if (own !== was || other === was) return own
    taken.others += 1
    return other
  }
  const isDisputed =
    mine.description !== base.description &&
    theirs.description !== base.description &&
    mine.description !== theirs.description
  if (isDisputed) conflicts.push({ kind: 'description', mine: mine.description, theirs: theirs.description })
  const merged = {
    description: pick(base.description, mine.description, theirs.description),
    filtersIn: pick(base.filtersIn, mine.filtersIn, theirs.filtersIn),
    filtersOut: pick(base.filtersOut, mine.filtersOut, theirs.filtersOut),
    rules,
    targets,
  }
  return { merged, conflicts, taken }
}

/** Whether two say the same, in the same order. */
export function isSameGroup(one: EditedGroup, other: EditedGroup): boolean {
  const partsOf = ({ description, filtersIn, filtersOut, rules, targets }: EditedGroup) =>
    [description, filtersIn, filtersOut, rules, targets] as const
  return isSame(partsOf(one), partsOf(other))
}

/** The draft with theirs in place of mine. Where mine was changed or removed since, theirs is added. */
export function takeTheirs(draft: EditedGroup, conflict: GroupConflict): EditedGroup {
  if (conflict.kind === 'description') return { ...draft, description: conflict.theirs }
  const { mine, theirs } = conflict
  const at = mine === undefined ? -1 : draft.rules.findIndex((rule) => isSame(rule, mine))
  const added = theirs === undefined ? [] : [theirs]
  if (at === -1) return { ...draft, rules: [...draft.rules, ...added] }
  return { ...draft, rules: draft.rules.toSpliced(at, 1, ...added) }
}

function mergeRules(
  base: readonly SecurityRule[],
  mine: readonly SecurityRule[],
  theirs: readonly SecurityRule[],
  conflicts: GroupConflict[],
  taken: GroupMerge['taken'],
): SecurityRule[] {
  const [own, other] = [align(base, mine), align(base, theirs)]
  const kept = base.flatMap((was, at) => {
    const [mineNow, theirsNow] = [own.now[at], other.now[at]]
    const isMineSame = isSame(mineNow, was)
    if (isMineSame && !isSame(theirsNow, was)) {
      taken.rules += 1
      return theirsNow ?? []
    }
    if (!isMineSame && !isSame(theirsNow, was) && !isSame(mineNow, theirsNow)) {
      conflicts.push({ kind: 'rule', number: at + 1, mine: mineNow, theirs: theirsNow })
    }
    return mineNow ?? []
  })
  const news = missing(other.added, own.added)
  taken.rules += news.length
  return [...kept, ...own.added, ...news]
}

/** What became of each rule of before, undefined where it was removed, and what was added. */
function align(base: readonly SecurityRule[], side: readonly SecurityRule[]) {
  const now: (SecurityRule | undefined)[] = base.map(() => undefined)
  const added: SecurityRule[] = []
  let [b, s] = [0, 0]
  for (const [atBase, atSide] of [...commonPairs(base, side), [base.length, side.length] as const]) {
    // Between two rules that stayed: changed ones in their order, then removed or added ones.
    while (b < atBase && s < atSide) now[b++] = side[s++]
    b = atBase
    added.push(...side.slice(s, atSide))
    if (atBase < base.length) now[atBase] = side[atSide]
    b = atBase + 1
    s = atSide + 1
  }
  return { now, added }
}

/** The longest series of rules that both have in the same order, as pairs of places. */
function commonPairs(one: readonly SecurityRule[], other: readonly SecurityRule[]): [number, number][] {
  const [a, b] = [one.map(textOf), other.map(textOf)]
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i]
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}

/** What one of both added is there, what one of both removed is not. */
function mergeSets<T>(base: readonly T[], mine: readonly T[], theirs: readonly T[]): T[] {
  const removed = missing(base, theirs)
  return [...missing(mine, removed), ...missing(missing(theirs, base), mine)]
}

/** What the first list has and the second has not. */
function missing<T>(list: readonly T[], from: readonly T[]): T[] {
  const known = new Set(from.map(textOf))
  return list.filter((each) => !known.has(textOf(each)))
}

const isSame = (one: unknown, other: unknown) => textOf(one) === textOf(other)

/** The same for the same value, whatever the order of its keys. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? ''
  )
}
