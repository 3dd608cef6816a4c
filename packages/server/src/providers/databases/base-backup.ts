import { type FileHandle, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { walSegment } from '@bey/contract'
import type { Client } from 'pg'

import type { BaseBackupFacts } from '../../features/databases/backups/database-files.ts'
import type { ArchivePart, FileRange } from '../../features/databases/backups/file-range.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import { openFile, openFiles, type OpenedFile } from './opened-files.ts'
import { tarEnd, tarHeader, tarPadding } from './tar.ts'
import { isTlsFile } from './server-tls.ts'

const chunkBytes = 1024 * 1024
const segmentBytes = 16n * 1024n * 1024n

/** Directories that a server fills anew, or whose content belongs to the running server alone. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const left =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|(recovery|standby)\.signal|pg_internal\.init.*|pgsql_tmp.*|\.s\.PGSQL.*|current_logfiles.*)$/

type Options = {
  label: string
  signal: AbortSignal
  onCopied(bytes: number): void
  /** Called just before and just after the moment whose state the copy has. */
  onMoment?: { before(): Promise<void>; after(): Promise<void> }
}

/**
 * The files of a running server as a tar, with what the server itself says of the copy (PostgreSQL documentation, "Making a
 * base backup using the low level API"). `facts` is known when the tar has been read to its end; the session of `client` has
 * to last until then, and a copy whose session ends earlier is worth nothing.
 */
export function baseBackup(
  client: Client,
  clusterDir: string,
  { label, signal, onCopied, onMoment }: Options,
) {
  const state: { facts?: BaseBackupFacts } = {}
  let copiedBytes = 0
  const reading = rangesOfFiles()

  async function* tar(): AsyncGenerator<ArchivePart> {
    await requireNoTablespaces(clusterDir)
    const { rows: began } = await client.query<{ lsn: string; version: string }>(
      `select pg_backup_start($1, true)::text as lsn, current_setting('server_version') as version`,
      [label],
    )
    yield* directory('')
    // The server must not end the backup, nor say how far the files are, before all of them were read.
    yield 'barrier'
    await reading.ended()
    const control = await openFile(clusterDir, 'global/pg_control')
    if (control !== undefined) yield* parts(control)
    await onMoment?.before()
    // The time of the same moment: what is committed later is in a later segment, which the backup does not wait for.
    const { rows: ended } = await client.query<{ lsn: string; label: string; map: string; at: Date }>(
      `select lsn::text, labelfile as label, spcmapfile as map, clock_timestamp() as at
         from pg_backup_stop(false)`,
    )
    await onMoment?.after()
    const [start, stop] = [began[0], ended[0]]
    if (start === undefined || stop === undefined) {
      throw new Error('The server did not say where the backup begins and ends')
    }
    yield* text('backup_label', stop.label)
    if (stop.map.trim() !== '') yield* text('tablespace_map', stop.map)
    yield tarEnd
    state.facts = {
      ...segmentsOf(stop.label, stop.lsn),
      startLsn: start.lsn,
      stopLsn: stop.lsn,
      version: start.version.split(' ')[0] ?? start.version,
      consistentAt: stop.at,
      copiedBytes,
    }
  }

  async function* directory(path: string): AsyncGenerator<ArchivePart> {
    signal.throwIfAborted()
    const found = await readdir(join(clusterDir, path), { withFileTypes: true }).catch(ifGone([]))
    const entries = found
      .filter(({ name }) => !left.test(name) && !isTlsFile(name))
      .map((entry) => ({ entry, name: path === '' ? entry.name : `${path}/${entry.name}` }))
    const files = entries.filter(({ entry, name }) => entry.isFile() && name !== 'global/pg_control')
    const names = files.map(({ name }) => name)
    for await (const file of openFiles(clusterDir, names)) yield* parts(file)
    for (const { entry, name } of entries) {
      if (!entry.isDirectory()) continue
      const inner = { sizeBytes: 0, isDirectory: true, mode: 0o700, modifiedAt: new Date() }
      yield tarHeader({ ...inner, name })
      if (!emptied.has(name)) yield* directory(name)
      else if (name === 'pg_wal') {
        yield tarHeader({ ...inner, name: 'pg_wal/archive_status' })
        yield tarHeader({ ...inner, name: 'pg_wal/summaries' })
      }
    }
  }

  /** A file has the size that it had when it was opened: what grows or shrinks meanwhile is mended by the WAL. */
  function* parts(file: OpenedFile): Generator<ArchivePart> {
    const { name, size, modifiedAt } = file
    yield tarHeader({ name, sizeBytes: size, isDirectory: false, mode: 0o600, modifiedAt })
    for (const part of 'content' in file ? [file.content] : reading.of(file.handle, size)) {
      signal.throwIfAborted()
      copiedBytes += part.length
      onCopied(copiedBytes)
      yield part
    }
    const padding = tarPadding(size)
    if (padding.length > 0) yield padding
  }

  return {
    tar: tar(),
    /** Closes the files that a reader who gave up left open. */
    close: () => reading.close(),
    /** Throws while the tar has not been read to its end. */
    facts(): BaseBackupFacts {
      if (state.facts === undefined) throw new Error('The backup has not ended')
      return state.facts
    },
  }
}

/** Files that are read elsewhere: each is closed when all of it was read. */
function rangesOfFiles() {
  const unread = new Map<FileHandle, number>()
  let whenRead: (() => void) | undefined

  function* of(handle: FileHandle, size: number): Generator<FileRange> {
    unread.set(handle, Math.ceil(size / chunkBytes))
    for (let position = 0; position < size; position += chunkBytes) {
      const length = Math.min(chunkBytes, size - position)
      yield { fd: handle.fd, position, length, release: () => release(handle) }
    }
  }

  function release(handle: FileHandle): void {
    const count = (unread.get(handle) ?? 0) - 1
    if (count > 0) return void unread.set(handle, count)
    if (unread.delete(handle)) void handle.close().catch(() => undefined)
    if (unread.size === 0) whenRead?.()
  }

  return {
    of,
    async ended(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      whenRead = resolve
      if (unread.size === 0) resolve()
      await promise
    },
    /** Closes what a reader that gave up left, and waits for it no more. */
    async close(): Promise<void> {
      const handles = [...unread.keys()]
      unread.clear()
      whenRead?.()
      await Promise.all(handles.map((handle) => handle.close().catch(() => undefined)))
    },
  }
}

function* text(name: string, content: string): Generator<Uint8Array> {
  const bytes = Buffer.from(content)
  yield tarHeader({
    name,
    sizeBytes: bytes.length,
    isDirectory: false,
    mode: 0o600,
    modifiedAt: new Date(),
  })
  yield bytes
  yield tarPadding(bytes.length)
}

/** From the label: `START WAL LOCATION: 0/3000028 (file 000000010000000000000003)`. */
function segmentsOf(label: string, stopLsn: string) {
  const start = walSegment(/^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(label)?.[1] ?? '')
  if (start === undefined) throw new Error('The label of the backup names no segment')
  const [high = '0', low = '0'] = stopLsn.split('/')
  const stop = (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  return {
    timeline: start.timeline,
    startSegment: start.number,
    // An end at the border of two segments belongs to the first.
    stopSegment: Number((stop - 1n) / segmentBytes),
  }
}

async function requireNoTablespaces(clusterDir: string): Promise<void> {
  const entries = await readdir(join(clusterDir, 'pg_tblspc'))
  if (entries.length === 0) return
  throw new StepFailure(
    'The server has tablespaces outside of its directory, which a backup would miss. Move their tables into the default tablespace first.',
  )
}

function ifGone<T>(value: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
