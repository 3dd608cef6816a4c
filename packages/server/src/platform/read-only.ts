import type { Clock } from './clock.ts'
import type { Database } from './db/database.ts'
import { AppError } from './errors.ts'
import type { Log } from './log.ts'

export type ReadOnlyState = {
  /** Why, for everybody; can be empty. */
  reason: string
  /** ISO 8601. */
  since: string
}

export type ReadOnlyMode = {
  /** Undefined while it is off. */
  state(): ReadOnlyState | undefined
  isOn(): boolean
  /** Reads at once what is stored. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** Name of the stored setting. */
export const readOnlySetting = 'read-only'
const lookEveryMs = 1_000

type Query = (text: string, values: unknown[]) => Promise<object[]>

/** Whether this instance is read-only, asked of its database; undefined while it is not. Every part of Bey decides by this. */
export async function readReadOnlyState(query: Query): Promise<ReadOnlyState | undefined> {
  const [row] = await query('select value from instance_settings where name = $1', [readOnlySetting])
  // Written by the operator's endpoint alone, whose contract gives it this shape.
  return (row as { value: ReadOnlyState } | undefined)?.value
}

/** Whether this instance is read-only, as it is stored: every process knows it within about a second. */
export async function openReadOnlyMode(options: {
  database: Database
  clock: Clock
  log: Log
}): Promise<ReadOnlyMode> {
  const { database, clock, log } = options
  let state: ReadOnlyState | undefined

  async function refresh(): Promise<void> {
    const next = await readReadOnlyState(
      async (text, values) =>
        (await database.ownerPool.query<object>({ name: 'read_only', text, values })).rows,
    )
    if ((next === undefined) !== (state === undefined))
      log.info(
        { reason: next?.reason },
        next === undefined ? 'Read-only mode has ended' : 'Read-only mode has begun',
      )
    state = next
  }

  await refresh()
  const stop = clock.setInterval(() => {
    // What was known last holds while the database is away.
    refresh().catch((error: unknown) =>
      log.debug({ err: error }, 'Whether Bey is read-only could not be read'),
    )
  }, lookEveryMs)
  return { state: () => state, isOn: () => state !== undefined, refresh, stop: async () => stop() }
}

/** The refusal of a change. */
export function refusedReadOnly({ reason }: ReadOnlyState): AppError {
  const why = reason === '' ? '' : ` Its operator says: ${reason}`
  return new AppError(
    'read_only',
    `Bey is read-only at the moment, so nothing was changed. Try again later.${why}`,
    { retryAfterSeconds: 30 },
  )
}
