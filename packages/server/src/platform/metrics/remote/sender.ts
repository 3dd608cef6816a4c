import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'

/** Answers the status of the store; throws where it does not answer. */
export type Post = (body: Buffer) => Promise<{ status: number; text: string }>

/** What waits while the store is away; the oldest is dropped beyond this. */
const maxWaitingBytes = 64 * 1024 * 1024
const retryMs = 15_000

/**
 * Sends bodies one after another, in order: stores refuse a sample that is older than the last of its series. What the
 * store does not take because it is away waits for the next round; what it refuses is dropped, counted and logged.
 */
export function createSender({ post, clock, log }: { post: Post; clock: Clock; log: Log }) {
  const waiting: { body: Buffer; sampleCount: number }[] = []
  let waitingBytes = 0
  let working: Promise<void> | undefined
  let isAway = false

  async function sendAll(): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const isSent = await send(next)
      if (!isSent) return
      // What was too old may have been dropped meanwhile.
      if (waiting[0] === next) drop()
    }
  }

  /** Whether the store answered for good, be it that it refused. */
  async function send({ body, sampleCount }: { body: Buffer; sampleCount: number }): Promise<boolean> {
    let sentence: string
    try {
      const { status, text } = await post(body)
      if (status < 300) {
        if (isAway) log.info({}, 'The store of metrics takes samples again')
        isAway = false
        return true
      }
      if (status < 500 && status !== 429) {
        log.warn({ status, sampleCount, said: text.slice(0, 300) }, 'The store of metrics refused samples')
        return true
      }
      sentence = `status ${status}`
    } catch (error) {
      sentence = error instanceof Error ? error.message : 'no answer'
    }
    if (!isAway) log.warn({ reason: sentence }, 'The store of metrics takes no samples; they wait in memory')
    isAway = true
    return false
  }

  function drop(): void {
    waitingBytes -= waiting.shift()?.body.length ?? 0
  }

  function flush(): Promise<void> {
    working ??= sendAll().finally(() => (working = undefined))
    return working
  }

  const cancel = clock.setInterval(() => void flush(), retryMs)

  return {
    /** Resolves once everything was sent; at once while the store is away. */
    async add(body: Buffer, sampleCount: number): Promise<void> {
      waiting.push({ body, sampleCount })
      waitingBytes += body.length
      let dropped = 0
      while (waitingBytes > maxWaitingBytes && waiting.length > 1) {
        dropped += waiting[0]?.sampleCount ?? 0
        drop()
      }
      if (dropped > 0)
        log.warn({ dropped }, 'Samples were dropped: the store of metrics is away for too long')
      if (!isAway) await flush()
    },
    /** Tries once more to send what waits. */
    async stop(): Promise<void> {
      cancel()
      await flush()
      const lost = waiting.reduce((sum, { sampleCount }) => sum + sampleCount, 0)
      if (lost > 0) log.warn({ lost }, 'Samples are lost that the store of metrics did not take')
    },
  }
}
