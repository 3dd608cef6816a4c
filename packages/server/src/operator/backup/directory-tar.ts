import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { tarEnd, tarHeader, tarPadding } from '../../providers/databases/tar.ts'

const chunkBytes = 1024 * 1024
/** How often a directory is opened anew whose files were replaced meanwhile. */
const attempts = 20

/** A directory whose files change together, or single files of the data directory. */
export type TarSource = { root: string; paths: readonly string[] }

/**
 * Files and directories below a root as a tar. The files of a directory are opened before the first of them is read, and its
 * names are read again after that: files that replace each other are copied as a set that was there at one moment. Each has the
 * length that it had when it was opened.
 */
export async function* directoryTar({ root, paths }: TarSource): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* entry(root, path)
  yield tarEnd
}

async function* entry(root: string, path: string): AsyncGenerator<Uint8Array> {
  const { handles, directories, isDirectory } = await openAll(root, path)
  try {
    if (isDirectory) yield header(path, 0, true, new Date())
    for (const { name, handle } of handles) yield* content(name, handle)
  } finally {
    await Promise.all(handles.map(({ handle }) => handle.close().catch(() => undefined)))
  }
  for (const directory of directories) yield* entry(root, directory)
}

type Opened = { name: string; handle: FileHandle }

async function openAll(root: string, path: string) {
  for (let attempt = 1; ; attempt += 1) {
    const before = await namesOf(join(root, path))
    const handles: Opened[] = []
    const names = before === undefined ? [path] : before.files.map((name) => `${path}/${name}`)
    for (const name of names) {
      const handle = await open(join(root, name), 'r').catch(undefinedIfGone)
      if (handle !== undefined) handles.push({ name, handle })
    }
    const after = await namesOf(join(root, path))
    const isSame = JSON.stringify(before) === JSON.stringify(after) && handles.length === names.length
    if (isSame || before === undefined || attempt === attempts) {
      const directories = (before?.directories ?? []).map((name) => `${path}/${name}`)
      if (isSame || before === undefined) return { handles, directories, isDirectory: before !== undefined }
    }
    await Promise.all(handles.map(({ handle }) => handle.close().catch(() => undefined)))
    if (attempt === attempts) throw new Error(`The files of ${path} do not stand still`)
  }
}

/** Undefined: it is a file, or gone. Sockets and links are left out. */
async function namesOf(dir: string): Promise<{ files: string[]; directories: string[] } | undefined> {
  const entries = await readdir(dir, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  return (
    entries && {
      files: entries
        .filter((each) => each.isFile())
        .map(({ name }) => name)
        .toSorted(),
      directories: entries
        .filter((each) => each.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    }
  )
}

async function* content(name: string, handle: FileHandle): AsyncGenerator<Uint8Array> {
  const { size, mtime } = await handle.stat()
  yield header(name, size, false, mtime)
  for (let at = 0; at < size;) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, size - at))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
    // Zeros stand for what was cut off meanwhile.
    yield bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead)
    at += bytesRead === 0 ? chunk.length : bytesRead
  }
  yield tarPadding(size)
}

function header(name: string, sizeBytes: number, isDirectory: boolean, modifiedAt: Date): Uint8Array {
  return tarHeader({ name, sizeBytes, isDirectory, mode: isDirectory ? 0o700 : 0o600, modifiedAt })
}

function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
