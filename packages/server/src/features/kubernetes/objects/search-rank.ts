type Searched = { name: string; kind: string; namespace: string; cluster: string }

/**
 * How well an object matches words that are sought: 0 is best, undefined is not at all. Each word must be part of its
 * name, or begin its kind, namespace or cluster; one at least must be of its name or kind.
 */
export function createMatcher(search: string): (object: Searched) => number | undefined {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ name, kind, namespace, cluster }) => {
    const lowName = name.toLowerCase()
    const lowKind = kind.toLowerCase()
    let rank = 0
    let isAbout = false
    for (const word of words) {
      const at = lowName.indexOf(word)
      if (at !== -1) {
        isAbout = true
        rank += lowName === word ? 0 : at === 0 ? 1 : isBoundary(lowName[at - 1]) ? 2 : 3
      } else if (isKind(lowKind, word)) {
        isAbout = true
        rank += 4
      } else if (namespace.startsWith(word) || cluster.toLowerCase().startsWith(word)) rank += 5
      else return undefined
    }
    return isAbout ? rank : undefined
  }
}

const isBoundary = (before: string | undefined) => before !== undefined && /[^a-z0-9]/.test(before)

/** `deploy` and `deployments` are of Deployment; two letters would be of nearly everything. */
function isKind(kind: string, word: string): boolean {
  if (word.length < 3) return false
  return kind.startsWith(word) || word === `${kind}s` || word === `${kind}es`
}
