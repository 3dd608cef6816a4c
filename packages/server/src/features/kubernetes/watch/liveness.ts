import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from './kube-client.ts'
import type { ClusterIdentity, ProbeResult } from './probe-cluster.ts'
import { failedProbe, isBefore, probeCluster, probePeriodMs } from './probe-cluster.ts'

/** While it does not answer: it is live again on every screen within 10 s of its return. */
const retryPeriodMs = 2_000
/** An API server that restarts refuses connections for a moment: that is no news before this time. */
const toleranceMs = 3_000
const toleratedRetryMs = 1_000

/** A cluster does not answer: since when, which is when it answered last, and why, in words. */
export type Silence = { since: Date; reason: string }

/** Whether a cluster answers: the one source for all that is kept and shown of it. */
export type Liveness = {
  /** Undefined while it answers, and until it has been asked for the first time. */
  silence(): Silence | undefined
  /** When it answered last; undefined while it never did. */
  lastAnswerAt(): Date | undefined
  /** Asks now, because something suggests that it does not answer. Resolves with whether it did, false once stopped. */
  check(): Promise<boolean>
  /** Resolves at once while it answers, else as soon as it does again, or when `signal` is aborted. */
  answering(signal: AbortSignal): Promise<void>
  /** Aborted when the cluster stops answering or turns out to be another one; a new signal from then on. */
  period(): AbortSignal
  /** Grows when the cluster was restored or replaced: what was read before belongs to another state of it. */
  generation(): number
  /** What was read of it says that it was restored or replaced: its versions went back. */
  wentBack(): void
  stop(): void
}

export type LivenessOptions = {
  client: Pick<KubeClient, 'get'>
  connect: () => Promise<ClusterConnection>
  clock: Clock
  /** It stopped answering, or answers again, or was asked for the first time. */
  onMove: (silence: Silence | undefined, isFirst: boolean) => void
  /** What it says it is, for the first time and whenever that changes. `isReplaced`: it is not the one that it was. */
  onIdentity: (uid: string | null, isReplaced: boolean) => void
  /** There is no such cluster any more. */
  onGone: () => void
}

type Failure = Extract<ProbeResult, { answers: false }>

/**
 * Asks a cluster with one small request every 8 s whether it answers and which cluster it is. A request that is not
 * answered in 5 s, or 3 s of failing ones, mean that it does not.
 */
export function startLiveness(options: LivenessOptions): Liveness {
  const { client, clock } = options
  const stopped = new AbortController()
  let connection: ClusterConnection | undefined
  let period = new AbortController()
  let generation = 0
  let silence: Silence | undefined
  let lastAnswerAt: Date | undefined
  let failingSince: { at: Date; ms: number } | undefined
  let identity: ClusterIdentity | undefined
  let isKnown = false
  let isAsking = false
  let cancelNext = () => undefined as void
  const waiting: (() => void)[] = []
  /** Who wants to know what the next request says. */
  let asking: ((answers: boolean) => void)[] = []

  async function ask(): Promise<void> {
    cancelNext()
    if (isAsking) return
    isAsking = true
    const asked = asking
    asking = []
    const askedAt = clock.now()
    const result = await probe()
    isAsking = false
    if (!stopped.signal.aborted && result !== 'unknown') {
      if (result.answers) answered(askedAt, result.identity)
      else failed(result)
    }
    for (const say of asked) say(result !== 'unknown' && result.answers)
    if (stopped.signal.aborted) return endWaiting()
    if (asking.length > 0) void ask()
    else next(delayAfter(result))
  }

  /** `unknown`: it could not be asked for a reason of our own, such as a database that is away. */
  async function probe(): Promise<ProbeResult | 'unknown'> {
    let target: ClusterConnection
    try {
      target = connection ?? (await options.connect())
    } catch (error) {
      return isOfCluster(error) ? failedProbe(error) : 'unknown'
    }
    const result = await probeCluster(client, target, stopped.signal)
    // A cluster that was started again may be elsewhere.
    connection = result.answers ? target : undefined
    return result
  }

  function delayAfter(result: ProbeResult | 'unknown'): number {
    if (result === 'unknown') return retryPeriodMs
    if (result.answers) return probePeriodMs
    return silence ? retryPeriodMs : toleratedRetryMs
  }

  function next(delayMs: number): void {
    cancelNext()
    cancelNext = clock.setTimeout(() => void ask(), delayMs)
  }

  function answered(at: Date, found: ClusterIdentity | undefined): void {
    lastAnswerAt = at
    failingSince = undefined
    if (found) identify(found)
    const isNews = !isKnown || silence !== undefined
    const isFirst = !isKnown
    isKnown = true
    silence = undefined
    if (isNews) options.onMove(undefined, isFirst)
    for (const release of waiting.splice(0)) release()
  }

  function identify(found: ClusterIdentity): void {
    const before = identity
    identity = found
    if (!before) return options.onIdentity(found.uid, false)
    const isOther = before.uid !== null && before.uid !== found.uid
    if (isOther || isBefore(found.version, before.version)) replaced(found.uid)
    else if (before.uid !== found.uid) options.onIdentity(found.uid, false)
  }

  function replaced(uid: string | null): void {
    generation += 1
    endPeriod()
    options.onIdentity(uid, true)
  }

  function endPeriod(): void {
    const over = period
    period = new AbortController()
    over.abort()
  }

  function failed({ reason, isGone, isSilent }: Failure): void {
    if (isGone) return options.onGone()
    failingSince ??= { at: clock.now(), ms: clock.monotonicMs() }
    if (silence) {
      // The next attempt may say more than the connection that broke.
      if (silence.reason === reason) return
      silence = { ...silence, reason }
      return options.onMove(silence, false)
    }
    if (!isSilent && clock.monotonicMs() - failingSince.ms < toleranceMs) return
    const isFirst = !isKnown
    isKnown = true
    silence = { since: lastAnswerAt ?? failingSince.at, reason }
    endPeriod()
    options.onMove(silence, isFirst)
  }

  function endWaiting(): void {
    for (const say of asking.splice(0)) say(false)
    for (const release of waiting.splice(0)) release()
  }

  void ask()
  return {
    silence: () => silence,
    lastAnswerAt: () => lastAnswerAt,
    check() {
      if (stopped.signal.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        asking.push(resolve)
        void ask()
      })
    },
    answering(signal) {
      if (!silence || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
    period: () => period.signal,
    generation: () => generation,
    wentBack() {
      // The next probe shall not find it a second time.
      if (identity) identity = { ...identity, version: '' }
      replaced(identity?.uid ?? null)
    },
    stop() {
      stopped.abort()
      cancelNext()
      endWaiting()
    },
  }
}

/** Whether an error says something of the cluster, and not of a database of our own that is away. */
function isOfCluster(error: unknown): boolean {
  return error instanceof AppError && error.code !== 'unavailable' && error.code !== 'internal'
}
