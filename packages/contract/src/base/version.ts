/** The reply header with the version of the server. */
export const versionHeader = 'x-bey-version'

/** Which of two versions (Semantic Versioning, without regard to pre-releases) is the newer one: 1, -1 or 0. */
export function compareVersions(one: string, other: string): -1 | 0 | 1 {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? 0)
    if (difference !== 0) return difference > 0 ? 1 : -1
  }
  return 0
}

function numbersOf(version: string): number[] {
  const [core = ''] = version.split(/[-+]/)
  return [0, 1, 2].map((index) => Number(core.split('.')[index] ?? 0) || 0)
}
