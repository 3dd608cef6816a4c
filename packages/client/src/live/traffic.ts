import type { Clock } from '../clock.ts'

/** One message of the connection, as the status dialog lists it. Tokens are left out. */
export type LoggedMessage = {
  id: number
  type: 'sent' | 'received'
  /** RFC 3339. */
  timestamp: string
  data: unknown
}

/** The newest `kept` messages, oldest first. */
export type Traffic = {
  add: (type: LoggedMessage['type'], data: unknown) => void
  list: () => readonly LoggedMessage[]
  clear: () => void
}

export function createTraffic(clock: Clock, kept: number): Traffic {
  let messages: LoggedMessage[] = []
  let listed: readonly LoggedMessage[] | undefined
  let count = 0
  return {
    add(type, data) {
      count += 1
      messages.push({ id: count, type, timestamp: new Date(clock.now()).toISOString(), data })
      // Trimmed now and then, so that a storm of messages does not copy the list for each.
      if (messages.length >= kept * 2) messages = messages.slice(-kept)
      listed = undefined
    },
    list: () => (listed ??= messages.slice(-kept)),
    clear() {
      messages = []
      listed = undefined
    },
  }
}
