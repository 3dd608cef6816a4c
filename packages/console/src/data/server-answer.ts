/** A call that takes longer than this makes the console look whether the server is there. */
const slowMs = 5_000
/** While the live connection is gone the server is asked so often whether it answers. */
const probeEveryMs = 2_500
const probeTimeoutMs = 5_000
/** A page in the background asks less often. */
const hiddenProbeEveryMs = 10_000

export interface ServerAnswerPorts {
  now: () => number
  /** Whether the page is on screen. */
  isVisible: () => boolean
  /** Asks the server for the least that it can answer; rejects where it does not. */
  probe: (signal: AbortSignal) => Promise<unknown>
  /** Looks at once whether the live connection is there, and connects where it waits to. */
  checkLive: () => void
  /** Called with when the server last answered, while it does not; with undefined once it does. */
  onChange: (since: number | undefined) => void
}

export interface ServerAnswer {
  /** When the server last answered, in milliseconds since 1970, while it does not; else undefined. */
  since: () => number | undefined
  subscribe: (listener: () => void) => () => void
  /** The live connection: what was heard last on it counts as an answer. */
  setLive: (isLive: boolean, lastHeardAt: number) => void
  /** A call was sent: returns what to call with whether it was answered, undefined where it was given up. */
  callSent: () => (isAnswered: boolean | undefined) => void
  /** The live connection was heard last then, and does not answer as soon as it should: asks otherwise. */
  doubt: (lastHeardAt: number) => void
  /** Asks now. Resolves once it is answered or not. */
  ask: () => Promise<void>
}

/** Knows whether the server answers, by whatever means the page talks to it. */
export function createServerAnswer(ports: ServerAnswerPorts): ServerAnswer {
  const { now, onChange } = ports
  const listeners = new Set<() => void>()
  let answeredAt = now()
  let since: number | undefined
  let isLive = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: Promise<void> | undefined

  function change(next: number | undefined): void {
    if (since === next) return
    since = next
    onChange(next)
    for (const listener of listeners) listener()
  }

  function answered(at = now()): void {
    answeredAt = Math.max(answeredAt, at)
    change(undefined)
  }

  function unanswered(): void {
    change(since ?? answeredAt)
  }

  function ask(): Promise<void> {
    asking ??= askOnce().finally(() => (asking = undefined))
    return asking
  }

  async function askOnce(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const controller = new AbortController()
    const giveUp = setTimeout(() => controller.abort(), probeTimeoutMs)
    try {
      await ports.probe(controller.signal)
      answered()
    } catch {
      // Why it does not answer is said where it is asked for something; here only whether it does.
      unanswered()
    } finally {
      clearTimeout(giveUp)
    }
    if (since === undefined && !isLive) ports.checkLive()
    askLater()
  }

  function askLater(): void {
    if ((isLive && since === undefined) || timer !== undefined) return
    timer = setTimeout(() => void ask(), ports.isVisible() ? probeEveryMs : hiddenProbeEveryMs)
  }

  return {
    since: () => since,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setLive(next, lastHeardAt) {
      if (isLive === next) return
      isLive = next
      if (isLive) {
        clearTimeout(timer)
        timer = undefined
        answered()
        return
      }
      answeredAt = Math.max(answeredAt, lastHeardAt)
      void ask()
    },
    callSent() {
      const slow = setTimeout(ports.checkLive, slowMs)
      return (isAnswered) => {
        clearTimeout(slow)
        if (isAnswered) answered()
        else if (isAnswered === false) ports.checkLive()
      }
    },
    doubt(lastHeardAt) {
      answeredAt = Math.max(answeredAt, lastHeardAt)
      void ask()
    },
    ask,
  }
}
