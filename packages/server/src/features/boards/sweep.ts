import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'
import { boardFileKind } from './import-board.ts'

const empty = { panels: [], variables: [], range: '24h', compare: 'week' } as const

async function boardOf(world: World): Promise<SweepCall> {
  const { body } = await asOwner(world, 'POST', '/api/boards', { name: newName() })
  return { params: { id: body.id } }
}

const fileOf = () =>
  JSON.stringify({ kind: boardFileKind, name: newName(), description: '', definition: empty })

export const sweepCalls: SweepCalls = {
  'boards.get': { call: boardOf },
  'boards.create': { call: () => ({ body: { name: newName() } }) },
  'boards.import': { call: () => ({ body: { source: fileOf() } }) },
  'boards.export': { call: boardOf },
  'boards.reading': { call: boardOf },
  'boards.versions': { call: boardOf },
  'boards.restore': {
    async call(world) {
      const made = await boardOf(world)
      // A version that is the current one already would change nothing.
      await asOwner(world, 'PATCH', `/api/boards/${made.params?.['id']}`, { name: newName() })
      return { ...made, body: { version: 1 } }
    },
  },
  'boards.update': {
    call: async (world) => ({ ...(await boardOf(world)), body: { description: 'Changed' } }),
  },
  'boards.delete': { call: boardOf },
}
