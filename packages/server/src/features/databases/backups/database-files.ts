import type { StepContext } from '../../workflows/definition/definition.ts'
import type { DatabasePlacement, ProviderDatabase } from '../provider.ts'
import type { ArchivePart } from './file-range.ts'

/** What a base backup says of itself. Segments are numbers of files of the WAL (see `walSegment`). */
export type BaseBackupFacts = {
  startLsn: string
  stopLsn: string
  timeline: number
  startSegment: number
  stopSegment: number
  /** The version of the server, such as `18.4`. */
  version: string
  /** When the copy ended, by the clock of the server. */
  consistentAt: Date
  /** Bytes of the files that were copied. */
  copiedBytes: number
}

/** A file of the WAL that the server archived and that waits for the store. */
export type SpooledFile = {
  name: string
  sizeBytes: number
  /** When the server last wrote to it. */
  modifiedAt: Date
}

/** To which moment WAL is replayed. `immediate`: until the base backup is consistent. */
export type RecoveryTarget = { time: Date } | 'latest' | 'immediate'

type Step = Pick<StepContext, 'log' | 'signal'>

/** The files of servers that Bey runs. Operations look at what is there first: each is called again after a crash. */
export type DatabaseFiles = {
  /**
   * Copies the files of a running server as a tar, online, and hands it to `store`. What `store` makes of it is only of use
   * when this resolves. Throws StepFailure for what people can mend.
   */
  backUp<T>(
    placement: DatabasePlacement,
    options: { label: string; signal: AbortSignal; onCopied(bytes: number): void },
    store: (tar: AsyncIterable<ArchivePart>) => Promise<T>,
  ): Promise<{ facts: BaseBackupFacts; stored: T }>
  /** Files that wait for the store, the oldest first. */
  spooled(placement: DatabasePlacement): Promise<SpooledFile[]>
  readSpooled(placement: DatabasePlacement, name: string): AsyncIterable<Uint8Array>
  removeSpooled(placement: DatabasePlacement, name: string): Promise<void>
  /** Whether a stopped server takes no changes from its next start on, from whomever: it then waits for WAL that never comes. */
  setReadOnly(placement: DatabasePlacement, isReadOnly: boolean): Promise<void>
  /** Makes the files of a server of a tar, unless they are there. Throws StepFailure for another major version. */
  unpack(placement: DatabasePlacement, tar: () => Promise<AsyncIterable<Uint8Array>>): Promise<void>
  /** Puts a file of the WAL where the recovery finds it. */
  placeWal(placement: DatabasePlacement, name: string, source: AsyncIterable<Uint8Array>): Promise<void>
  hasWal(placement: DatabasePlacement, name: string): Promise<boolean>
  /**
   * Replays the WAL, ends the recovery and stops the server again; from then on it is started like any other. Answers when
   * the last transaction that was replayed had been committed, the number of the last segment of WAL that was replayed with how
   * long that took, in ms; null where its server did not say.
   */
  recover(
    database: ProviderDatabase,
    placement: DatabasePlacement,
    target: RecoveryTarget,
    /** Of the server that the backup is of: recovery needs as many. */
    maxConnections: number,
    step: Step,
  ): Promise<{ reachedAt: Date | null; replayed: { lastSegment: number; ms: number } | null }>
}
