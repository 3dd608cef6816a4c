import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { fitText } from './fit-text.ts'
import type { Publish } from '../ports.ts'
import { logEvents, stepEvent } from '../runs/events.ts'
import {
  insertLogs,
  type LockedRun,
  type LogLine,
  hasLogAfter,
  type StepRow,
  giveLogNumbersBack,
  takeLogNumbers,
  updateStepProgress,
} from '../runs/store.ts'

/** Lines and progress that come within this time are written together. */
const flushAfterMs = 50
/** After a failure that is not the database being away. */
const retryAfterMs = 1_000
/** A line travels twice in one notification of less than 8,000 bytes. */
const maxMessageBytes = 3_000
/** A step that logs faster than the database writes loses lines beyond so many waiting ones, and says so. */
const maxWaiting = { lines: 100_000, chars: 64 * 1_048_576 }
/** Lines that are written together: more of them while many wait. */
const batchOf = (waiting: number) => (waiting > 1_000 ? 1_000 : 100)
/** Lines that the transaction at the end of the step writes itself. */
const leftForEnd = 100

export type Reporter = {
  log(message: string, level: LogLine['level']): void
  progress(percent: number): void
  /** What is not written yet, for the transaction that ends the step. */
  pending(): readonly LogLine[]
  /** Writes all but the last lines, then nothing more on its own. */
  stop(): Promise<void>
}

type Options = {
  /** As it was when the step began, or later: its `logCount` counts at least the lines of the step before. */
  run: LockedRun
  step: StepRow
  executorId: string
  publish: Publish
  clock: Clock
  /** Runs work in a transaction, and again when it is open whether the commit succeeded. */
  withRun<T>(work: (db: Db, isRepeated: boolean) => Promise<T>): Promise<T>
  onProgress(db: Db, percent: number): Promise<void>
  onFailure(error: unknown): void
  /** Takes secrets out of a line. */
  mask?: ((text: string) => string) | undefined
}

/** Writes a step's log lines and progress in batches, so that a chatty step costs few transactions. */
export function reportStep(options: Options): Reporter {
  const { run, step, clock, publish, mask = (text: string) => text } = options
  let lines: LogLine[] = []
  let chars = 0
  let isFull = false
  let percent = step.progressPercent
  let writtenPercent = percent
  let lastSeq = run.logCount
  let stopTimer: (() => void) | undefined
  let writing: Promise<void> = Promise.resolve()
  let isStopped = false

  function schedule(delayMs = flushAfterMs): void {
    if (isStopped || stopTimer !== undefined) return
    stopTimer = clock.setTimeout(() => {
      writing = flush().then(
        () => scheduleRest(flushAfterMs),
        (error: unknown) => {
          options.onFailure(error)
          scheduleRest(retryAfterMs)
        },
      )
    }, delayMs)
  }

  /** What came while the last batch was written, or could not be written. */
  function scheduleRest(delayMs: number): void {
    stopTimer = undefined
    if (lines.length > 0 || percent !== writtenPercent) schedule(delayMs)
  }

  async function flush(): Promise<void> {
    const batch = lines.slice(0, batchOf(lines.length))
    const target = percent
    let writtenTo = lastSeq
    if (batch.length === 0 && target === writtenPercent) return
    await options.withRun(async (db, isRepeated) => {
      const firstSeq = await takeLogNumbers(db, run.id, options.executorId, batch.length)
      if (firstSeq === undefined) return
      // Only this reporter writes lines of the step now: a later one is the previous attempt's, whose commit succeeded.
      if (isRepeated && (await hasLogAfter(db, step.id, lastSeq))) {
        await giveLogNumbersBack(db, run.id, batch.length)
        lastSeq = firstSeq - 1
        return
      }
      await Promise.all([
        insertLogs(db, run, firstSeq, batch),
        publish(db, logEvents(run, firstSeq, batch)),
        target === writtenPercent ? undefined : writeProgress(db, target),
      ])
      writtenTo = firstSeq + batch.length - 1
    })
    lines = lines.slice(batch.length)
    chars -= batch.reduce((sum, { message }) => sum + message.length, 0)
    lastSeq = Math.max(lastSeq, writtenTo)
    writtenPercent = target
  }

  async function writeProgress(db: Db, target: number): Promise<void> {
    await Promise.all([
      updateStepProgress(db, step.id, target),
      publish(db, [stepEvent(run, { ...step, status: 'running', progressPercent: target })]),
      options.onProgress(db, target),
    ])
  }

  return {
    log(message, level) {
      const wasFull = isFull
      isFull = lines.length >= maxWaiting.lines || chars >= maxWaiting.chars
      if (isFull && wasFull) return
      const text = fitText(
        isFull ? 'Too many lines at once: some are left out.' : mask(message),
        maxMessageBytes,
      )
      chars += text.length
      lines.push({
        stepRunId: step.id,
        stepKey: step.key,
        stepName: step.name,
        attempt: step.attempt,
        at: clock.now(),
        level,
        message: text,
      })
      schedule()
    },
    progress(next) {
      percent = Math.round(Math.min(100, Math.max(percent, next)))
      if (percent !== writtenPercent) schedule()
    },
    pending: () => lines,
    async stop() {
      isStopped = true
      stopTimer?.()
      await writing
      try {
        while (lines.length > leftForEnd) await flush()
      } catch (error) {
        // The transaction at the end of the step tries once more.
        options.onFailure(error)
      }
    },
  }
}
