import type { Clock } from '../clock.ts'

/** The server's end of a socket. */
export type Transport = {
  send: (text: string) => void
  /** Sends bytes that are a frame already, with whatever else is written in this tick. */
  write: (frame: Uint8Array) => void
  /** Bytes that were sent and have not left yet. */
  bufferedBytes: () => number
  close: (code: number, reason: string) => void
  terminate: () => void
}

export const outboxLimits = {
  /** Beyond this many bytes that have not left, events are skipped. */
  maxBufferedBytes: 256 * 1024,
  /** Below this many the connection has caught up. */
  caughtUpBytes: 16 * 1024,
  checkPeriodMs: 100,
  /** Somebody so far behind for so long is disconnected and may come again. */
  maxBehindMs: 30_000,
} as const

export type Outbox = {
  /** Sends the frame of an event, or skips it while the connection is behind. */
  event: (frame: Uint8Array) => void
  /** Sends an answer, which cannot be made up for by fetching. */
  answer: (frame: object) => void
  stop: () => void
}

/**
 * What goes to one socket. A slow one holds a bounded amount of memory: while it is behind it misses events, and once
 * it has caught up it gets one instruction to refetch.
 */
export function createOutbox(transport: Transport, clock: Clock): Outbox {
  let cancelCheck: (() => void) | undefined
  let behindForMs = 0

  function check(): void {
    behindForMs += outboxLimits.checkPeriodMs
    if (transport.bufferedBytes() <= outboxLimits.caughtUpBytes) {
      stop()
      transport.send(JSON.stringify({ type: 'REFETCH', payload: { reason: 'The connection was too slow' } }))
    } else if (behindForMs >= outboxLimits.maxBehindMs) {
      stop()
      transport.terminate()
    }
  }

  function stop(): void {
    cancelCheck?.()
    cancelCheck = undefined
    behindForMs = 0
  }

  return {
    event(frame) {
      if (cancelCheck) return
      if (transport.bufferedBytes() <= outboxLimits.maxBufferedBytes) transport.write(frame)
      else cancelCheck = clock.setInterval(check, outboxLimits.checkPeriodMs)
    },
    answer(frame) {
      // Whoever asks and asks and never reads.
      if (transport.bufferedBytes() > 2 * outboxLimits.maxBufferedBytes) transport.terminate()
      else transport.send(JSON.stringify(frame))
    },
    stop,
  }
}
