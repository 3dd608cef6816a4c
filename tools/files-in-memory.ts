import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const inMemory = '/dev/shm'
const enoughBytes = 6 * 1024 ** 3

/**
 * Lets the tests of this process and of its children keep their temporary files in memory where 6 GiB are free: data of
 * servers and copies of databases are thousands of files, which the file system of a disk takes longer to create and
 * remove than the tests to fill. They are removed when the process ends.
 */
export function keepFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || Math.min(freeBytes(inMemory), freemem()) < enoughBytes) return
  const dir = mkdtempSync(`${inMemory}/bey-`)
  // As /tmp: the accounts of databases and sandboxes have files there as well.
  chmodSync(dir, 0o1777)
  process.env['TMPDIR'] = dir
  process.on('exit', () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }))
}

/** 0 where there is no such directory, as on macOS. */
function freeBytes(dir: string): number {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  } catch {
    return 0
  }
}
