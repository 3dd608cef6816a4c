import type { LiveEvents, LiveEventType } from '@bey/contract'

import type { Db } from '../../platform/db/database.ts'

/** CLUSTERS_UPDATE goes without data, which the hub builds at delivery. */
export type RunEvent = {
  [T in LiveEventType]: {
    organizationId: number
    type: T
    message?: string
  } & (T extends 'CLUSTERS_UPDATE' ? { data?: undefined } : { data: LiveEvents[T] })
}[LiveEventType]

/** Publishes live events inside the caller's transaction: they are delivered after the commit, or never. */
export type Publish = (db: Db, events: readonly RunEvent[]) => Promise<void>
