import { ApiError } from '@bey/client'
import type { CallInput, ContainerPosition, LogRecord, LogSourceRecord, LogTracker } from '@bey/contract'
import { createLogTracker, logSilenceMs } from '@bey/contract'
import { api } from '../lib/api.ts'

export type LogQuery = Omit<NonNullable<CallInput<'kubernetes.logs'>['body']>, 'positions'>

export type LogConnection =
  | { status: 'connecting' }
  | { status: 'live' }
  /** Everything was read, and nothing more will come. */
  | { status: 'ended' }
  | { status: 'lost'; error: unknown }
  /** Asking again would not help. */
  | { status: 'refused'; error: unknown }

export interface LogHandlers {
  /** In order. Sources keep their numbers over reconnects. */
  onRecords: (records: LogRecord[]) => void
  onConnection: (connection: LogConnection) => void
}

const backoffMinMs = 1_000
const backoffMaxMs = 30_000

/**
 * Follows the logs of an object until stopped, reconnecting for as long as it takes: the server learns how far each
 * container was read, so that no line comes twice and none is missing.
 */
export function followLogs(clusterId: number, query: LogQuery, handlers: LogHandlers): () => void {
  const stopped = new AbortController()
  const reading = createReading()
  let failures = 0
  /** When the first connection began, by the server's clock. */
  let beganAt: string | undefined

  async function connect(): Promise<'again' | 'over'> {
    const broken = new AbortController()
    const signal = AbortSignal.any([stopped.signal, broken.signal])
    const positions = reading.positions()
    const body = positions.length > 0 ? { ...resumed(query, beganAt), positions } : query
    const response = await api.stream('kubernetes.logs', { params: { id: clusterId }, body }, { signal })
    handlers.onConnection({ status: 'live' })
    failures = 0
    let timer = setTimeout(() => broken.abort(), logSilenceMs)
    try {
      for await (const records of recordsOf(response)) {
        clearTimeout(timer)
        timer = setTimeout(() => broken.abort(), logSilenceMs)
        const [first] = records
        if (first?.type === 'begin') beganAt ??= first.at
        handlers.onRecords(reading.take(records))
        if (records.at(-1)?.type === 'end') return 'over'
      }
    } finally {
      clearTimeout(timer)
    }
    return 'again'
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      let error: unknown
      try {
        if ((await connect()) === 'over') return handlers.onConnection({ status: 'ended' })
      } catch (caught) {
        error = caught
      }
      if (stopped.signal.aborted) return
      if (isRefusal(error)) return handlers.onConnection({ status: 'refused', error })
      handlers.onConnection({ status: 'lost', error })
      failures += 1
      const delayMs = Math.min(backoffMaxMs, backoffMinMs * 2 ** (failures - 1))
      await pause(delayMs * (0.75 + Math.random() / 2), stopped.signal)
    }
  }

  handlers.onConnection({ status: 'connecting' })
  void run()
  return () => stopped.abort()
}

/** The last lines were asked for once. The period that was asked for began where it began the first time. */
function resumed({ tail: _tail, sinceSeconds, ...query }: LogQuery, beganAt: string | undefined): LogQuery {
  if (sinceSeconds === undefined) return query
  if (beganAt === undefined) return { ...query, sinceSeconds }
  return { ...query, sinceTime: new Date(Date.parse(beganAt) - sinceSeconds * 1000).toISOString() }
}

/** Where each container was read to, and the numbers by which its source is known here. */
function createReading() {
  const trackers = new Map<string, { source: LogSourceRecord; tracker: LogTracker; isGone: boolean }>()
  const keys = new Map<number, string>()
  const seenEvents = new Set<string>()
  let count = 0

  function take(records: readonly LogRecord[]): LogRecord[] {
    const taken: LogRecord[] = []
    for (const record of records) {
      if (record.type === 'source') takeSource(record, taken)
      else if (record.type === 'lines') {
        const lines = record.lines.flatMap(([source, at, text]): [number, string, string][] => {
          const known = trackers.get(keys.get(source) ?? '')
          return known?.tracker.take(at, text) ? [[known.source.source, at, text]] : []
        })
        if (lines.length > 0) taken.push({ type: 'lines', lines })
      } else if (record.type === 'event') {
        const known = trackers.get(keys.get(record.source) ?? '')
        const event = `${known?.source.source} ${record.event} ${record.restart}`
        // A reconnect between the end of one run and the start of the next tells the end again.
        if (!known || seenEvents.has(event)) continue
        seenEvents.add(event)
        if (record.event === 'started') known.source = { ...known.source, restart: record.restart }
        if (record.event === 'pod_deleted') known.isGone = true
        taken.push({ ...record, source: known.source.source })
      } else if (record.type === 'problem' && record.source !== undefined) {
        const known = trackers.get(keys.get(record.source) ?? '')
        taken.push({ ...record, ...(known && { source: known.source.source }) })
      } else {
        // Numbers of sources belong to one connection.
        if (record.type === 'begin') keys.clear()
        taken.push(record)
      }
    }
    return taken
  }

  function takeSource(record: LogSourceRecord, taken: LogRecord[]): void {
    const key = `${record.podUid}/${record.container}`
    keys.set(record.source, key)
    if (trackers.has(key)) return
    const source = { ...record, source: (count += 1) }
    trackers.set(key, { source, tracker: createLogTracker(), isGone: false })
    taken.push(source)
  }

  function positions(): ContainerPosition[] {
    const living = [...trackers.values()].filter(({ isGone }) => !isGone)
    // Together they must stay well below the bound of a request.
    const share = Math.max(50, Math.floor(20_000 / Math.max(1, living.length)))
    return living.flatMap(({ source: { podUid, container, restart }, tracker }) => {
      const position = tracker.position(share)
      return position ? [{ podUid, container, restart, ...position }] : []
    })
  }

  return { take, positions }
}

/** The records of a stream, as many at a time as arrived together. */
async function* recordsOf(response: Response): AsyncGenerator<LogRecord[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n')
    rest = parts.pop() ?? ''
    // What the server wrote by the same contract.
    const records = parts.filter(Boolean).map((part) => JSON.parse(part) as LogRecord)
    if (records.length > 0) yield records
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
