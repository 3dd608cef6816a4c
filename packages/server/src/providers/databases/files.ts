import { createWriteStream, existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import pg from 'pg'

import type { DatabaseFiles } from '../../features/databases/backups/database-files.ts'
import type { DatabasePlacement } from '../../features/databases/provider.ts'
import type { Account } from '../../platform/db/embedded/account.ts'
import type { Binaries } from '../../platform/db/embedded/binaries.ts'
import type { Layout } from '../../platform/db/embedded/layout.ts'
import { addressOf } from '../../platform/db/embedded/start.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import { baseBackup } from './base-backup.ts'
import { createRecovery, type RecoveryServer, recoveryWalDir } from './recovery.ts'
import { readTar, TarError } from './tar.ts'
import { listSpool, readSpooledFile, removeSpooledFile } from './wal-spool.ts'

type Options = {
  parts(): Promise<{ account: Account; binaries: Binaries }>
  layoutOf(placement: DatabasePlacement): Promise<Layout>
  server: RecoveryServer
}

/** The files of servers on this machine: what is copied of them, and what is made of copies. */
export function createDatabaseFiles({ parts, layoutOf, server }: Options): DatabaseFiles {
  const clusterDirOf = async (placement: DatabasePlacement) => (await layoutOf(placement)).clusterDir

  async function give(path: string): Promise<void> {
    const { server: owner } = (await parts()).account
    if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  }

  return {
    async backUp(placement, options, store) {
      const layout = await layoutOf(placement)
      const client = new pg.Client({
        connectionString: addressOf(layout, 'postgres', 'postgres'),
        application_name: 'bey-backup',
        connectionTimeoutMillis: 10_000,
      })
      const connection = { isLost: false }
      client.on('error', () => (connection.isLost = true))
      try {
        await client.connect()
        await requireArchive(client)
        const backup = baseBackup(client, layout.clusterDir, options)
        try {
          const stored = await store(backup.tar)
          return { facts: backup.facts(), stored }
        } finally {
          await backup.close()
        }
      } catch (error) {
        throw explainEnd(error, connection.isLost)
      } finally {
        // Ends a backup that was not finished.
        await client.end().catch(() => undefined)
      }
    },

    spooled: async (placement) => listSpool(await clusterDirOf(placement)),
    async *readSpooled(placement, name) {
      yield* readSpooledFile(await clusterDirOf(placement), name)
    },
    removeSpooled: async (placement, name) => removeSpooledFile(await clusterDirOf(placement), name),

    async setReadOnly(placement, isReadOnly) {
      const signal = join(await clusterDirOf(placement), 'standby.signal')
      if (!isReadOnly) return rm(signal, { force: true })
      await writeFile(signal, '', { mode: 0o600, flush: true })
      await give(signal)
    },

    async unpack(placement, tar) {
      const { clusterDir } = await layoutOf(placement)
      if (existsSync(join(clusterDir, 'PG_VERSION'))) return
      const partial = `${clusterDir}.new`
      await rm(partial, { recursive: true, force: true })
      await mkdir(partial, { recursive: true, mode: 0o700 })
      await give(partial)
      try {
        await readTar(await tar(), async ({ name, isDirectory }, content) => {
          const path = join(partial, name)
          if (isDirectory) {
            await mkdir(path, { recursive: true, mode: 0o700 })
          } else {
            await pipeline(content, createWriteStream(path, { mode: 0o600 }))
          }
          await give(path)
        })
      } catch (error) {
        await rm(partial, { recursive: true, force: true })
        if (error instanceof TarError) {
          throw new StepFailure(`The backup is damaged: ${error.message}. Restore from another one.`, {
            cause: error,
          })
        }
        throw explainDisk(error, clusterDir)
      }
      await requireVersion(partial, (await parts()).binaries.majorVersion)
      for (const name of ['recovery.signal', 'backup_label']) await requireOrMake(join(partial, name), give)
      await rename(partial, clusterDir)
    },

    async placeWal(placement, name, source) {
      const dir = recoveryWalDir(await clusterDirOf(placement))
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await give(dir)
      const path = join(dir, name)
      const partial = `${path}.part`
      try {
        await pipeline(source, createWriteStream(partial, { mode: 0o600 }))
      } catch (error) {
        await rm(partial, { force: true })
        throw explainDisk(error, dir)
      }
      await give(partial)
      await rename(partial, path)
    },

    async hasWal(placement, name) {
      const path = join(recoveryWalDir(await clusterDirOf(placement)), name)
      return stat(path).then(
        () => true,
        () => false,
      )
    },

    recover: createRecovery({ layoutOf, server, give }),
  }
}

async function requireArchive(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`)
  if (rows[0]?.mode === 'on') return
  throw new StepFailure(
    'Its server was started by an older Bey and does not archive its WAL, without which a backup is worth nothing. Restart the database once.',
  )
}

async function requireVersion(dir: string, majorVersion: string): Promise<void> {
  const version = (await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (version === majorVersion) return
  await rm(dir, { recursive: true, force: true })
  throw new StepFailure(
    version === ''
      ? 'The backup is damaged: it has no PG_VERSION. Restore from another one.'
      : `The backup was made by PostgreSQL ${version}, and this Bey brings ${majorVersion}, which cannot read its files. Restore it with the Bey that made it.`,
  )
}

/** The signal is made; the label has to be in the backup, for without it a recovery would begin at the wrong place. */
async function requireOrMake(path: string, give: (path: string) => Promise<void>): Promise<void> {
  if (path.endsWith('recovery.signal')) {
    await writeFile(path, '', { mode: 0o600 })
    await chmod(path, 0o600)
    await give(path)
    return
  }
  if (existsSync(path)) return
  await rm(dirname(path), { recursive: true, force: true })
  throw new StepFailure('The backup is damaged: it has no label. Restore from another one.')
}

/** The session of a backup ends with its server. */
function explainEnd(error: unknown, isLost: boolean): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const isEnd =
    error.message.startsWith('Connection terminated') || ['57P01', '57P02', '57P03'].includes(code)
  const isRefused = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET'].includes(code) && 'syscall' in error
  if (!isLost && !isEnd && !(isRefused && error.syscall === 'connect')) return error
  return new StepFailure('Its server ended while it was backed up. Back it up again once it answers.', {
    cause: error,
  })
}

function explainDisk(error: unknown, dir: string): unknown {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) {
    return new StepFailure(`The disk of ${dir} is full. Free some space and restore again.`, { cause: error })
  }
  return error
}
