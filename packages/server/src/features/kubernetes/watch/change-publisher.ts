import type { Clock } from '../../../platform/clock.ts'
import type { LivePort } from '../connection/ports.ts'
import type { Entry } from './entries.ts'

/** Whoever follows a cluster hears of its changes at most this often. */
const publishPeriodMs = 250
/** What belongs together is gathered for a moment: one change of a deployment moves pods and events too. */
const gatherMs = 20
/**
 * A page that begins to follow was read a moment before. What changed since then nobody told it, so that changes of so long
 * are announced again.
 */
const recentMs = 10_000
/** More changed objects of one kind than this are not named. */
const maxNamed = 20

type Options = {
  organizationId: number
  clusterId: number
  live: Pick<LivePort, 'local' | 'objectChanged'>
  clock: Clock
  isFollowed: () => boolean
}

/** Tells followers which kinds changed, together and not too often; the first at once. */
export function createChangePublisher(options: Options, isLive: () => boolean) {
  const { live, clock, clusterId, organizationId, isFollowed } = options
  /** By kind, the objects that changed; null when too many did, or all may have. */
  const changed = new Map<string, Set<string> | null>()
  /** The cluster stopped answering or answers again: whatever is shown of it is old. */
  let isAllOld = false
  /** When each kind changed last, on the clock that never goes back. */
  const lastChangeMs = new Map<string, number>()
  let cancel: (() => void) | undefined

  function publish(): void {
    cancel = undefined
    if (changed.size === 0 && !isAllOld) return
    const objects: Record<string, string[]> = {}
    for (const [kind, names] of changed) if (names) objects[kind] = [...names]
    const data = isAllOld
      ? { clusterId, kinds: [], objects: {}, isLive: isLive() }
      : { clusterId, kinds: [...changed.keys()], objects, isLive: isLive() }
    changed.clear()
    isAllOld = false
    if (!isFollowed()) return
    live.local({ organizationId, type: 'CLUSTER_RESOURCE_UPDATE', data })
    cancel = clock.setTimeout(publish, publishPeriodMs)
  }

  return {
    /** One object of a kind changed; without one, any may have. */
    add(kind: string, entry?: Entry): void {
      live.objectChanged(organizationId)
      lastChangeMs.set(kind, clock.monotonicMs())
      if (!isFollowed()) return
      const names = changed.get(kind)
      if (!entry || names === null || (names && names.size >= maxNamed)) changed.set(kind, null)
      else changed.set(kind, (names ?? new Set()).add(`${entry.namespace}/${entry.name}`))
      cancel ??= clock.setTimeout(publish, gatherMs)
    },
    /** Everything that is shown of the cluster is to be read again. */
    addAll(): void {
      live.objectChanged(organizationId)
      if (!isFollowed()) return
      isAllOld = true
      cancel ??= clock.setTimeout(publish, gatherMs)
    },
    /** Somebody begins to follow: what changed while their page was read is announced to them. */
    announceRecent(): void {
      const bound = clock.monotonicMs() - recentMs
      for (const [kind, at] of lastChangeMs) if (at >= bound) changed.set(kind, null)
      if (changed.size > 0) cancel ??= clock.setTimeout(publish, gatherMs)
    },
    stop: () => cancel?.(),
  }
}
