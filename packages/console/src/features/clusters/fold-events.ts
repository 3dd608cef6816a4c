import type { EventRow } from '@bey/contract'
import { podPrefix } from '@bey/contract'

export interface FoldedEvents {
  uid: string
  /** The newest. */
  event: EventRow
  /** "Pod/web", the name that pods of one workload share; of everything else the object itself. */
  object: string
  /** How many objects it stands for. */
  objectCount: number
  /** How often it happened, to all of them. */
  count: number
}

/** Events, newest first: those of one type and reason about one object, or about pods of one workload, are one. */
export function foldEvents(events: readonly EventRow[]): FoldedEvents[] {
  const folded = new Map<string, FoldedEvents & { objects: Set<string> }>()
  for (const event of events) {
    const object = sharedName(event.object)
    const key = [event.type, event.reason, event.namespace, object].join('\n')
    const known = folded.get(key)
    if (known) {
      known.objects.add(event.object)
      known.count += event.count
    } else {
      folded.set(key, {
        uid: event.uid,
        event,
        object,
        objectCount: 1,
        count: event.count,
        objects: new Set([event.object]),
      })
    }
  }
  return [...folded.values()].map(({ objects, ...rest }) => ({ ...rest, objectCount: objects.size }))
}

/** One row for each event, as it came. */
export const eachEvent = (events: readonly EventRow[]): FoldedEvents[] =>
  events.map((event) => ({
    uid: event.uid,
    event,
    object: event.object,
    objectCount: 1,
    count: event.count,
  }))

function sharedName(object: string): string {
  const [kind = '', ...rest] = object.split('/')
  const name = rest.join('/')
  return kind === 'Pod' ? `Pod/${podPrefix(name)}` : object
}
