import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

const rule = () => ({
  name: newName(),
  expr: 'connections',
  condition: { kind: 'threshold', direction: 'above', limit: 80 },
  forMs: 300_000,
})

async function alertOf(world: World): Promise<SweepCall> {
  const { body } = await asOwner(world, 'POST', '/api/alerts', rule())
  return { params: { id: body.id } }
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

async function firingAlertOf(world: World): Promise<SweepCall> {
  const call = await alertOf(world)
  await world.app.database.ownerPool.query(
    `insert into alert_episodes (id, organization_id, alert_id, labels, fired_at)
     values (gen_random_uuid(), $1, $2, '{}', now())`,
    [world.organizationId, call.params?.['id']],
  )
  return call
}

export const sweepCalls: SweepCalls = {
  'alerts.get': { call: alertOf },
  'alerts.create': { call: () => ({ body: rule() }) },
  'alerts.update': {
    call: async (world) => ({ ...(await alertOf(world)), body: { description: 'Changed', version: 1 } }),
  },
  'alerts.delete': { call: alertOf },
  'alerts.acknowledge': { call: firingAlertOf },
  'alerts.silence': {
    call: async (world) => ({ ...(await alertOf(world)), body: { until: inAnHour(), reason: 'Repair' } }),
  },
  'alerts.unsilence': { call: alertOf },
  'alerts.history': { call: alertOf },
  'alerts.test': { call: alertOf },
  'alerts.replay': {
    call: () => ({
      body: { expr: rule().expr, condition: rule().condition, forMs: 300_000, days: 1 },
    }),
  },
}
