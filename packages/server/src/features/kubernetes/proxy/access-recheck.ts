import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { isPolicyRefusal } from '../../../platform/policies/refusal.ts'
import type { FindCluster } from './admission.ts'
import type { Identify } from './caller.ts'
import type { OpenStream, OpenStreams } from './open-streams.ts'

/** How often whatever is open is asked again by what right, should an announcement have been missed. */
const recheckPeriodMs = 30_000

type Deps = { streams: OpenStreams; identify: Identify; findCluster: FindCluster; clock: Clock; log: Log }

/** Ends each open stream whose right is gone: token, session, membership, the role it was opened with, cluster. */
export function startRecheck({ streams, identify, findCluster, clock, log }: Deps): {
  recheck(includesNew: boolean): Promise<void>
  stop(): void
} {
  async function isStillAllowed({ token, caller, clusterId }: OpenStream): Promise<boolean> {
    const organizationId = caller.onlyClusterId === undefined ? caller.organizationId : undefined
    const now = await identify(token, { organizationId, clusterId, ip: caller.ip }).catch(refusedByPolicy)
    if (!now || now === 'outsider') return false
    if (now.organizationId !== caller.organizationId || now.role !== caller.role) return false
    return (await findCluster(caller.organizationId, clusterId)) !== undefined
  }

  function refusedByPolicy(error: unknown): undefined {
    if (!isPolicyRefusal(error)) throw error
  }

  async function recheck(includesNew: boolean): Promise<void> {
    const bound = clock.monotonicMs() - recheckPeriodMs
    for (const stream of streams.all()) {
      if (!includesNew && stream.openedAtMs > bound) continue
      try {
        if (await isStillAllowed(stream)) continue
      } catch (error) {
        // The database does not answer, which ends nobody's right.
        log.debug({ err: error }, 'Open streams were not checked')
        return
      }
      streams.remove(stream)
      stream.end()
    }
  }

  const stop = clock.setInterval(() => void recheck(false), recheckPeriodMs)
  return { recheck, stop }
}
