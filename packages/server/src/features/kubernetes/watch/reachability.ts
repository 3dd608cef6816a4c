import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { SetReachability } from '../connection/ports.ts'

/** A watch that is lost and comes back within this time is no news. */
const unreachableAfterMs = 3_000

type Options = {
  organizationId: number
  clusterId: number
  setReachability: SetReachability
  clock: Clock
  log: Log
}

/** Records the cluster's reachability when it changes, not each time a watch is opened again. */
export function trackReachability({ organizationId, clusterId, setReachability, clock, log }: Options) {
  let recordedState: 'reachable' | 'unreachable' | undefined
  let cancel: (() => void) | undefined
  let lastReason = ''

  function record(state: 'reachable' | 'unreachable', reason: string | null): void {
    if (recordedState === state) return
    recordedState = state
    setReachability(organizationId, clusterId, state, reason).catch((error: unknown) => {
      recordedState = undefined
      log.debug({ err: error, clusterId }, 'The reachability of a cluster was not recorded')
    })
  }

  return {
    reachable(): void {
      cancel?.()
      cancel = undefined
      record('reachable', null)
    },
    lost(reason: string, isLive: () => boolean): void {
      // The next attempt may say more than the connection that broke.
      lastReason = reason
      if (recordedState === 'unreachable' || cancel) return
      cancel = clock.setTimeout(() => {
        cancel = undefined
        if (!isLive()) record('unreachable', `It does not answer: ${lastReason}.`)
      }, unreachableAfterMs)
    },
    stop: () => cancel?.(),
  }
}
