import type { DatabaseMessage, DatabaseMessageType } from '@bey/contract'

import type { Db } from '../../platform/db/database.ts'
import { enqueue, messageOf } from '../../platform/webhooks/enqueue.ts'

/** Sends a message about a database to the webhooks that want it, in the transaction of what happened. */
export async function sendDatabaseMessage(
  db: Db,
  organizationId: number,
  type: DatabaseMessageType,
  message: DatabaseMessage,
): Promise<void> {
  await enqueue(db, [messageOf(organizationId, type, message)])
}
