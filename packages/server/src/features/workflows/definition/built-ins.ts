import { and, eq } from 'drizzle-orm'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { workflows } from '../../../tables/workflows.ts'
import type { WorkflowParts } from '../parts.ts'

/** The rows of built-in workflows: every organization has them. */
export function createBuiltIns({ definitions }: Pick<WorkflowParts, 'definitions'>) {
  /** Ids that are committed, for they never change. */
  const knownIds = new Map<string, string>()

  /** Makes those of an organization that are missing. */
  async function ensure(db: Db, organizationId: number): Promise<void> {
    const rows = [...definitions.values()].map(({ key, name, description, type }) => ({
      id: uuidv7(),
      organizationId,
      name,
      description,
      type,
      builtIn: key,
    }))
    await db.insert(workflows).values(rows).onConflictDoNothing()
  }

  /** The id of a built-in workflow in an organization; makes its row where it is missing. */
  async function idOf(db: Db, organizationId: number, key: string): Promise<string> {
    const known = knownIds.get(`${organizationId}:${key}`)
    if (known !== undefined) return known
    const committed = await findId(db, organizationId, key)
    if (committed !== undefined) {
      knownIds.set(`${organizationId}:${key}`, committed)
      return committed
    }
    await ensure(db, organizationId)
    const made = await findId(db, organizationId, key)
    if (made === undefined) throw new Error(`There is no built-in workflow "${key}"`)
    return made
  }

  return { ensure, idOf }
}

export type BuiltIns = ReturnType<typeof createBuiltIns>

async function findId(db: Db, organizationId: number, key: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: workflows.id })
    .from(workflows)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.builtIn, key)))
  return row?.id
}
