import {
  type ContainerPosition,
  createLogTracker,
  type LogEventRecord,
  type LogProblemRecord,
  type LogTracker,
} from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ContainerStatus, Terminated } from '../watch/kube-types.ts'
import type { ContainerLogAddress, LogQuery, LogRefusal } from './container-log.ts'
import type { IncomingMessage } from 'node:http'
import { logLines, utcNanoseconds } from './log-line.ts'
import { runsOf } from './log-pod.ts'
import type { Channel } from './merge.ts'

export type LogItem =
  | { at: string; source: number; text: string }
  | { at: string; source: number; event: LogEventRecord }

export type FollowerOptions = {
  source: number
  address: ContainerLogAddress
  status: ContainerStatus | undefined
  position: ContainerPosition | undefined
  previous: 'no' | 'too' | 'only'
  sinceTime: string | undefined
  tail: number | undefined
  follow: boolean
  channel: Channel<LogItem>
  open: (query: LogQuery) => Promise<IncomingMessage | LogRefusal>
  onProblem: (problem: Pick<LogProblemRecord, 'code' | 'message'>) => void
  clock: Clock
  signal: AbortSignal
}

export type Follower = {
  /** What the pod says of the container now; undefined once the pod is gone. */
  update(status: ContainerStatus | undefined): void
  gone(at: string): void
  /** Resolves when nothing more will come. */
  done: Promise<void>
}

const retryMinMs = 1_000
/** How long a pod may take to say that a container has ended whose log has. */
const statusDelayMs = 5_000
const retryMaxMs = 15_000

/** How far one run was read, over all connections that it took. */
type RunReading = { tracker: LogTracker }

/**
 * Reads one container's log through its restarts: each run to its end, then how it ended, then the next. A connection
 * that is lost is opened again where it had come to.
 */
