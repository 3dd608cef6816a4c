import type { ClusterConnection } from '../../connection/ports.ts'
import { BadAnswer } from '../../connection/bad-answer.ts'
import { type KubeClient, splitWatchPath, type WatchHandlers } from '../kube-client.ts'
import type { KubeObject, WatchEvent } from '../kube-types.ts'
import { isBefore } from '../probe-cluster.ts'

/** What is watched, from which version on. */
type WatchTarget = {
  clusterId: number
  connection: ClusterConnection
  /** As `watchPath` makes it. */
  path: string
}

/** The watches of this process at API servers, each shared by all that read the same in the same form. */
export type WatchHub = {
  /**
   * As `KubeClient.watch`, with every event after the version of the path, and none before it. Resolves as well when
   * `signal` is aborted.
   */
  watch(target: WatchTarget, signal: AbortSignal, on: WatchHandlers): Promise<void>
  /** Watches that are open at API servers. */
  size(): number
}

type Reader = {
  /** Up to which it knows everything. */
  version: string
  /** Whether it was given an event that is newer than that version: all that follow are too. */
  isCaughtUp: boolean
  on: WatchHandlers
  ended: PromiseWithResolvers<void>
  /** Where it reads now. */
  source: Source | undefined
}

type Source = {
  connection: ClusterConnection
  /** Up to which its events were given to readers. */
  version: string
  state: 'opening' | 'open' | 'broken' | 'ended'
  stop: AbortController
  readers: Set<Reader>
  /** The one before it, which began too late for a reader; it goes on until this one is open. */
  replaces: Source | undefined
}

export function createWatchHub(client: Pick<KubeClient, 'watch'>): WatchHub {
  const sources = new Map<string, Source>()
  let size = 0

  function join(key: string, target: WatchTarget, path: string, reader: Reader): void {
    const current = sources.get(key)
    const found = current && holds(current, target.connection, reader.version) ? current : undefined
    const source = found ?? begin(key, target, path, reader, current)
    reader.source = source
    source.readers.add(reader)
    if (source.state === 'open') reader.on.open()
  }

  function begin(
    key: string,
    target: WatchTarget,
    path: string,
    reader: Reader,
    current: Source | undefined,
  ): Source {
    const isReplacing = current?.state === 'open' || current?.state === 'opening'
    const source: Source = {
      connection: target.connection,
      version: reader.version,
      state: 'opening',
      stop: new AbortController(),
      readers: new Set(),
      replaces: isReplacing ? current : undefined,
    }
    // Versions that cannot be compared: each would replace the other for ever.
    const isAlone = isReplacing && !areComparable(current.version, reader.version)
    if (isAlone) source.replaces = undefined
    else sources.set(key, source)
    void run(key, source, target, path, reader)
    return source
  }

  async function run(
    key: string,
    source: Source,
    target: WatchTarget,
    path: string,
    first: Reader,
  ): Promise<void> {
    size += 1
    const from = `${path}&resourceVersion=${encodeURIComponent(first.version)}`
    let failure: { error: unknown } | undefined
    try {
      await client.watch(target.connection, from, source.stop.signal, {
        accept: first.on.accept,
        open: () => opened(source),
        event: (event, line) => deliver(source, event, line),
      })
    } catch (error) {
      failure = { error }
    }
    size -= 1
    source.state = 'ended'
    if (sources.get(key) === source) restore(key, source)
    for (const reader of source.readers) {
      if (failure) reader.ended.reject(failure.error)
      else reader.ended.resolve()
    }
    source.readers.clear()
  }

  /** One that could not be opened leaves its place to the one that it was to replace. */
  function restore(key: string, { replaces }: Source): void {
    if (replaces && replaces.state !== 'ended') sources.set(key, replaces)
    else sources.delete(key)
  }

  function opened(source: Source): void {
    source.state = 'open'
    for (const reader of source.readers) reader.on.open()
    let before = source.replaces
    source.replaces = undefined
    while (before) {
      takeReaders(source, before)
      before = before.replaces
    }
  }

  /** Of one that began later, and so has given its readers nothing that this one will not give. */
  function takeReaders(source: Source, before: Source): void {
    if (before.state === 'ended' || before.state === 'broken') return
    for (const reader of before.readers) {
      reader.source = source
      reader.isCaughtUp = false
      source.readers.add(reader)
      if (before.state === 'opening') reader.on.open()
    }
    before.readers.clear()
    before.stop.abort()
  }

  function leave(key: string, reader: Reader): void {
    const source = reader.source
    reader.source = undefined
    reader.ended.resolve()
    source?.readers.delete(reader)
    if (!source || source.state === 'ended' || source.readers.size > 0) return
    if (sources.get(key) === source) restore(key, source)
    source.state = 'ended'
    source.stop.abort()
  }

  function deliver(source: Source, event: WatchEvent, line: string): void {
    const version = event.type === 'ERROR' ? undefined : versionOf(event.object)
    if (event.type === 'ERROR') source.state = 'broken'
    if (version !== undefined) source.version = version
    for (const reader of source.readers) give(source, reader, { event, line, version })
  }

  function give(
    source: Source,
    reader: Reader,
    { event, line, version }: { event: WatchEvent; line: string; version: string | undefined },
  ): void {
    const isKnown =
      version !== undefined &&
      !reader.isCaughtUp &&
      (version === reader.version || isBefore(version, reader.version))
    if (isKnown) {
      // The cluster is at an earlier version than this reader, as after a restore: it compares when it begins again.
      if (event.type === 'BOOKMARK' && version !== reader.version) {
        source.readers.delete(reader)
        reader.ended.resolve()
      }
      return
    }
    reader.isCaughtUp ||= version !== undefined
    reader.version = version ?? reader.version
    try {
      reader.on.event(event, line)
    } catch (error) {
      source.readers.delete(reader)
      reader.ended.reject(error)
    }
  }

  return {
    async watch({ clusterId, connection, path }, signal, on) {
      const parts = splitWatchPath(path)
      if (!parts) throw new BadAnswer('this is the path of no watch')
      if (signal.aborted) return
      const key = JSON.stringify([clusterId, parts.path, on.accept])
      const ended = Promise.withResolvers<void>()
      const reader: Reader = { version: parts.version, isCaughtUp: false, on, ended, source: undefined }
      const end = () => leave(key, reader)
      signal.addEventListener('abort', end, { once: true })
      try {
        join(key, { clusterId, connection, path }, parts.path, reader)
        await ended.promise
      } finally {
        signal.removeEventListener('abort', end)
        leave(key, reader)
      }
    },
    size: () => size,
  }
}

/** Whether a source has every event after a version still to give, at the cluster as it is reached now. */
function holds(source: Source, connection: ClusterConnection, version: string): boolean {
  if (source.state !== 'open' && source.state !== 'opening') return false
  const isSame =
    source.connection === connection || JSON.stringify(source.connection) === JSON.stringify(connection)
  return isSame && (source.version === version || isBefore(source.version, version))
}

const areComparable = (one: string, other: string) =>
  one === other || isBefore(one, other) || isBefore(other, one)

/** Of an object, or of the row of a table. */
function versionOf(object: KubeObject & { rows?: { object?: KubeObject }[] }): string | undefined {
  return object.metadata?.resourceVersion || object.rows?.[0]?.object?.metadata?.resourceVersion || undefined
}
