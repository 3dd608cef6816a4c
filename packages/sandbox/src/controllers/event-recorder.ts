import { stamp, type Clock } from '../clock.ts'
import type { Resources } from '../api/resources.ts'
import { StatusError } from '../status-error.ts'
import { events, namespaces, type Event, type Metadata } from '../types.ts'

export type Involved = { apiVersion: string; kind: string; metadata: Metadata }

const keepMs = 60 * 60 * 1000
const sweepMs = 5 * 60 * 1000
const rememberAtMost = 4096

/** Writes Events as Kubernetes' own components do: repeats raise the count of the first instead of adding one. */
export class EventRecorder {
  readonly #resources: Resources
  readonly #clock: Clock
  readonly #known = new Map<string, string>()
  #cancelSweep: (() => void) | undefined

  constructor(resources: Resources, clock: Clock) {
    this.#resources = resources
    this.#clock = clock
  }

  normal(
    component: string,
    about: Involved,
    reason: string,
    message: string,
    more: { host?: string; fieldPath?: string } = {},
  ): void {
    this.#record('Normal', component, about, reason, message, more)
  }

  warning(
    component: string,
    about: Involved,
    reason: string,
    message: string,
    more: { host?: string; fieldPath?: string } = {},
  ): void {
    this.#record('Warning', component, about, reason, message, more)
  }

  /** Drops what is older than an hour, now and then. */
  start(): void {
    this.#cancelSweep = this.#clock.after(sweepMs, () => {
      const limit = this.#clock.now() - keepMs
      for (const event of this.#resources.store.list(events)) {
        const last = Date.parse(event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp)
        if (last < limit)
          this.#resources.store.remove(events.key, event.metadata.namespace, event.metadata.name)
      }
      if (this.#known.size > rememberAtMost) this.#known.clear()
      this.start()
    })
  }

  stop(): void {
    this.#cancelSweep?.()
  }

  #record(
    type: 'Normal' | 'Warning',
    component: string,
    about: Involved,
    reason: string,
    message: string,
    more: { host?: string; fieldPath?: string },
  ): void {
    const nowMs = this.#clock.now()
    const now = stamp(nowMs)
    const { name, namespace = 'default', uid, resourceVersion } = about.metadata
    const key = [uid || name, more.fieldPath ?? '', component, reason, message].join('\n')
    const seen = this.#known.get(key)
    const { store } = this.#resources
    const old = seen === undefined ? undefined : store.get(events, namespace, seen)
    if (old) {
      this.#resources.change(events, old, (event: Event) => {
        event.count = (event.count ?? 1) + 1
        event.lastTimestamp = now
      })
      return
    }
    if (about.kind !== 'Node' && store.get(namespaces, undefined, namespace)?.metadata.deletionTimestamp)
      return
    // The name that client-go gives: the object and the time in nanoseconds, made unique by the revision.
    const eventName = `${name}.${(BigInt(nowMs) * 1_000_000n + BigInt(store.revision % 1_000_000)).toString(16)}`
    const { host, fieldPath } = more
    try {
      this.#resources.make(events, namespace, {
        metadata: { name: eventName },
        involvedObject: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          name,
          ...(about.metadata.namespace ? { namespace } : {}),
          uid,
          ...(resourceVersion ? { resourceVersion } : {}),
          ...(fieldPath ? { fieldPath } : {}),
        },
        type,
        reason,
        message,
        source: { component, ...(host ? { host } : {}) },
        reportingComponent: component,
        reportingInstance: host ?? '',
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      })
      this.#known.set(key, eventName)
    } catch (error) {
      // A namespace that goes away takes the news about its objects with it.
      if (!(error instanceof StatusError)) throw error
    }
  }
}
