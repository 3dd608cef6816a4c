import type { GivenUser } from '../../testing/given.ts'
import { type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

const annotationInput = (user: GivenUser) => ({
  userId: user.id,
  componentName: 'Table',
  xpath: '//*[@id="main"]/div[1]',
  annotationText: 'The columns jump.',
  url: '/workflows',
  viewport: { width: 1440, height: 900 },
  elementRect: { top: 0, left: 0, width: 10, height: 10 },
})

async function annotationOf({ app, organizationId }: World, user: GivenUser): Promise<SweepCall> {
  const note = await app.given.annotation({ organizationId, userId: user.id })
  return { params: { id: note.id } }
}

export const sweepCalls: SweepCalls = {
  'annotations.create': { call: (_world, user) => ({ body: annotationInput(user) }) },
  'annotations.get': { call: annotationOf },
  'annotations.reply': {
    call: async (world, user) => ({ ...(await annotationOf(world, user)), body: { text: 'Seen.' } }),
  },
  'annotations.update': {
    call: async (world, user) => ({ ...(await annotationOf(world, user)), body: { status: 'resolved' } }),
  },
  'annotations.delete': { call: annotationOf },
}
