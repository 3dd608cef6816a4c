import type { Clock } from '@bey/client'
import type { ErrorEntry } from '@bey/contract'
import { errorBatch } from '@bey/contract'

/** What became of a report. `delayed`: it could not be sent so far and is tried again. */
export type ReportPhase = 'waiting' | 'sending' | 'delayed' | 'sent' | 'refused' | 'skipped'

export interface Report {
  entry: ErrorEntry
  /** What is the same again before it is sent is counted instead of sent. */
  key: string
  organizationId: number | undefined
  phase: ReportPhase
  /** What the server calls the error, once it has it. */
  errorId?: string | undefined
  repeats: number
}

export interface Batch {
  entries: readonly ErrorEntry[]
  organizationId: number
  /** The same for each attempt, so that the server counts it once. */
  idempotencyKey: string
}

export interface QueuePorts {
  clock: Clock
  /** Answers the ids of the errors, in their order. */
  send: (batch: Batch) => Promise<readonly string[]>
  /** Whether a user is signed in, in whose name reports are sent. */
  hasToken: () => boolean
  /** Whether sending again may help. */
  isTransient: (error: unknown) => boolean
  newKey: () => string
  /** The phase of a report changed. */
  onChange: () => void
}

export interface ErrorQueue {
  /** Takes a report; an urgent one is sent at once. Returns the report that it was merged into. */
  add: (report: Report, isUrgent?: boolean) => Report
  /** Sends at once what waits, also what waits to be tried again. */
  flush: () => void
  /** Discards waiting reports: their user has signed out. */
  drop: () => void
}

/** Sends reports when ten wait or 5 s after the first, each batch with up to three more attempts. */
export function createErrorQueue(ports: QueuePorts): ErrorQueue {
  let waiting: Report[] = []
  let inFlight: readonly Report[] = []
  let stopTimer: (() => void) | undefined
  let retry: { now: () => void; cancel: () => void } | undefined
  const urgentAt = new Map<string, number>()

  const move = (reports: readonly Report[], phase: ReportPhase) => {
    for (const report of reports) report.phase = phase
    ports.onChange()
  }

  function schedule() {
    if (waiting.length >= errorBatch.size) sendNext()
    else if (waiting.length > 0) stopTimer ??= ports.clock.setTimeout(sendNext, errorBatch.delayMs)
  }

  function sendNext() {
    stopTimer?.()
    stopTimer = undefined
    if (inFlight.length > 0 || waiting.length === 0) return
    if (!ports.hasToken()) return drop()
    const organizationId = waiting[0]?.organizationId
    const batch = waiting
      .filter((report) => report.organizationId === organizationId)
      .slice(0, errorBatch.size)
    waiting = waiting.filter((report) => !batch.includes(report))
    if (organizationId === undefined) {
      move(batch, 'skipped')
      return schedule()
    }
    inFlight = batch
    attempt(batch, { entries: batch.map(entryOf), organizationId, idempotencyKey: ports.newKey() }, 0)
  }

  function attempt(batch: readonly Report[], call: Batch, retries: number) {
    retry = undefined
    if (!ports.hasToken()) return end(batch, 'skipped')
    move(batch, 'sending')
    ports.send(call).then(
      (ids) => {
        for (const [index, report] of batch.entries()) report.errorId = ids[index]
        end(batch, 'sent')
      },
      (error: unknown) => {
        if (!ports.isTransient(error)) return end(batch, 'refused')
        move(batch, 'delayed')
        const delayMs = errorBatch.retryDelaysMs[retries]
        if (delayMs === undefined) return giveUp(batch)
        const again = () => attempt(batch, call, retries + 1)
        const cancel = ports.clock.setTimeout(again, delayMs)
        retry = { now: again, cancel }
      },
    )
  }

  function end(batch: readonly Report[], phase: ReportPhase) {
    if (batch !== inFlight) return
    inFlight = []
    move(batch, phase)
    schedule()
  }

  // The first errors tell more than those that follow from them. Tried again with the next error.
  function giveUp(batch: readonly Report[]) {
    if (batch !== inFlight) return
    inFlight = []
    const all = [...batch, ...waiting]
    waiting = all.slice(0, errorBatch.queueCap)
    move(all.slice(errorBatch.queueCap), 'refused')
  }

  function drop() {
    stopTimer?.()
    retry?.cancel()
    const all = [...inFlight, ...waiting]
    ;[stopTimer, retry, inFlight, waiting] = [undefined, undefined, [], []]
    move(all, 'skipped')
  }

  /** The same error thrown in a loop is urgent once in a while only. */
  function isUrgentNow(key: string): boolean {
    const nowMs = ports.clock.now()
    if (nowMs - (urgentAt.get(key) ?? Number.NEGATIVE_INFINITY) < errorBatch.delayMs) return false
    if (urgentAt.size >= 100) urgentAt.clear()
    urgentAt.set(key, nowMs)
    return true
  }

  return {
    add(report, isUrgent = false) {
      const same = waiting.find((each) => each.key === report.key)
      if (same) same.repeats += 1
      else if (waiting.length < errorBatch.queueCap) waiting.push(report)
      else report.phase = 'refused'
      if (isUrgent && isUrgentNow(report.key)) sendNext()
      else schedule()
      return same ?? report
    },
    flush() {
      retry?.cancel()
      retry?.now()
      sendNext()
    },
    drop,
  }
}

function entryOf({ entry, repeats }: Report): ErrorEntry {
  if (repeats === 0) return entry
  return { ...entry, additionalContext: { ...entry.additionalContext, repeats } }
}