export function followContainer(options: FollowerOptions): Follower {
  const { channel, source, signal, clock } = options
  let status = options.status
  let goneAt: string | undefined
  let wake = () => undefined as void
  let lastAt = ''
  let failures = 0
  let shownProblem = ''

  function emit(event: Omit<LogEventRecord, 'type' | 'source'>): void {
    // A run ends after its last line, though its end is known in whole seconds only.
    const at = event.at > lastAt ? event.at : lastAt
    lastAt = at
    channel.push([{ at, source, event: { type: 'event', source, ...event, at } }])
  }

  const emitStart = (restart: number, startedAt: string | undefined) => {
    const at = utcNanoseconds(startedAt ?? '')
    if (at !== undefined && isInWindow(at)) emit({ event: 'started', at, restart })
  }
  const emitEnd = (restart: number, ended: Terminated | undefined) => {
    const at = utcNanoseconds(ended?.finishedAt ?? '')
    if (ended && at !== undefined && isInWindow(at)) emit({ event: 'ended', at, restart, ...endOf(ended) })
  }
  const isInWindow = (at: string) => options.sinceTime === undefined || at >= options.sinceTime.slice(0, 19)

  function changed(maxMs: number): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    channel.rest()
    return new Promise((resolve) => {
      const cancel = clock.setTimeout(resolve, maxMs)
      wake = () => {
        cancel()
        resolve()
      }
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  /** Reads until the answer ends. Says whether it was opened at all. */
  async function read(query: LogQuery, run: RunReading): Promise<boolean> {
    // Whatever this reading has seen before comes again.
    const tracker = createLogTracker(run.tracker.position())
    run.tracker = tracker
    const answer = await options.open(query)
    if (signal.aborted) return false
    if ('code' in answer) {
      report(answer)
      return false
    }
    failures = 0
    shownProblem = ''
    channel.opened()
    try {
      for await (const lines of logLines(answer)) {
        const items: LogItem[] = []
        for (const { at, text } of lines) {
          const time = at || lastAt
          if (!tracker.take(time, text)) continue
          if (time > lastAt) lastAt = time
          items.push({ at: time, source, text })
        }
        channel.push(items)
        await channel.room()
      }
    } catch {
      // The connection was lost; it is opened again where it had come to.
      failures += 1
    }
    return true
  }

  function report({ code, message }: LogRefusal): void {
    failures += 1
    // A container that waits to start, or a pod that is just going, is no problem of the stream.
    if (code === 'waiting' || code === 'gone' || message === shownProblem) return
    shownProblem = message
    options.onProblem({ code, message })
  }

  /** One run from where the tracker stands until the cluster says that it is over. */
  async function readRun(restart: number, run: RunReading, tail: number | undefined): Promise<void> {
    let from = tail
    for (;;) {
      const position = run.tracker.position()
      const query = {
        previous: false,
        follow: options.follow,
        sinceTime: position?.at ?? options.sinceTime,
        tail: position ? undefined : from,
      }
      const wasOpened = await read(query, run)
      if (signal.aborted || (!options.follow && wasOpened)) return
      from = wasOpened ? undefined : from
      // The log ends a moment before the pod says that its container has. Opened again too early, it would be the next run's.
      const backoff = Math.min(retryMaxMs, retryMinMs * 2 ** Math.max(0, failures - 1))
      const delay = failures > 0 ? backoff : statusDelayMs
      const isOver = () => {
        const runs = runsOf(status)
        return goneAt !== undefined || (runs.latest ?? restart) > restart || runs.ended !== undefined
      }
      if (!isOver()) await changed(delay)
      if (signal.aborted || !options.follow) return
      if (isOver()) {
        if (failures > 0) await readRest(restart, run)
        return
      }
    }
  }

  /** The rest of a run that has ended, as long as the cluster keeps it. */
  async function readRest(restart: number, run: RunReading): Promise<void> {
    const latest = runsOf(status).latest ?? restart
    const at = run.tracker.position()?.at
    if (goneAt !== undefined || latest > restart + 1) {
      if (goneAt === undefined) emit({ event: 'lost', at: lastAt || now(), restart })
      return
    }
    await read({ previous: latest > restart, follow: false, sinceTime: at ?? options.sinceTime }, run)
  }

  const now = () => utcNanoseconds(clock.now().toISOString()) ?? ''

  async function readPrevious(): Promise<void> {
    const { latest, before } = runsOf(status)
    if (latest === undefined || latest === 0 || !before) return
    await read(
      { previous: true, follow: false, sinceTime: options.sinceTime, tail: options.tail },
      { tracker: createLogTracker() },
    )
    emitEnd(latest - 1, before)
  }

  /** Resumes: what the runs had to say that went on while nobody read. Answers the run that is read next. */
  async function readMissed(position: ContainerPosition, reading: RunReading): Promise<number> {
    lastAt = position.at
    const { latest = position.restart } = runsOf(status)
    if (latest > position.restart) {
      await readRest(position.restart, reading)
      if (latest === position.restart + 1) emitEnd(position.restart, runsOf(status).before)
      return position.restart + 1
    }
    await followRun(position.restart, reading, undefined)
    return position.restart + 1
  }

  async function followRun(restart: number, reading: RunReading, tail: number | undefined): Promise<void> {
    await readRun(restart, reading, tail)
    if (signal.aborted) return
    const { latest, ended, before } = runsOf(status)
    if (latest === restart) emitEnd(restart, ended)
    else if (latest === restart + 1) emitEnd(restart, before)
  }

  async function run(): Promise<void> {
    const { position } = options
    if (options.previous === 'only') {
      const { latest, before, ended } = runsOf(status)
      // Between two runs it is the latest that has ended.
      if (latest !== undefined && (before ?? ended)) {
        const opened = await read(
          { previous: true, follow: false, sinceTime: options.sinceTime, tail: options.tail },
          { tracker: createLogTracker() },
        )
        if (opened) emitEnd(before ? latest - 1 : latest, before ?? ended)
      }
      return
    }
    // One for all runs: should a line of the next run be read with the one before, it is not shown twice.
    const reading: RunReading = { tracker: createLogTracker(position) }
    let next = 0
    if (position) next = await readMissed(position, reading)
    else if (options.previous === 'too') await readPrevious()
    let tail = position ? undefined : options.tail
    while (!signal.aborted && goneAt === undefined) {
      const { latest, startedAt } = runsOf(status)
      if (latest === undefined || latest < next) {
        if (!options.follow) return
        await changed(60_000)
        continue
      }
      emitStart(latest, startedAt)
      await followRun(latest, reading, tail)
      if (!options.follow) return
      next = latest + 1
      tail = undefined
    }
    if (goneAt !== undefined && !signal.aborted)
      emit({ event: 'pod_deleted', at: goneAt, restart: Math.max(0, next - 1) })
  }

  return {
    update(next) {
      status = next
      wake()
    },
    gone(at) {
      goneAt = at
      wake()
    },
    done: run().finally(() => channel.end()),
  }
}

function endOf({ reason, exitCode, signal, startedAt, finishedAt }: Terminated): Partial<LogEventRecord> {
  const ranMs = Date.parse(finishedAt ?? '') - Date.parse(startedAt ?? '')
  return {
    ...(reason && { reason }),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal && { signal }),
    ...(ranMs >= 0 && { ranMs }),
  }
}
