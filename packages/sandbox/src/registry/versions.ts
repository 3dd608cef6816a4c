const known = /^v(\d+)(?:(alpha|beta)(\d+))?$/

/** A version as numbers, of which the first that differ decide: stable before beta before alpha, then the higher. */
function rank(version: string): number[] | undefined {
  const found = known.exec(version)
  if (!found) return undefined
  const stage = found[2] === undefined ? 2 : found[2] === 'beta' ? 1 : 0
  return [stage, Number(found[1]), Number(found[3] ?? 0)]
}

/** Orders versions of an API as Kubernetes does, the one that clients should use first; other names come last. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)]
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0
  const place = left.findIndex((part, i) => part !== right[i])
  return place === -1 ? 0 : (right[place] ?? 0) - (left[place] ?? 0)
}
