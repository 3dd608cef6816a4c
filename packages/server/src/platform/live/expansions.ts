import type { EventFrame, ExpandedType, LiveEvents, LivePosition } from '@bey/contract'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Coalesced } from './coalesce.ts'
import { coalesce } from './coalesce.ts'
import type { Hub } from './hub.ts'
import { componentOf, frameOf } from './publish.ts'

/** At most so often is the data of an event built for an organization. */
const spacingMs = 100

type Expander<T extends ExpandedType = ExpandedType> = (organizationId: number) => Promise<LiveEvents[T]>

export type Expansions = {
  on: <T extends ExpandedType>(type: T, build: Expander<T>) => void
  /** An event without data came: it is built and delivered, once per organization and burst. */
  expand: (organizationId: number, type: ExpandedType) => void
  /** Another event was delivered: what is being built about the same things is out of date. */
  rebuildStale: (event: EventFrame) => void
  stop: () => void
}

/** Builds, at delivery, the data of events that are notified without it. */
export function createExpansions(options: {
  hub: Hub
  clock: Clock
  log: Log
  position: (organizationId: number) => LivePosition
}): Expansions {
  const { hub, clock, log, position } = options
  const expanders = new Map<ExpandedType, Expander>()
  const running = new Map<string, Coalesced>()

  function start(organizationId: number, type: ExpandedType, build: Expander): Coalesced {
    return coalesce({
      spacingMs,
      clock,
      build: async () => {
        // Before it is read: what happens meanwhile may be missing in it.
        const at = position(organizationId)
        return { position: at, data: await build(organizationId) }
      },
      deliver({ data, ...at }) {
        const frame = { ...frameOf({ organizationId, type, data }), ...at }
        hub.deliver(frame, JSON.stringify(frame))
      },
      onError(error) {
        log.error({ err: error, type }, 'The data of an event could not be built')
        hub.refetch('An event could not be delivered', organizationId)
      },
    })
  }

  return {
    on: (type, build) => void expanders.set(type, build),
    expand(organizationId, type) {
      const build = expanders.get(type)
      if (!build) {
        hub.refetch(type, organizationId)
        return
      }
      const key = `${organizationId} ${type}`
      const coalesced = running.get(key) ?? start(organizationId, type, build)
      running.set(key, coalesced)
      coalesced.touch()
    },
    rebuildStale({ organizationId, type }) {
      for (const expanded of expanders.keys()) {
        if (componentOf(expanded) !== componentOf(type)) continue
        const coalesced = running.get(`${organizationId} ${expanded}`)
        if (coalesced?.isBusy()) coalesced.touch()
      }
    },
    stop() {
      for (const coalesced of running.values()) coalesced.cancel()
    },
  }
}
