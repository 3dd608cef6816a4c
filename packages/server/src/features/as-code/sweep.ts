import { asOwner, newName, type SweepCalls } from '../../testing/sweep.ts'

const documentOf = (name: string) => ({ kind: 'board', name, spec: { description: 'Made from a file' } })

export const sweepCalls: SweepCalls = {
  'asCode.plan': { call: () => ({ body: { documents: [documentOf(newName())] } }) },
  'asCode.apply': {
    role: 'MEMBER',
    call: () => ({ body: { ...documentOf(newName()), action: 'create', revision: 'absent' } }),
  },
  'asCode.export': {
    async call(world) {
      const name = newName()
      await asOwner(world, 'POST', '/api/boards', { name })
      return { query: `kind=board&name=${name}` }
    },
  },
}
