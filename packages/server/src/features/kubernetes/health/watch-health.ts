import { type Health, healthMoveAfterMs } from '@bey/contract'
import { healthKinds } from './health-kinds.ts'
import { attentionOf } from './attention.ts'
import type { ObserverDeps } from './observer.ts'
import type { ObservedCluster } from './observer-store.ts'
import { announce, recordHealth } from './observer-store.ts'

/** A change between trouble (failing, or not to be looked at) and its absence that has lasted. */
export type HealthMove = {
  cluster: ObservedCluster
  to: 'trouble' | 'recovery'
  health: Health
}

/** Changes come in crowds: those of this time are looked at together. */
const gatherMs = 300
/** Each look at a cluster of thousands of pods costs milliseconds. */
const leastPauseMs = 1_000
/** Time alone changes health; looked at again at least so often. */
const longestPauseMs = 60_000

/** Keeps the stored health of one cluster equal to what the watch cache shows. */
export function watchHealth(cluster: ObservedCluster, deps: ObserverDeps): { stop(): void } {
  const { database, cache, assessor, observer, clock, log } = deps
  const { id, organizationId } = cluster
  let isStopped = false
  let isWriting = false
  let isStale = false
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let written: string | undefined
  let cancelCheck = () => undefined as void
  let checkAtMs = Number.POSITIVE_INFINITY
  let pendingAnnouncement: { what: HealthMove['to']; cancel: () => void } | undefined
  let announced: HealthMove['to'] | undefined

  function scheduleCheck(delayMs: number): void {
    const nowMs = clock.monotonicMs()
    const atMs = Math.max(nowMs + delayMs, checkedAtMs + leastPauseMs)
    if (isStopped || atMs >= checkAtMs) return
    cancelCheck()
    checkAtMs = atMs
    cancelCheck = clock.setTimeout(check, atMs - nowMs)
  }

  function check(): void {
    checkAtMs = Number.POSITIVE_INFINITY
    checkedAtMs = clock.monotonicMs()
    const found = current()
    deps.onLook(cluster)
    // Verdicts are about times that the cluster says.
    scheduleCheck(Math.min(longestPauseMs, Math.max(0, found.changesAtMs - clock.now().getTime())))
    if (found.digest !== written) void write(found)
    expectMove(found.health)
  }

  function current() {
    const observed = observation.cache()
    const assessment = assessor.assessed(observed)
    const { cluster: health, changesAtMs, unreadable } = assessment
    const silence = observed.silence()
    if (silence) return { ...unseen(silence.reason), changesAtMs }
    const isBlind = unreadable !== null && observed.failures(healthKinds).length === healthKinds.length
    if (isBlind) return { ...unseen(unreadable.reason), changesAtMs }
    // Details count restarts and such; they are read with the page that shows them.
    const items = attentionOf(cluster, assessment).map(({ key, health: { state, reason }, affected }) => [
      key,
      state,
      reason,
      affected?.count,
    ])
    return {
      health,
      digest: JSON.stringify([health.state, health.reason, health.detail, items]),
      changesAtMs,
    }
  }

  async function write({ health, digest }: { health: Health; digest: string }): Promise<void> {
    if (isWriting) {
      isStale = true
      return
    }
    isWriting = true
    try {
      const isMine = await database.withTenant(organizationId, async (db) => {
        const isRecorded = await recordHealth(db, id, observer, health, clock.now())
        if (isRecorded) await deps.publishChange(db, organizationId)
        return isRecorded
      })
      if (isMine) written = digest
    } catch (error) {
      log.debug({ err: error, clusterId: id }, 'The health of a cluster was not written; it will be retried')
      isStale = true
    }
    isWriting = false
    if (isStale) {
      isStale = false
      scheduleCheck(leastPauseMs)
    }
  }

  function expectMove(health: Health): void {
    if (health.state === 'starting') return
    const what = health.state === 'failing' || health.state === 'unknown' ? 'trouble' : 'recovery'
    if (pendingAnnouncement?.what === what) return
    pendingAnnouncement?.cancel()
    pendingAnnouncement = undefined
    if (announced === what) return
    pendingAnnouncement = { what, cancel: clock.setTimeout(() => void announceMove(what), healthMoveAfterMs) }
  }

  async function announceMove(what: HealthMove['to']): Promise<void> {
    pendingAnnouncement = undefined
    try {
      await database.withTenant(organizationId, async (db) => {
        const isNews = await announce(db, id, observer, what)
        if (isNews) await deps.onMove(db, { cluster, to: what, health: current().health })
      })
      announced = what
    } catch (error) {
      log.debug({ err: error, clusterId: id }, 'A change of health was not announced; it will be retried')
    }
  }

  const observation = cache.observe(cluster, () => scheduleCheck(gatherMs))
  // What is missing by then counts as unknown.
  scheduleCheck(2_000)
  return {
    stop() {
      isStopped = true
      cancelCheck()
      pendingAnnouncement?.cancel()
      observation.stop()
    },
  }
}

function unseen(reason: string): { health: Health; digest: string } {
  const detail = `It does not answer: ${reason}.`
  return {
    health: { state: 'unknown', reason: 'Unreachable', detail, since: null, object: null },
    digest: `unseen ${reason}`,
  }
}
