import type { LogRecord } from '@bey/contract'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LogConnection, LogQuery } from '../../../data/log-stream.ts'
import { followLogs } from '../../../data/log-stream.ts'
import type { LogSnapshot, LogStore } from './log-store.ts'
import { createLogStore } from './log-store.ts'

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

/** Hands records on once a frame; in a tab that is not seen, which has no frames, four times a second. */
function perFrame(handOn: (records: LogRecord[]) => void) {
  let waiting: LogRecord[] = []
  let cancel: (() => void) | undefined
  const flush = () => {
    cancel?.()
    cancel = undefined
    if (waiting.length === 0) return
    const records = waiting
    waiting = []
    handOn(records)
  }
  return {
    add(records: LogRecord[]) {
      for (const record of records) waiting.push(record)
      if (cancel) return
      if (document.hidden) {
        const timer = setTimeout(flush, 250)
        cancel = () => clearTimeout(timer)
      } else {
        const frame = requestAnimationFrame(flush)
        cancel = () => cancelAnimationFrame(frame)
      }
    },
    flush,
    stop() {
      cancel?.()
      cancel = undefined
      waiting = []
    },
  }
}
