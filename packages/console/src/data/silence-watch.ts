/** A live connection that is silent for so long is tried, touched or not: the page says what it shows is live. */
const silenceMs = 4_000
const lookEveryMs = 500
/** An answer takes milliseconds; where it takes longer, the server is asked by other means as well. */
const promptMs = 500

export interface SilenceWatchPorts {
  now: () => number
  /** Whether the page is on screen. */
  isVisible: () => boolean
  /** When the live connection was heard last, in milliseconds since 1970; undefined while there is none. */
  heardAt: () => number | undefined
  /** Asks over the live connection. Settles once it is answered or given up; it is ended then. */
  ping: () => Promise<unknown>
  /** No answer came soon to what was asked after `heardAt`. */
  onDoubt: (heardAt: number) => void
}

/** Finds out within ten seconds that a live connection which nothing closed is heard no more. Runs as long as the page. */
export function watchSilence({ now, isVisible, heardAt, ping, onDoubt }: SilenceWatchPorts): void {
  let isAsking = false

  async function ask(lastAt: number): Promise<void> {
    isAsking = true
    const timer = setTimeout(() => onDoubt(lastAt), promptMs)
    // A ping without an answer ends the connection, which is heard by its state.
    await ping().catch(() => undefined)
    clearTimeout(timer)
    isAsking = false
  }

  setInterval(() => {
    const lastAt = heardAt()
    if (isAsking || lastAt === undefined || !isVisible()) return
    if (now() - lastAt >= silenceMs) void ask(lastAt)
  }, lookEveryMs)
}
