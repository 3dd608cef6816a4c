import type { LiveEvents, LiveEventType } from '@bey/contract'

import type { Db } from '../../platform/db/database.ts'

/**
 * Publishes a live event inside the caller's transaction: it is delivered after the commit, or never.
 * CLUSTERS_UPDATE goes without data, which the hub builds at delivery.
 */
export type Publish = <T extends LiveEventType>(
  db: Db,
  event: { organizationId: number; type: T; message?: string } & (T extends 'CLUSTERS_UPDATE'
    ? { data?: undefined }
    : { data: LiveEvents[T] }),
) => Promise<void>
