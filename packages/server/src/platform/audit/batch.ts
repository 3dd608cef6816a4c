import type { Database } from '../db/database.ts'
import { type AuditEntry, type AuditRow, auditRow, insertAudit } from './audit.ts'

/** Rows that travel in one statement. */
const rowsAtOnce = 200

type Waiting = { row: AuditRow; resolve: () => void; reject: (error: unknown) => void }
type Queue = { waiting: Waiting[] }

export type AuditBatch = {
  /** Resolves with the entry's id once it is committed. For what is not part of a transaction of our own database. */
  write(entry: AuditEntry): Promise<string>
}

/**
 * Writes entries that stand alone. What is asked for while an organization's transaction is under way goes into the
 * next one together, so that a burst costs a few commits.
 */
export function createAuditBatch(database: Pick<Database, 'withTenant'>): AuditBatch {
  const queues = new Map<number, Queue>()

  async function work(organizationId: number, queue: Queue): Promise<void> {
    for (;;) {
      const batch = queue.waiting.splice(0, rowsAtOnce)
      if (batch.length === 0) break
      await insert(organizationId, batch)
    }
    queues.delete(organizationId)
  }

  async function insert(organizationId: number, batch: Waiting[]): Promise<void> {
    try {
      await database.withTenant(organizationId, (db) =>
        insertAudit(
          db,
          batch.map(({ row }) => row),
        ),
      )
    } catch (error) {
      const [first] = batch
      if (batch.length === 1) return first?.reject(error)
      // One row that the database refuses must not take the others along.
      for (const each of batch) await insert(organizationId, [each])
      return
    }
    for (const { resolve } of batch) resolve()
  }

  return {
    async write(entry) {
      const row = auditRow(entry)
      const { organizationId } = entry
      await new Promise<void>((resolve, reject) => {
        const found = queues.get(organizationId)
        if (found) return void found.waiting.push({ row, resolve, reject })
        const queue = { waiting: [{ row, resolve, reject }] }
        queues.set(organizationId, queue)
        void work(organizationId, queue)
      })
      return row.id
    },
  }
}
