import { sql } from 'drizzle-orm'

import { metricQueryBounds } from '@bey/contract'
import type { Database, Db } from '../db/database.ts'
import { evaluationError } from './promql/evaluation-error.ts'
import { type Points, readPoints, type ReadRange } from './read.ts'
import type { MeasuredEntity, Place, SeriesName } from './series.ts'
import { type PlacedValue, writeSamples } from './write.ts'

export type ReadTenant = <T>(work: (db: Db) => Promise<T>) => Promise<T>

/** Values of one moment of one entity, with the series that each belongs to. */
export type Batch = {
  organizationId: number
  entity: MeasuredEntity
  atMs: number
  values: readonly (PlacedValue & SeriesName)[]
}

/**
 * Where the values of series are kept. Which series there are, and how they are called, is always kept in PostgreSQL:
 * that is a row a series, while the values are what grows.
 */
export type PointStore = {
  /** Keeps a batch that `place` makes in a transaction. Resolves once the batch is kept, or waits to be sent. */
  write<T extends { batch: Batch }>(organizationId: number, place: (db: Db) => Promise<T>): Promise<T>
  /** Points of series at each place, in the order given; `includesMaxima` false leaves their maxima empty. */
  read(
    readTenant: ReadTenant,
    organizationId: number,
    places: readonly (Place | undefined)[],
    range: ReadRange,
    options: { nowMs: number; includesMaxima: boolean },
  ): Promise<Points[]>
  /** Whether the store itself rolls up and forgets old values. */
  isRemote: boolean
  stop(): Promise<void>
}

/** Values in PostgreSQL itself (docs/decisions/016). */
export function tablePoints(database: Pick<Database, 'withTenant'>): PointStore {
  return {
    write: (organizationId, place) =>
      database.withTenant(organizationId, async (db) => {
        const placed = await place(db)
        await writeSamples(db, organizationId, placed.batch.atMs, placed.batch.values)
        return placed
      }),
    read: (readTenant, organizationId, places, range, { nowMs }) =>
      readTenant(async (db) => {
        await db.execute(sql.raw(`set local statement_timeout = ${metricQueryBounds.timeoutMs}`))
        return readPoints(db, organizationId, places, range, nowMs)
      }).catch(explainTimeout),
    isRemote: false,
    stop: () => Promise.resolve(),
  }
}

/** SQLSTATE 57014: the statement took too long. */
function explainTimeout(error: unknown): never {
  const cause = error instanceof Error ? error.cause : undefined
  if (typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === '57014') {
    throw evaluationError(
      `The expression took longer than ${metricQueryBounds.timeoutMs / 1_000} s. Choose a shorter range or fewer series.`,
    )
  }
  throw error
}
