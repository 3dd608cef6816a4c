import type { BoardDefinition } from '@bey/contract'
import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { Db } from '../platform/db/database.ts'
import { boards, boardVersions } from '../tables/boards.ts'

const definition: BoardDefinition = { panels: [], variables: [], range: '24h', compare: 'none' }

/** A board of an organization with its first version. */
export async function insertBoardRows(db: Db, organizationId: number): Promise<void> {
  const boardId = uuidv7()
  const row = { organizationId, name: 'one', description: '', definition, version: 1 }
  await db.insert(boards).values({ ...row, id: boardId, visibility: 'organization' })
  await db.insert(boardVersions).values({ ...row, boardId })
}
