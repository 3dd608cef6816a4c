import { readyBoards } from '@bey/contract/boards/ready-boards'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { DemoPart } from '../../platform/demo.ts'
import { insertBoard } from './store.ts'

const seeded = 'Seeded with the demo.'

/** Two boards of the team: production for everyone, and the database of the shop. */
export const boardsDemo: DemoPart = async (db, { organizationId, people, now }) => {
  const { fleet, databases } = readyBoards
  const boards = [
    {
      name: 'Production',
      description: `Both production clusters in one view. ${seeded}`,
      definition: { ...fleet.definition, range: '24h' as const },
      by: people.kaya,
    },
    {
      name: 'Shop database',
      description: `Load and connections of shop-orders. ${seeded}`,
      definition: { ...databases.definition, range: '1h' as const },
      by: people.noor,
    },
  ]
  for (const { name, description, definition, by } of boards) {
    const createdAt = new Date(now.getTime() - 9 * 86_400_000)
    await insertBoard(db, {
      id: uuidv7(),
      organizationId,
      name,
      description,
      visibility: 'organization',
      definition,
      createdBy: by.id,
      createdAt,
      updatedAt: createdAt,
    })
  }
}
