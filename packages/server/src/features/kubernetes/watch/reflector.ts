import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { BadAnswer } from '../connection/bad-answer.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from './kube-client.ts'
import { KubeError, listPath, watchPath } from './kube-client.ts'
import type { KubeObject } from './kube-types.ts'
import type { ListFormat } from './list-format.ts'

export type ReflectorOptions<T> = {
  /** Path of the kind over all namespaces. */
  path: string
  format: ListFormat
  client: KubeClient
  /** Asked before each attempt: a cluster that was started again may be elsewhere. */
  connect: () => Promise<ClusterConnection>
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
  /** `reason` in words; `isGone` when there is no such cluster any more, `isRefused` when it forbids to read. */
  onLost: (reason: string, why: { isGone: boolean; isRefused: boolean }) => void
}

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

/** Keeps up with one kind of one cluster: a list, then a watch from there; a list again when that has expired. */
export function startReflector<T>(options: ReflectorOptions<T>): Reflector {
  const { format, client, clock } = options
  const path = format.query ? `${options.path}?${format.query}` : options.path
  const stopped = new AbortController()
  const { signal } = stopped
  let wake = () => undefined as void
  let failures = 0

  async function list(): Promise<string> {
    const connection = await options.connect()
    const kept: T[] = []
    let token: string | undefined
    let version = ''
    do {
      const page = await onePage(connection, token)
      const keptOfPage = page.objects.map(options.keep)
      for (const each of keptOfPage) kept.push(each)
      version = page.resourceVersion
      const isFirst = token === undefined
      token = page.continueToken
      if (token && !signal.aborted) options.onPage?.(keptOfPage, { isFirst, remaining: page.remaining })
    } while (token)
    if (!signal.aborted) options.onList(kept)
    return version
  }

  async function onePage(connection: ClusterConnection, token: string | undefined) {
    const found = format.page(
      await client.get(connection, listPath(path, token), signal, { accept: format.accept }),
    )
    if (!found) throw new BadAnswer('its answer is no list of Kubernetes objects')
    return found
  }

  /** The version that the next watch begins at; undefined when a list is needed first. */
  async function watch(from: string): Promise<string | undefined> {
    let version: string | undefined = from
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
    return version
  }

  async function run(): Promise<void> {
    let version: string | undefined
    while (!signal.aborted) {
      const beganAtMs = clock.monotonicMs()
      try {
        version ??= await list()
        version = await watch(version)
        // A cluster that ends each watch at once must not keep both of us busy.
        if (clock.monotonicMs() - beganAtMs < backoffMinMs) await pause(backoffMinMs)
      } catch (error) {
        if (signal.aborted) return
        // 410: the version is too old for a watch, or the list's pages have expired.
        const isExpired = error instanceof KubeError && error.status === 410
        // What a watch could not take would come again; a list leaves it behind.
        if (isExpired || error instanceof BadAnswer) version = undefined
        if (error instanceof KubeError && error.status === 404) missing()
        else if (!isExpired)
          options.onLost(reasonOf(error), { isGone: isGone(error), isRefused: isRefused(error) })
        failures += 1
        await pause(
          Math.min(backoffMaxMs, backoffMinMs * 2 ** (failures - 1)) * (0.75 + options.random() / 2),
        )
      }
    }
  }

  /** The cluster does not serve this kind: as good as having none, until it does. */
  function missing(): void {
    options.onList([])
    options.onLive()
  }

  function pause(delayMs: number): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = clock.setTimeout(resolve, delayMs)
      wake = () => {
        cancel()
        resolve()
      }
    })
  }

  void run()
  return {
    kick: () => wake(),
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

/** Why a request to a cluster failed, in words that follow "it" or "Bey". */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message
  if (error instanceof KubeError) {
    if (error.status === 403) return 'Bey has no right to read it'
    return error.status === 401
      ? "it does not accept Bey's access"
      : `it answered with status ${error.status}`
  }
  return whyUnreachable(error)
}
