import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { ObjectStore, StoredObject } from '../../features/databases/backups/backup-store.ts'
import { checkStore } from './check-store.ts'
import { counted } from './counted.ts'
import { directoryProblem } from './directory-problem.ts'
import { requireKey } from './object-key.ts'
import { partialName } from './remove-partials.ts'

const readBytes = 256 * 1024
/** Each write is a way to another thread and back. */
const writeBytes = 1024 * 1024
/** Put on the disk now and then: all of it at the end would keep commits of databases on the same disk waiting. */
const syncBytes = 32 * 1024 * 1024

/**
 * Keeps objects as files below a directory, which is made where it is missing. A file gets its name when all of it is on
 * the disk: a crash leaves the file before or none, and a partial file that `removePartials` deletes.
 */
export function directoryStore(root: string, machineId: string): ObjectStore {
  const fileOf = (key: string) => join(root, requireKey(key))

  const store: Omit<ObjectStore, 'check'> = {
    place: root,

    async put(key, source, signal) {
      const file = fileOf(key)
      const partial = join(dirname(file), partialName(machineId))
      const { bytes, sizeBytes } = counted(source)
      try {
        await makeDirectories(dirname(file))
        await writeDurably(partial, bytes, signal)
        await rename(partial, file)
        await syncDirectory(dirname(file))
      } catch (error) {
        await rm(partial, { force: true }).catch(() => undefined)
        signal.throwIfAborted()
        throw directoryProblem(error, root, key)
      }
      return { storedBytes: sizeBytes() }
    },

    async get(key, signal) {
      const file = fileOf(key)
      // Opened here, so that an absent file is reported at once.
      const handle = await open(file, 'r').catch((error: unknown) => {
        throw directoryProblem(error, root, key)
      })
      return readAll(handle, signal, (error) => directoryProblem(error, root, key))
    },

    async *list(prefix) {
      const from = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : ''
      if (from !== '') requireKey(from)
      try {
        yield* walk(root, from, prefix)
      } catch (error) {
        throw directoryProblem(error, root, prefix)
      }
    },

    async remove(key) {
      const file = fileOf(key)
      try {
        await rm(file)
        await syncDirectory(dirname(file))
      } catch (error) {
        if (!isAbsent(error)) throw directoryProblem(error, root, key)
      }
    },
  }
  return { ...store, check: () => checkStore(store) }
}

async function writeDurably(file: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  const handle = await open(file, 'wx', 0o600)
  try {
    let held: Uint8Array[] = []
    let heldBytes = 0
    let unsyncedBytes = 0
    for await (const chunk of bytes) {
      signal.throwIfAborted()
      held.push(chunk)
      heldBytes += chunk.length
      if (heldBytes < writeBytes) continue
      await writeAll(handle, held, heldBytes)
      unsyncedBytes += heldBytes
      held = []
      heldBytes = 0
      if (unsyncedBytes < syncBytes) continue
      await handle.datasync()
      unsyncedBytes = 0
    }
    signal.throwIfAborted()
    await writeAll(handle, held, heldBytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Without making one piece of them first. A write that was cut short, as by a disk that fills, goes on as one piece. */
async function writeAll(handle: FileHandle, pieces: Uint8Array[], bytes: number): Promise<void> {
  if (bytes === 0) return
  const { bytesWritten } = await handle.writev(pieces)
  if (bytesWritten < bytes) await handle.writeFile(Buffer.concat(pieces).subarray(bytesWritten))
}

async function* readAll(handle: FileHandle, signal: AbortSignal, problem: (error: unknown) => unknown) {
  try {
    const stream: AsyncIterable<Buffer> = createReadStream('', {
      fd: handle,
      highWaterMark: readBytes,
      signal,
    })
    yield* stream
  } catch (error) {
    signal.throwIfAborted()
    throw problem(error)
  }
}

/** In the order of names within each directory; a directory that does not exist is empty. */
async function* walk(root: string, directory: string, prefix: string): AsyncGenerator<StoredObject> {
  const entries = await readdir(join(root, directory), { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsent(error)) return []
    throw error
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const key = directory === '' ? entry.name : `${directory}/${entry.name}`
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory() && (prefix.startsWith(`${key}/`) || key.startsWith(prefix))) {
      yield* walk(root, key, prefix)
    } else if (entry.isFile() && key.startsWith(prefix)) {
      // oxlint-disable-next-line no-await-in-loop -- one file at a time is what is asked for
      const found = await stat(join(root, key)).catch((error: unknown) => {
        if (isAbsent(error)) return undefined
        throw error
      })
      if (found) yield { key, sizeBytes: found.size, modifiedAt: found.mtime }
    }
  }
}

/** The new directories are durable as well: each is synced in the one above. */
async function makeDirectories(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = directory; made.length >= first.length; made = dirname(made)) {
    // oxlint-disable-next-line no-await-in-loop -- a few directories, the innermost first
    await syncDirectory(dirname(made))
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
