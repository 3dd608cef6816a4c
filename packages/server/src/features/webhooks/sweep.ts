import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

const input = () => ({ name: newName(), url: 'http://127.0.0.1:9/hook', events: ['secret.updated'] })

async function webhookOf(world: World): Promise<SweepCall & { params: { id: string } }> {
  const { body } = await asOwner(world, 'POST', '/api/webhooks', input())
  return { params: { id: body.webhook.id } }
}

async function deliveryOf(world: World) {
  const { params } = await webhookOf(world)
  const { body } = await asOwner(world, 'POST', `/api/webhooks/${params.id}/test`, {
    type: 'secret.updated',
  })
  return { params: { ...params, deliveryId: body.id } }
}

const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
export const sweepCalls: SweepCalls = {
  'webhooks.get': { call: webhookOf },
  'webhooks.create': { call: () => ({ body: input() }) },
  'webhooks.update': {
    call: async (world) => ({ ...(await webhookOf(world)), body: { name: newName() } }),
  },
  'webhooks.rotateSecret': { call: async (world) => ({ ...(await webhookOf(world)), body: {} }) },
  'webhooks.delete': { call: webhookOf },
  'webhooks.test': {
    call: async (world) => ({ ...(await webhookOf(world)), body: { type: 'secret.updated' } }),
  },
  'webhooks.deliveries': { call: deliveryOf },
  'webhooks.delivery': { call: deliveryOf },
  'webhooks.replay': { call: async (world) => ({ ...(await webhookOf(world)), body: range }) },
}
