import type { EventFrame, LiveEvents, LiveEventType } from '@bey/contract'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Hub } from './hub.ts'

/** Events wait no longer than this for what they are enriched with; then they go without. */
const patienceMs = 1_000

/** Reads what events are delivered with beyond what they were published with, one part for each, in their order. */
export type Enricher<T extends LiveEventType = LiveEventType> = (
  organizationId: number,
  events: readonly LiveEvents[T][],
) => Promise<readonly Partial<LiveEvents[T]>[]>

export type Enrichments = {
  on: <T extends LiveEventType>(type: T, read: Enricher<T>) => void
  /** Delivers an event in its turn. `text` is its frame, which is sent as it is where nothing is added. */
  deliver: (event: EventFrame, text: string) => void
}

type Waiting = { event: EventFrame; text: string }
type AnyEnricher = (organizationId: number, events: readonly never[]) => Promise<readonly object[]>

/**
 * Adds to events the rows that screens show, so that not every screen has to read them: read once for all sockets, and
 * for as many events as came meanwhile. The events of an organization keep their order.
 */
export function createEnrichments(options: { hub: Hub; clock: Clock; log: Log }): Enrichments {
  const { hub, clock, log } = options
  const enrichers = new Map<LiveEventType, AnyEnricher>()
  const queues = new Map<number, Waiting[]>()

  async function drain(organizationId: number, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0)
      // oxlint-disable-next-line no-await-in-loop -- what came later is delivered later
      const added = await addedTo(organizationId, batch)
      for (const [index, { event, text }] of batch.entries()) {
        const more = added[index]
        if (more === undefined) hub.deliver(event, text)
        else {
          const data: object = { ...event.data, ...more }
          hub.deliver(event, JSON.stringify({ ...event, data }))
        }
      }
    }
    queues.delete(organizationId)
  }

  async function addedTo(organizationId: number, batch: readonly Waiting[]): Promise<(object | undefined)[]> {
    const added = Array.from<object | undefined>({ length: batch.length })
    const reads = [...enrichers].map(async ([type, read]) => {
      const indexes = [...batch.keys()].filter((index) => batch[index]?.event.type === type)
      if (indexes.length === 0) return
      // Each enricher gets the events of the type it is kept under.
      const data = indexes.map((index) => batch[index]?.event.data as never)
      const parts = await read(organizationId, data)
      for (const [at, index] of indexes.entries()) added[index] = parts[at]
    })
    const cancels: (() => void)[] = []
    const timeout = new Promise<void>((resolve) => cancels.push(clock.setTimeout(resolve, patienceMs)))
    try {
      await Promise.race([Promise.all(reads), timeout])
    } catch (error) {
      log.warn({ err: error }, 'Events are delivered without the rows that screens show')
    } finally {
      for (const cancel of cancels) cancel()
    }
    return [...added]
  }

  return {
    on: (type, read) => void enrichers.set(type, read),
    deliver(event, text) {
      const { organizationId } = event
      const queue = queues.get(organizationId)
      if (queue) queue.push({ event, text })
      else if (enrichers.has(event.type) && hub.hasReceiver(event)) {
        const started = [{ event, text }]
        queues.set(organizationId, started)
        void drain(organizationId, started)
      } else hub.deliver(event, text)
    },
  }
}
