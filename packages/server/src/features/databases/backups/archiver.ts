import { setTimeout as sleep } from 'node:timers/promises'

import { walSegment } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import { publish } from '../../../platform/live/publish.ts'
import type { Log } from '../../../platform/log.ts'
import { openEmbedded } from '../open-connection.ts'
import { placementOf } from '../parts.ts'
import type { DatabasePlacement, DatabaseProviders } from '../provider.ts'
import type { DatabaseRow } from '../store.ts'
import type { OpenBackupStore } from './backup-store.ts'
import { compressed } from './compressed.ts'
import type { SpooledFile } from './database-files.ts'
import { digested } from './digest.ts'
import { walKey } from './object-keys.ts'
import { findPolicy } from './policy.ts'
import { endSegment, readServerWal, type ServerWal, switchWal } from './server-wal.ts'
import {
  countSegments,
  extendSegment,
  findWalFile,
  hasBaseBackup,
  insertWalFile,
  storeArchive,
} from './wal-rows.ts'
import { findArchive } from './window.ts'

type Options = {
  database: Database
  providers: DatabaseProviders
  openStore: OpenBackupStore
  clock: Clock
  log: Log
}

type Quiet = { xid: string; timeline: number; segment: number; isSwitched?: boolean }
export type ArchiveRound = { problem: string | null }

/** The clock of a file is a little behind the one of transactions. */
const clockSlackMs = 1_000
const flushPatienceMs = 60_000

/**
 * Brings the WAL that the servers of this machine archived to its store, and says how far. A file leaves the machine only
 * when it is stored and recorded; where no base backup is kept it is of no use and is removed.
 */
