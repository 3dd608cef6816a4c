import type { CallInput } from '@bey/contract'
import type { ToastMessage } from '../../ui/toast.ts'

export type RecordedToast = CallInput<'notifications.record'>['body']['notifications'][number]

/** The user and organization for whom a toast was shown. */
export interface Reader {
  userId: number
  organizationId: number
}

/** What the recorder needs of the outside world. */
export interface RecorderPorts {
  /** Who is signed in, and where; undefined while nobody is. */
  reader: () => Reader | undefined
  /** Whether somebody can see what a toast says now. */
  isSeen: () => boolean
  /** Path of the page on screen. */
  place: () => string
  send: (organizationId: number, notifications: RecordedToast[]) => Promise<unknown>
  markRead: (organizationId: number, id: string) => Promise<unknown>
  /** Whether asking again may help. */
  isTransient: (error: unknown) => boolean
  newId: () => string
  /** Calls back once after `delayMs`. */
  schedule: (callback: () => void, delayMs: number) => void
  warn: (message: string, error?: unknown) => void
}

export interface Recorder {
  said: (message: ToastMessage) => void
  closed: (message: ToastMessage) => void
  /** Sends at once what waits: the page is about to go. */
  flush: () => Promise<void>
}

/** Toasts that come within this time travel together. */
const batchDelayMs = 300
/** Few enough to stay under what browsers let a request carry that outlives its page. */
const batchSize = 10
const maxWaiting = 100
/** Toasts older than this when recording starts belonged to another session. */
const oldestMs = 10_000
const retryDelaysMs = [2_000, 5_000, 10_000, 30_000, 60_000]

interface Entry {
  reader: Reader
  note: RecordedToast
}

/** Writes what toasts say to the server, in batches. It never says anything itself: a toast about a toast would not end. */
export function createRecorder(ports: RecorderPorts): Recorder {
  let waiting: Entry[] = []
  const ids = new WeakMap<ToastMessage, Entry>()
  let isScheduled = false
  let sending: Promise<void> | undefined
  let failures = 0

  function later(delayMs: number): void {
    if (isScheduled) return
    isScheduled = true
    ports.schedule(() => {
      isScheduled = false
      void flush()
    }, delayMs)
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      const now = ports.reader()
      waiting = waiting.filter(({ reader }) => reader.userId === now?.userId)
      const organizationId = waiting[0]?.reader.organizationId
      if (organizationId === undefined) return
      const batch = waiting
        .filter(({ reader }) => reader.organizationId === organizationId)
        .slice(0, batchSize)
      try {
        await ports.send(
          organizationId,
          batch.map(({ note }) => note),
        )
      } catch (error) {
        const delayMs = ports.isTransient(error) ? retryDelaysMs[failures] : undefined
        if (delayMs !== undefined) {
          failures += 1
          return later(delayMs)
        }
        ports.warn('What toasts said could not be kept', error)
      }
      failures = 0
      waiting = waiting.filter((entry) => !batch.includes(entry))
    }
  }

  return {
    said(message) {
      const reader = ports.reader()
      if (!reader || Date.now() - message.at.getTime() > oldestMs) return
      const entry = { reader, note: recordedToast(message, ports) }
      ids.set(message, entry)
      waiting.push(entry)
      if (waiting.length > maxWaiting) waiting.shift()
      later(batchDelayMs)
    },
    closed(message) {
      const entry = ids.get(message)
      if (!entry) return
      const { reader, note } = entry
      note.isRead = true
      if (waiting.includes(entry) && !sending) return
      // It may be on its way as unread: the server is asked once that has arrived.
      void (sending ?? Promise.resolve())
        .then(() => (waiting.includes(entry) ? undefined : ports.markRead(reader.organizationId, note.id)))
        .catch((error: unknown) => ports.warn('A closed toast could not be marked as read', error))
    },
    flush,
  }
}

// Bounds of the contract; a longer text is cut rather than refused.
function recordedToast(message: ToastMessage, ports: RecorderPorts): RecordedToast {
  const { type, text, description, requestId, href, at } = message
  return {
    id: ports.newId(),
    level: type,
    title: cut(text, 200),
    href: href ?? ports.place(),
    at: at.toISOString(),
    ...(description ? { detail: cut(description, 1_000) } : {}),
    ...(requestId ? { requestId: requestId.slice(0, 100) } : {}),
    // The toast itself was read: the badge counts only what happened elsewhere or behind another tab.
    ...(ports.isSeen() ? { isRead: true } : {}),
  }
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}
