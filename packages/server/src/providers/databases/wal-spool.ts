import { createReadStream } from 'node:fs'
import { chown, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { backupLimits } from '@bey/contract'

import type { SpooledFile } from '../../features/databases/backups/database-files.ts'

/** Where a server puts the WAL that it has written, until Bey has brought it to a store. Beside its files, not within. */
export const spoolDir = (clusterDir: string) => `${clusterDir}.wal-spool`

export async function makeSpool(
  clusterDir: string,
  owner: { uid: number; gid: number } | undefined,
): Promise<void> {
  const dir = spoolDir(clusterDir)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  if (owner !== undefined) await chown(dir, owner.uid, owner.gid)
}

/**
 * Settings with which a server archives its WAL into the spool. A file gets its name when all of it is on the disk; one that
 * is there already is left alone, and is an error when it differs, for then two servers write one archive.
 */
export function archiveSettings(clusterDir: string): Record<string, string> {
  const dir = quoted(spoolDir(clusterDir))
  const command = [
    `if test -f ${dir}/%f; then cmp -s %p ${dir}/%f; else`,
    `cp -p %p ${dir}/.%f.part && sync ${dir}/.%f.part && mv ${dir}/.%f.part ${dir}/%f && sync ${dir};`,
    'fi',
  ]
  return {
    archive_mode: 'on',
    archive_command: command.join(' '),
    // What was committed is in the store within a minute, though a segment is not full.
    archive_timeout: String(backupLimits.archiveSeconds),
  }
}

/** For the shell, with the sign doubled that PostgreSQL replaces. */
const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`

export async function listSpool(clusterDir: string): Promise<SpooledFile[]> {
  const dir = spoolDir(clusterDir)
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files: SpooledFile[] = []
  for (const name of names.filter((each) => !each.startsWith('.')).toSorted()) {
    const found = await stat(join(dir, name)).catch(() => undefined)
    if (found?.isFile()) files.push({ name, sizeBytes: found.size, modifiedAt: found.mtime })
  }
  return files
}

export function readSpooledFile(clusterDir: string, name: string): AsyncIterable<Uint8Array> {
  const stream: AsyncIterable<Buffer> = createReadStream(join(spoolDir(clusterDir), basename(name)), {
    highWaterMark: 1024 * 1024,
  })
  return stream
}

export async function removeSpooledFile(clusterDir: string, name: string): Promise<void> {
  await rm(join(spoolDir(clusterDir), basename(name)), { force: true })
}
