import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Sample } from './metrics.ts'
import type { PointStore } from './points.ts'
import {
  addSeries,
  loadSeries,
  type MeasuredEntity,
  type Place,
  type Quota,
  seriesKey,
  touchSeries,
} from './series.ts'
import { steps } from './steps.ts'

/** What became of a batch. `reason` is a sentence for people when some of it was refused. */
export type WriteOutcome = { written: number; refused: number; reason: string | null }

const maxSamplesPerWrite = 100_000
/** Clocks differ a little. */
const maxAheadMs = 60_000
/** Later than this, the hour's samples may be dropped before they are rolled up. */
const maxLateMs = steps.sample.keptMs - 10 * 60_000
/** How old the stored time may be at which a series was last seen. */
const touchAfterMs = 3_600_000

type KnownPlace = Place & { lastSeenAtMs: number }

/** Writes batches and remembers where the series of each entity are. */
export function createWriter(deps: {
  points: PointStore
  clock: Clock
  quota: Quota
  /** Makes the partitions that are missing. */
  makeRoom: () => Promise<void>
}) {
  const { points, clock, quota } = deps
  const known = new Map<string, Map<string, KnownPlace>>()
  const inTurn = createTurns()
  const keyOf = (organizationId: number, { type, id }: MeasuredEntity) => `${organizationId}/${type}/${id}`

  async function place(
    db: Db,
    organizationId: number,
    entity: MeasuredEntity,
    at: Date,
    samples: readonly Sample[],
  ) {
    const atMs = at.getTime()
    let places: Map<string, KnownPlace> =
      known.get(keyOf(organizationId, entity)) ?? (await loadSeries(db, organizationId, entity))
    const keys = samples.map(seriesKey)
    const stale = keys.flatMap((key) => {
      const found = places.get(key)
      return found && atMs - found.lastSeenAtMs > touchAfterMs ? [{ key, found }] : []
    })
    if (stale.length > 0) {
      const isThere = await touchSeries(
        db,
        organizationId,
        stale.map(({ found }) => found),
        at,
      )
      places = new Map(places)
      for (const { key, found } of stale) {
        if (isThere.has(key)) places.set(key, { ...found, lastSeenAtMs: atMs })
        else places.delete(key)
      }
    }
    let refused = 0
    const isNew = (_: Sample, index: number) => !places.has(keys[index] ?? '')
    const added = samples.filter(isNew)
    if (added.length > 0) {
      const of = { organizationId, entity, at }
      const outcome = await addSeries(
        db,
        of,
        added.map(({ metric, labels, span = 'year' }) => ({ metric, span, ...(labels && { labels }) })),
        quota,
      )
      refused = outcome.refused
      places = outcome.places
    }
    const values = samples.flatMap(({ metric, labels, value }, index) => {
      const found = places.get(keys[index] ?? '')
      return found ? [{ block: found.block, slot: found.slot, value, metric, ...(labels && { labels }) }] : []
    })
    return { batch: { organizationId, entity, atMs, values }, refused, places }
  }

  async function write(
    organizationId: number,
    entity: MeasuredEntity,
    at: Date,
    samples: readonly Sample[],
  ): Promise<WriteOutcome> {
    const ageMs = clock.now().getTime() - at.getTime()
    if (ageMs > maxLateMs) return refuseAll(samples, 'They are of a time that has been rolled up already.')
    if (ageMs < -maxAheadMs) return refuseAll(samples, 'They are of a time to come.')
    const valid = samples.filter(({ value }) => Number.isFinite(value)).slice(0, maxSamplesPerWrite)
    const invalid = samples.length - valid.length
    if (valid.length === 0)
      return { written: 0, refused: invalid, reason: invalid > 0 ? invalidReason : null }
    const { batch, refused, places } = await points.write(organizationId, (db) =>
      place(db, organizationId, entity, at, valid),
    )
    // Only what was committed is remembered.
    known.set(keyOf(organizationId, entity), places)
    return {
      written: batch.values.length,
      refused: refused + invalid,
      reason:
        refused > 0
          ? `The organization has its ${quota.series} series of metrics; new ones are not kept.`
          : invalid > 0
            ? invalidReason
            : null,
    }
  }

  return {
    /** A partition that is missing, for the server slept or its clock was set, is made and the write repeated. */
    write: (...batch: Parameters<typeof write>): Promise<WriteOutcome> =>
      inTurn(batch[0], async () => {
        try {
          return await write(...batch)
        } catch (error) {
          if (!isWithoutPartition(error)) throw error
          await deps.makeRoom()
          return write(...batch)
        }
      }),
    release: (organizationId: number, entity: MeasuredEntity) =>
      void known.delete(keyOf(organizationId, entity)),
  }
}

/**
 * Writes of one organization, one after the other. In the database each would wait for the quota that the one before it
 * holds, and keep a connection from people's requests meanwhile.
 */
function createTurns() {
  const last = new Map<number, Promise<unknown>>()
  return async <T>(organizationId: number, work: () => Promise<T>): Promise<T> => {
    const before = last.get(organizationId)
    const turn = (before ?? Promise.resolve()).then(work)
    const over = turn.catch(() => undefined)
    last.set(organizationId, over)
    try {
      return await turn
    } finally {
      if (last.get(organizationId) === over) last.delete(organizationId)
    }
  }
}

const invalidReason = 'Some values are no numbers, or too many came at once.'

const refuseAll = (samples: readonly Sample[], reason: string): WriteOutcome => ({
  written: 0,
  refused: samples.length,
  reason,
})

/** SQLSTATE 23514, which is also the code where no partition takes a row. */
function isWithoutPartition(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return code === '23514'
}
