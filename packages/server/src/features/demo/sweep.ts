import { issueTicket } from '../auth/tickets.ts'
import type { SweepCalls, World } from '../../testing/sweep.ts'

/** Says of an organization that it is a demo, which never sleeps; it has no clusters of one. */
async function markAsDemo({ app }: World, organizationId: number): Promise<void> {
  await app.database.ownerPool.query(
    `insert into demos (organization_id, ends_at, seen_at) values ($1, now() + interval '1 day', now() + interval '1 day')
     on conflict do nothing`,
    [organizationId],
  )
}

export const sweepCalls: SweepCalls = {
  'demo.visit': {
    async call({ app }) {
      const { token } = await app.database.asSystem('test', (db) =>
        issueTicket(db, 'demo', { userId: null, data: {}, now: new Date() }),
      )
      return { body: { ticket: token } }
    },
  },
  'demo.get': {
    async call(world) {
      await markAsDemo(world, world.organizationId)
      return {}
    },
  },
  'demo.remove': {
    async call(world) {
      const as = await world.app.given.user()
      await markAsDemo(world, as.organizationId)
      return { as }
    },
  },
}
