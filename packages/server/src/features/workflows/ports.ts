import type { Db } from '../../platform/db/database.ts'
import type { AnyPublishedEvent } from '../../platform/live/publish.ts'

/** Publishes live events inside the caller's transaction: they are delivered after the commit, or never. */
export type Publish = (db: Db, events: readonly AnyPublishedEvent[]) => Promise<void>

/** An approval that waits for people; `remindedBy` is the name of who asks them again. */
export type AskedApproval = { id: string; organizationId: number; remindedBy?: string }
