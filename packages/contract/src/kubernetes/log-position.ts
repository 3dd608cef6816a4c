/**
 * How far the log of a container was read. Kubernetes takes `sinceTime` in whole seconds, and the two outputs of a
 * container can be written slightly out of order, so a position is an instant and every line that was read since.
 */
export type LogPosition = {
  /** RFC 3339, UTC. Lines before it were read. */
  at: string
  /** Hashes of the lines that were read since `at`, one each. */
  seen: string[]
}

/** The most lines that a position remembers. Beyond it the time alone decides. */
export const maxSeenLines = 4000

export type LogTracker = {
  /** False for a line that the position given at the beginning already counts. */
  take(at: string, text: string): boolean
  /** Undefined before the first line. */
  position(maxLines?: number): LogPosition | undefined
}

/** Follows one container's log: tells lines that were read before from new ones, and where reading has come to. */
export function createLogTracker(from?: LogPosition): LogTracker {
  const floor = from?.at ?? ''
  const before = new Map<string, number>()
  for (const hash of from?.seen ?? []) before.set(hash, (before.get(hash) ?? 0) + 1)
  let untold = from?.seen.length ?? 0
  /** Lines since the second before the latest line's. */
  let recent: { at: string; hash?: string; text: string }[] = []
  let latestSecond = ''
  let boundary = floor

  function forgetOld(): void {
    const since = secondBefore(latestSecond)
    // Of a log that is not read from its beginning, nothing before the first line was read.
    if (boundary === '' || since > boundary) boundary = boundary === '' ? (recent[0]?.at ?? since) : since
    recent = recent.filter(({ at }) => at >= boundary)
  }

  function note(at: string, text: string): void {
    const second = at.slice(0, 19)
    recent.push({ at, text })
    if (second > latestSecond) {
      latestSecond = second
      forgetOld()
    }
    // Cut in half rather than by one, so that a busy log pays for it rarely.
    if (recent.length > 2 * maxSeenLines) {
      recent = recent.slice(-maxSeenLines)
      boundary = recent[0]?.at ?? boundary
    }
  }

  return {
    take(at, text) {
      if (at < floor) return false
      if (untold > 0) {
        const hash = lineHash(at, text)
        const count = before.get(hash) ?? 0
        if (count > 0) {
          before.set(hash, count - 1)
          untold -= 1
          note(at, text)
          return false
        }
      }
      note(at, text)
      return true
    },
    position(maxLines = maxSeenLines) {
      if (recent.length === 0) return from
      const kept = recent.slice(-maxLines)
      const at = kept.length < recent.length ? (kept[0]?.at ?? boundary) : boundary
      const isPartOfFirst = from !== undefined && at <= from.at
      return {
        at: isPartOfFirst ? from.at : at,
        seen: [
          ...kept.map((line) => lineHash(line.at, line.text)),
          // What the position before had seen and the cluster has not sent again is still seen.
          ...(isPartOfFirst ? leftOf(before) : []),
        ],
      }
    },
  }
}

function leftOf(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].flatMap(([hash, count]) => Array.from({ length: count }, () => hash))
}

/** The whole second before, with a fraction like every other instant, since they are compared as texts. */
function secondBefore(second: string): string {
  return `${new Date(Date.parse(`${second}Z`) - 1000).toISOString().slice(0, 19)}.000000000Z`
}

/** FNV-1a over time and text, 32 bits: enough to tell apart lines of the same nanosecond. */
export function lineHash(at: string, text: string): string {
  let hash = 0x811c9dc5
  for (const part of [at, ' ', text]) {
    for (let index = 0; index < part.length; index += 1) {
      hash = Math.imul(hash ^ part.charCodeAt(index), 0x01000193)
    }
  }
  return (hash >>> 0).toString(36)
}
