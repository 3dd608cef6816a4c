import type { LogRecord } from '@bey/contract'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LogConnection, LogQuery } from '../../../data/log-stream.ts'
import { followLogs } from '../../../data/log-stream.ts'
import type { LogSnapshot, LogStore } from '../../../entities/kubernetes/logs/log-store.ts'
import { createLogStore } from '../../../entities/kubernetes/logs/log-store.ts'

export interface LogStream {
  store: LogStore
  connection: LogConnection
  /** When the connection was lost and found again last. */
  reconnectedAt: Date | undefined
  retry: () => void
}

/** Follows a log while the page is open. Another query begins anew. `key` is the query as text. */
export function useLogStream(clusterId: number, query: LogQuery, key: string): LogStream {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState(() => ({ key: '', store: createLogStore() }))
  const [connection, setConnection] = useState<LogConnection>({ status: 'connecting' })
  const [reconnectedAt, setReconnectedAt] = useState<Date>()
  const wanted = `${clusterId} ${key} ${attempt}`
  if (state.key !== wanted) {
    setState({ key: wanted, store: createLogStore() })
    setConnection({ status: 'connecting' })
    setReconnectedAt(undefined)
  }
  const { store } = state
  useEffect(() => {
    const batch = perFrame((records) => store.append(records))
    let wasLost = false
    const stop = followLogs(clusterId, JSON.parse(key) as LogQuery, {
      onRecords: batch.add,
      onConnection(next) {
        setConnection(next)
        if (next.status === 'lost' && !wasLost) {
          wasLost = true
          batch.flush()
          store.disconnected(new Date().toISOString())
        }
        if (next.status === 'live' && wasLost) {
          wasLost = false
          setReconnectedAt(new Date())
        }
      },
    })
    return () => {
      stop()
      batch.stop()
    }
  }, [clusterId, key, store])
  return { store, connection, reconnectedAt, retry: () => setAttempt((last) => last + 1) }
}

export function useLogSnapshot(store: LogStore): LogSnapshot {
  return useSyncExternalStore(store.subscribe, store.snapshot)
}

/** What one frame may spend on records; a long log is taken in over several. */
const budgetMs = 8

/** Hands records on once a frame; in a tab that is not seen, which has no frames, four times a second. */
function perFrame(handOn: (records: LogRecord[]) => void) {
  let waiting: LogRecord[] = []
  let cancel: (() => void) | undefined
  let isFrame = false
  const flush = () => {
    cancel?.()
    cancel = undefined
    const records = waiting
    waiting = []
    handOn(records)
  }
  const takeTurn = () => {
    cancel = undefined
    const endsAt = performance.now() + budgetMs
    let taken = 0
    while (taken < waiting.length && performance.now() < endsAt) {
      handOn(waiting.slice(taken, taken + 1))
      taken += 1
    }
    waiting = waiting.slice(taken)
    if (waiting.length > 0) schedule()
  }
  const schedule = () => {
    // A frame that was asked for before the tab was hidden comes only when it is seen again.
    const isFrozen = isFrame && document.hidden
    if (cancel && !isFrozen) return
    cancel?.()
    isFrame = !document.hidden
    if (document.hidden) {
      const timer = setTimeout(flush, 250)
      cancel = () => clearTimeout(timer)
    } else {
      const frame = requestAnimationFrame(takeTurn)
      cancel = () => cancelAnimationFrame(frame)
    }
  }
  return {
    add(records: LogRecord[]) {
      for (const record of records) waiting.push(record)
      schedule()
    },
    flush,
    stop() {
      cancel?.()
      cancel = undefined
      waiting = []
    },
  }
}
