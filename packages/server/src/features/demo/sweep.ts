import type { SweepCalls, World } from '../../testing/sweep.ts'

/** An organization that says that it is a demo, without the clusters of one. */
async function givenDemo({ app }: World) {
  const as = await app.given.user()
  await app.database.ownerPool.query(
    `insert into demos (organization_id, created_by, ends_at, seen_at) values ($1, $2, now() + interval '1 day', now())`,
    [as.organizationId, as.id],
  )
  return { as }
}

export const sweepCalls: SweepCalls = {
  'demo.get': { call: givenDemo },
  'demo.remove': { call: givenDemo },
}
