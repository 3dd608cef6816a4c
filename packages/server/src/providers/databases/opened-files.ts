import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a running server as it was when it was opened: small ones are read at once, of larger ones the handle is open. */
export type OpenedFile = { name: string; size: number; modifiedAt: Date } & (
  | { content: Buffer }
  | { handle: FileHandle }
)

/** A way to another thread and back costs more than to read so much. */
const smallBytes = 128 * 1024
/** Files that are opened side by side: a server has hundreds of small ones. */
const openedAtOnce = 8

/** Opens files below a directory in their order, a few ahead. Those that are gone are left out. */
export async function* openFiles(root: string, names: readonly string[]): AsyncGenerator<OpenedFile> {
  const waiting: Promise<OpenedFile | undefined>[] = []
  const next = async () => {
    const opened = await waiting[0]
    void waiting.shift()
    return opened
  }
  try {
    for (const name of names) {
      const opening = openFile(root, name)
      // Its error is thrown when it is its turn.
      opening.catch(() => undefined)
      waiting.push(opening)
      if (waiting.length < openedAtOnce) continue
      const opened = await next()
      if (opened !== undefined) yield opened
    }
    while (waiting.length > 0) {
      const opened = await next()
      if (opened !== undefined) yield opened
    }
  } finally {
    for (const each of waiting) void each.then(closeFile, () => undefined)
  }
}

export async function openFile(root: string, name: string): Promise<OpenedFile | undefined> {
  const handle = await open(join(root, name), 'r').catch(undefinedIfGone)
  if (handle === undefined) return undefined
  let isKept = false
  try {
    const { size, mtime: modifiedAt } = await handle.stat()
    if (size > smallBytes) {
      isKept = true
      return { name, size, modifiedAt, handle }
    }
    // Zeros stand for what was cut off meanwhile.
    const content = Buffer.alloc(size)
    for (let at = 0; at < size;) {
      const { bytesRead } = await handle.read(content, at, size - at, at)
      if (bytesRead === 0) break
      at += bytesRead
    }
    return { name, size, modifiedAt, content }
  } finally {
    if (!isKept) await handle.close()
  }
}

async function closeFile(file: OpenedFile | undefined): Promise<void> {
  if (file !== undefined && 'handle' in file) await file.handle.close()
}

function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
