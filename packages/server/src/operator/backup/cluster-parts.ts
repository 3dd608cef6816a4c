import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { walFileName } from '@bey/contract'
import pg from 'pg'

import type { ArchivePart } from '../../features/databases/backups/file-range.ts'
import type { BaseBackupFacts } from '../../features/databases/backups/database-files.ts'
import { baseBackup } from '../../providers/databases/base-backup.ts'
import { tarEnd, tarHeader } from '../../providers/databases/tar.ts'
import type { RunningCluster } from './running-cluster.ts'

type Options = {
  label: string
  signal: AbortSignal
  onMoment?: { before(): Promise<void>; after(): Promise<void> }
}

/** Stores a part; answers what the manifest says of it. */
type StorePart = (source: AsyncIterable<ArchivePart>) => Promise<void>

/**
 * Copies a running server: its files, then the WAL that was written meanwhile, without which the files are of no use. A
 * temporary replication slot keeps that WAL; it ends with the session, so a killed backup holds nothing back.
 */
export async function backUpCluster(
  cluster: RunningCluster,
  { label, signal, onMoment }: Options,
  store: { files: StorePart; wal: StorePart },
): Promise<BaseBackupFacts> {
  const client = new pg.Client({
    ...cluster.connection,
    database: 'postgres',
    application_name: 'bey-instance-backup',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      `bey_${label.replaceAll(/[^a-z0-9]/gi, '_').toLowerCase()}`.slice(0, 60),
    ])
    const options = { label, signal, onCopied: () => undefined, ...(onMoment && { onMoment }) }
    const backup = baseBackup(client, cluster.clusterDir, options)
    try {
      await store.files(backup.tar)
    } finally {
      await backup.close()
    }
    const facts = backup.facts()
    await store.wal(walFiles(cluster.clusterDir, facts))
    return facts
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The end of a backup begins a new file of the WAL, so all of these are complete. */
async function* walFiles(clusterDir: string, facts: BaseBackupFacts): AsyncGenerator<ArchivePart> {
  const { timeline, startSegment, stopSegment } = facts
  for (let number = startSegment; number <= stopSegment; number += 1) {
    const name = walFileName({ timeline, number })
    const content = await readFile(join(clusterDir, 'pg_wal', name))
    const head = { name, isDirectory: false, mode: 0o600, modifiedAt: facts.consistentAt }
    yield tarHeader({ ...head, sizeBytes: content.length })
    yield content
  }
  yield tarEnd
}
