import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { BadAnswer } from '../connection/bad-answer.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from './kube-client.ts'
import { KubeError, listPath, reasonOf, SilentWatch, versionPath, watchPath } from './kube-client.ts'
import type { KubeObject } from './kube-types.ts'
import type { ListFormat } from './list-format.ts'
import type { Liveness } from './liveness.ts'
import { isBefore } from './probe-cluster.ts'

export type ReflectorOptions<T> = {
  /** Path of the kind over all namespaces. */
  path: string
  format: ListFormat
  /** Whether its versions are those of the whole cluster, and not of a server behind it. */
  isOfCluster?: boolean | undefined
  client: KubeClient
  /** Asked before each attempt: a cluster that was started again may be elsewhere. */
  connect: () => Promise<ClusterConnection>
  /** Whether the cluster answers; while it does not, nothing is tried. Without it, the own attempts tell. */
  liveness?: Liveness | undefined
  clock: Clock
  random: () => number
  /** What is kept of a listed object. The objects are let go page by page: they take many times as much. */
  keep: (object: KubeObject) => T
  onList: (kept: T[]) => void
  /** Each page of a list that has more, long before the whole of it. */
  onPage?: ((kept: readonly T[], place: PagePlace) => void) | undefined
  onChange: (type: 'upsert' | 'remove', object: KubeObject) => void
  /** The rows are current and changes arrive. */
  onLive: () => void
  /** `reason` in words. */
  onLost: (reason: string, why: LossReason) => void
}

/**
 * `isGone`: there is no such cluster any more. `isRefused`: it forbids to read. `isMissing`: it answers, and does not serve
 * this kind.
 */
export type LossReason = { isGone: boolean; isRefused: boolean; isMissing: boolean }

/** Where a page is in its list. */
export type PagePlace = {
  isFirst: boolean
  /** Objects on later pages; undefined where the cluster does not say. */
  remaining: number | undefined
}

export type Reflector = {
  /** Tries at once if it is waiting to try again. */
  kick(): void
  stop(): void
}

const backoffMinMs = 1_000
const backoffMaxMs = 30_000
const justLost: LossReason = { isGone: false, isRefused: false, isMissing: false }
/**
 * After these a watch from the same version would fail again: the kind is gone, or the version is too old, or it is not
 * reached yet ("Too large resource version" is a time-out).
 */
const losesVersion: ReadonlySet<number> = new Set([400, 404, 410, 504])

/** Keeps up with one kind of one cluster: a list, then a watch from there; a list again when that has expired. */
export function startReflector<T>(options: ReflectorOptions<T>): Reflector {
  const { format, client, clock, liveness } = options
  const path = format.query ? `${options.path}?${format.query}` : options.path
  const stopped = new AbortController()
  let wake = () => undefined as void
  let failures = 0
  /** Up to which everything is known; undefined when a list is needed first. */
  let version: string | undefined
  let generation = liveness?.generation()

  async function list(signal: AbortSignal): Promise<string> {
    const connection = await options.connect()
    const kept: T[] = []
    let token: string | undefined
    let listVersion = ''
    do {
      const page = await onePage(connection, listPath(path, token), signal)
      const keptOfPage = page.objects.map(options.keep)
      for (const each of keptOfPage) kept.push(each)
      listVersion = page.resourceVersion
      const isFirst = token === undefined
      token = page.continueToken
      if (token && !signal.aborted) options.onPage?.(keptOfPage, { isFirst, remaining: page.remaining })
    } while (token)
    if (!signal.aborted) options.onList(kept)
    return listVersion
  }

  async function onePage(connection: ClusterConnection, pagePath: string, signal: AbortSignal) {
    const found = format.page(await client.get(connection, pagePath, signal, { accept: format.accept }))
    if (!found) throw new BadAnswer('its answer is no list of Kubernetes objects')
    return found
  }

  /** Whether the cluster is at an earlier version than before, as after a restore: a watch would wait for the later one. */
  async function isSetBack(known: string, signal: AbortSignal): Promise<boolean> {
    const connection = await options.connect()
    const { resourceVersion } = await onePage(connection, versionPath(path), signal)
    return isBefore(resourceVersion, known)
  }

  async function watch(from: string, signal: AbortSignal): Promise<void> {
    const connection = await options.connect()
    await client.watch(connection, watchPath(path, from), signal, {
      accept: format.accept,
      open: () => {
        failures = 0
        options.onLive()
      },
      event: ({ type, object }) => {
        if (signal.aborted || version === undefined) return
        if (type === 'ERROR') {
          version = undefined
          return
        }
        const event = format.event(object)
        version = event.resourceVersion ?? version
        if (type === 'BOOKMARK' || !event.object) return
        options.onChange(type === 'DELETED' ? 'remove' : 'upsert', event.object)
      },
    })
  }

  async function attempt(signal: AbortSignal): Promise<void> {
    if (version !== undefined && (await isSetBack(version, signal))) {
      version = undefined
      if (!signal.aborted && options.isOfCluster) liveness?.wentBack()
    }
    // Told to list anew, with all other kinds.
    if (signal.aborted) return
    version ??= await list(signal)
    await watch(version, signal)
  }

  async function run(): Promise<void> {
    for (;;) {
      const silence = liveness?.silence()
      if (silence) options.onLost(silence.reason, justLost)
      await liveness?.answering(stopped.signal)
      if (stopped.signal.aborted) return
      const period = liveness?.period()
      const signal = period ? AbortSignal.any([stopped.signal, period]) : stopped.signal
      if (generation !== liveness?.generation()) version = undefined
      generation = liveness?.generation()
      const beganAtMs = clock.monotonicMs()
      const isGoingOn = version !== undefined
      try {
        await attempt(signal)
        // A cluster that ends each watch at once must not keep both of us busy.
        if (clock.monotonicMs() - beganAtMs < backoffMinMs) await pause(backoffMinMs, signal)
      } catch (error) {
        if (stopped.signal.aborted) return
        if (period?.aborted) failures = 0
        else if (!(error instanceof SilentWatch)) {
          await failed(error, isGoingOn)
          await pause(
            Math.min(backoffMaxMs, backoffMinMs * 2 ** (failures - 1)) * (0.75 + options.random() / 2),
            signal,
          )
        }
      }
    }
  }

  async function failed(error: unknown, isGoingOn: boolean): Promise<void> {
    failures += 1
    const status = error instanceof KubeError ? error.status : undefined
    // What a watch could not take would come again; a list leaves it behind.
    if (error instanceof BadAnswer || (status !== undefined && losesVersion.has(status))) version = undefined
    const isExpired = status === 410 || (status === 504 && isGoingOn)
    if (isExpired) return
    const isMissing = status === 404 && (liveness === undefined || (await liveness.check()))
    if (stopped.signal.aborted) return
    options.onLost(reasonOf(error), { isGone: isGone(error), isRefused: isRefused(error), isMissing })
    if (status === undefined || status >= 500) void liveness?.check()
  }

  /** Ends early when `signal` is aborted, or when somebody asks. */
  function pause(delayMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = clock.setTimeout(resolve, delayMs)
      wake = () => {
        cancel()
        resolve()
      }
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  void run()
  return {
    kick() {
      if (liveness?.silence()) void liveness.check()
      wake()
    },
    stop() {
      stopped.abort()
      wake()
    },
  }
}

function isGone(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'not_found' || error.code === 'conflict')
}

function isRefused(error: unknown): boolean {
  return error instanceof KubeError && error.status === 403
}