export function createArchiver(options: Options) {
  const { database, providers, openStore, clock, log } = options
  const { files } = providers.embedded
  const rounds = new Map<string, Promise<unknown>>()
  const pending = new Map<string, Quiet>()
  const ended = new AbortController()

  /** One after the other for each database, so that whoever asks sees what was archived until then. */
  function round(row: DatabaseRow): Promise<ArchiveRound> {
    const mine = (rounds.get(row.id) ?? Promise.resolve()).catch(() => undefined).then(() => archive(row))
    rounds.set(row.id, mine)
    const forget = () => rounds.get(row.id) === mine && rounds.delete(row.id)
    mine.then(forget, forget)
    return mine
  }

  async function archive(row: DatabaseRow): Promise<ArchiveRound> {
    const placement = placementOf(row)
    if (placement === null || ended.signal.aborted) return { problem: null }
    const server = await serverWal(row, placement)
    const problem = (await ship(row, placement)) ?? server?.problem ?? null
    const left = await files.spooled(placement)
    const { organizationId, id } = row
    const before = await database.readTenant(organizationId, (db) => findArchive(db, organizationId, id))
    const quiet = server && (await quietSince(row, placement, server, before?.quietXid ?? null))
    await database.withTenant(organizationId, async (db) => {
      const isOn = server?.isArchiving ?? before?.isOn ?? false
      await storeArchive(db, organizationId, id, {
        isOn,
        problem,
        spooledBytes: left.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        ...quiet,
      })
      if (before !== undefined && before.problem === problem && before.isOn === isOn) return
      await publish(db, { organizationId, type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId: id } })
    })
    return { problem }
  }

  async function serverWal(row: DatabaseRow, placement: DatabasePlacement): Promise<ServerWal | undefined> {
    if (row.status !== 'available' && row.status !== 'degraded') return undefined
    try {
      return await readServerWal(await openEmbedded(providers.embedded, placement, 'postgres'))
    } catch (error) {
      log.debug({ err: error, databaseId: row.id }, 'The WAL of a database could not be asked for')
      return undefined
    }
  }

  /** Answers why it stopped, or undefined. */
  async function ship(row: DatabaseRow, placement: DatabasePlacement): Promise<string | undefined> {
    const { organizationId, id } = row
    // Listed before the backups are read: what is there then was archived before a backup that is not seen.
    const waiting = await files.spooled(placement)
    if (waiting.length === 0) return undefined
    const { policy, base } = await database.readTenant(organizationId, async (db) => ({
      policy: await findPolicy(db, organizationId, id),
      base: await hasBaseBackup(db, organizationId, id),
    }))
    const isKept = base.isUnderWay || (base.isKept && policy.pitr)
    try {
      for (const file of waiting) {
        if (ended.signal.aborted) return undefined
        const refusal = isKept ? await store(row, placement, file, policy.targetId) : undefined
        if (refusal !== undefined) return refusal
        await files.removeSpooled(placement, file.name)
      }
      return undefined
    } catch (error) {
      if (!(error instanceof BackupStoreProblem)) throw error
      return error.message
    }
  }

  async function store(
    row: DatabaseRow,
    placement: DatabasePlacement,
    { name, sizeBytes, modifiedAt }: SpooledFile,
    targetId: string | null,
  ): Promise<string | undefined> {
    const { organizationId, id: databaseId } = row
    // The last piece of a timeline that ended: a recovery replays the whole segment of the next one.
    if (name.endsWith('.partial') || name.endsWith('.backup')) return undefined
    const known = await database.readTenant(organizationId, (db) =>
      findWalFile(db, organizationId, databaseId, name),
    )
    const { bytes, state } = digested(files.readSpooled(placement, name))
    if (known !== undefined) {
      for await (const _ of bytes);
      // A server that crashed archives its last segment again.
      return state.sha256 === known.sha256
        ? undefined
        : `The server wrote ${name} of its WAL a second time with another content, and the archive keeps the first. Make a base backup, and look for a second server on these files.`
    }
    const storeKey = walKey(organizationId, databaseId, name)
    const target = await openStore(organizationId, targetId)
    const { storedBytes } = await target.put(storeKey, compressed(bytes), ended.signal)
    const segment = walSegment(name)
    await database.withTenant(organizationId, (db) =>
      insertWalFile(db, {
        organizationId,
        databaseId,
        name,
        timeline: segment?.timeline ?? null,
        segment: segment?.number ?? null,
        targetId,
        storeKey,
        sizeBytes,
        storedBytes,
        sha256: state.sha256,
        untilAt: new Date(modifiedAt.getTime() - clockSlackMs),
        storedAt: clock.now(),
      }),
    )
    return undefined
  }

  /** What is to be recorded when nothing is under way in the server: see the columns of `database_archives`. */
  async function quietSince(
    { organizationId, id }: DatabaseRow,
    placement: DatabasePlacement,
    server: ServerWal,
    recordedXid: string | null,
  ) {
    const { quiet, at } = server
    if (quiet === undefined) return undefined
    if (quiet.xid === recordedXid) return { quietAt: at }
    const candidate = pending.get(id)
    const since: Quiet = candidate?.xid === quiet.xid ? candidate : quiet
    pending.set(id, since)
    const { timeline, segment } = since
    const { count, isKept } = await database.readTenant(organizationId, async (db) => ({
      count: await countSegments(db, organizationId, id, { timeline, first: segment, last: segment }),
      isKept: (await hasBaseBackup(db, organizationId, id)).isKept,
    }))
    if (count === 0) {
      // Quiet for two rounds: what the segment has is not waited for until it is full. Once, for nothing more comes.
      if (isKept && since === candidate && since.isSwitched !== true) {
        pending.set(id, { ...since, isSwitched: true })
        await switchWal(await openEmbedded(providers.embedded, placement, 'postgres'))
      }
      return undefined
    }
    pending.delete(id)
    return { quietXid: since.xid, quietTimeline: timeline, quietSegment: segment, quietAt: at }
  }

  /**
   * Lets a running server begin another segment and brings what it has to the store. Whatever was committed before the call
   * can be restored after it; answers why not, or undefined.
   */
  async function flush(row: DatabaseRow): Promise<string | undefined> {
    const placement = placementOf(row)
    if (placement === null) return 'Its server is gone.'
    const { organizationId, id } = row
    const { at, name } = await endSegment(await openEmbedded(providers.embedded, placement, 'postgres'))
    const untilMs = clock.monotonicMs() + flushPatienceMs
    for (;;) {
      const { problem } = await round(row)
      const known = await database.readTenant(organizationId, (db) =>
        findWalFile(db, organizationId, id, name),
      )
      if (known !== undefined) break
      if (clock.monotonicMs() > untilMs || ended.signal.aborted) {
        return problem ?? `${name} of its WAL did not reach the store in time.`
      }
      await sleep(100)
    }
    await database.withTenant(organizationId, (db) => extendSegment(db, organizationId, id, name, at))
    return undefined
  }

  return {
    round,
    flush,
    async stop() {
      ended.abort(new Error('The server is stopping'))
      await Promise.allSettled(rounds.values())
    },
  }
}

export type Archiver = ReturnType<typeof createArchiver>
