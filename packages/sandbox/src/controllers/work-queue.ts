import type { Clock } from '../clock.ts'
import { StatusError } from '../status-error.ts'

const firstRetryMs = 20
const longestRetryMs = 30_000

export type Reporter = (error: unknown) => void

/**
 * Runs `handle` for every key that was added, once per key however often it was added meanwhile, in short slices
 * between which the API gets its turn. A key whose handling fails is tried again, ever later.
 */
export class WorkQueue {
  readonly #clock: Clock
  readonly #handle: (key: string) => void
  readonly #report: Reporter
  readonly #waiting = new Set<string>()
  readonly #timers = new Map<string, { dueMs: number; cancel: () => void }>()
  readonly #failures = new Map<string, number>()
  #isScheduled = false
  #isStopped = false

  constructor(clock: Clock, handle: (key: string) => void, report: Reporter) {
    this.#clock = clock
    this.#handle = handle
    this.#report = report
  }

  add(key: string): void {
    if (this.#isStopped) return
    this.#waiting.add(key)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#clock.soon((isOver) => this.#run(isOver))
  }

  /** Adds the key after a while, or sooner when it is asked for sooner. */
  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return
    const dueMs = this.#clock.now() + Math.max(0, delayMs)
    const planned = this.#timers.get(key)
    if (planned && planned.dueMs <= dueMs) return
    planned?.cancel()
    const cancel = this.#clock.after(Math.max(0, delayMs), () => {
      this.#timers.delete(key)
      this.add(key)
    })
    this.#timers.set(key, { dueMs, cancel })
  }

  /** Forgets what was planned for a key. */
  forget(key: string): void {
    this.#timers.get(key)?.cancel()
    this.#timers.delete(key)
    this.#failures.delete(key)
  }

  stop(): void {
    this.#isStopped = true
    this.#waiting.clear()
    for (const { cancel } of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #run(isOver: () => boolean): void {
    this.#isScheduled = false
    for (const key of this.#waiting) {
      this.#waiting.delete(key)
      try {
        this.#handle(key)
        this.#failures.delete(key)
      } catch (error) {
        const failures = (this.#failures.get(key) ?? 0) + 1
        this.#failures.set(key, failures)
        // A refusal (a quota, a namespace that ends) is an answer; anything else is a bug to be seen.
        if (!(error instanceof StatusError)) this.#report(error)
        this.addAfter(key, Math.min(longestRetryMs, firstRetryMs * 2 ** failures))
      }
      if (isOver()) break
    }
    if (this.#waiting.size > 0 && !this.#isScheduled) {
      this.#isScheduled = true
      this.#clock.soon((over) => this.#run(over))
    }
  }
}
