import { quotaFaultBytes } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import { openEmbedded } from '../open-connection.ts'
import type { DatabaseParts } from '../parts.ts'
import type { DatabasePlacement } from '../provider.ts'
import type { NoticeHealth } from '../../notifications/health-notices.ts'
import { createQuotaRound, limitOf } from '../quota/quota-round.ts'
import { dropFilling, fill, readServerQuota } from '../quota/server-quota.ts'
import { failureOf } from '../sql/open-session.ts'
import type { DatabaseRow } from '../store.ts'

type Parts = Pick<DatabaseParts, 'database' | 'providers'> & {
  clock: Pick<Clock, 'now'>
  noticeHealth: NoticeHealth
}

/**
 * Fills the disk quota of a database with a marked table, which says itself until when: whatever process looks at the
 * database after that drops it. Throws AppError `conflict` where too much is left of the quota or of the disk.
 */
export async function fillQuota(
  parts: Parts,
  row: DatabaseRow,
  placement: DatabasePlacement,
  seconds: number,
): Promise<string> {
  const { embedded } = parts.providers
  const admin = await openEmbedded(embedded, placement, row.databaseName).catch((error: unknown) => {
    throw failureOf(row.name, error)
  })
  try {
    const limitBytes = limitOf(row)
    const { usedBytes } = await readServerQuota(admin)
    const leftBytes = limitBytes - usedBytes
    const { freeDiskBytes } = await embedded.capacity()
    if (leftBytes > quotaFaultBytes) {
      throw new AppError(
        'conflict',
        `Its disk quota has ${mib(leftBytes)} left, and up to ${mib(quotaFaultBytes)} are filled for practice. Set a smaller quota first.`,
      )
    }
    if (leftBytes * 4 > freeDiskBytes) {
      throw new AppError(
        'conflict',
        `Its disk quota has ${mib(leftBytes)} left, and the disk of the machine ${mib(freeDiskBytes)}: the rest would be too little for others.`,
      )
    }
    try {
      await fill(admin, limitBytes, new Date(parts.clock.now().getTime() + seconds * 1_000))
    } catch (error) {
      await dropFilling(admin).catch(() => undefined)
      throw failureOf(row.name, error)
    }
  } finally {
    await admin.end()
  }
  await createQuotaRound(parts)(row, placement)
  return `Its disk quota is full, so it refuses to write. What fills it is dropped after ${seconds} s.`
}

const mib = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`
