/** What a change of a release is, in the words of Keep a Changelog and in its order. */
export const changeKinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** A change in words, cut where the look changes. */
export type ChangeText = { text: string; look?: 'code' | 'strong'; href?: string }[]

export interface Release {
  version: string
  /** `2026-11-21`; undefined while it is not released. */
  date: string | undefined
  groups: { kind: ChangeKind; changes: ChangeText[] }[]
}

/** The text of a change alone, to be searched. */
export function plainText(change: ChangeText): string {
  return change.map((part) => part.text).join('')
}

/** The releases with the changes that hold every word of the query and are of the kind; none that is empty then. */
export function filterReleases(
  releases: readonly Release[],
  query: string,
  kind: ChangeKind | undefined,
): Release[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = (change: ChangeText) => {
    const text = plainText(change).toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return releases.flatMap((release) => {
    const groups = release.groups
      .filter((group) => kind === undefined || group.kind === kind)
      .map((group) => ({ ...group, changes: group.changes.filter(holds) }))
      .filter((group) => group.changes.length > 0)
    return groups.length > 0 ? [{ ...release, groups }] : []
  })
}
