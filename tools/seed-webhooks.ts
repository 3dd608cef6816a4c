import type { BeySession } from './api-session.ts'

/** One webhook whose receiver is down, with its log, and one that is paused. Answers the id of the first. */
export async function seedWebhooks({ client }: BeySession): Promise<string> {
  const { webhooks } = await client.call('webhooks.list', { query: { search: 'chat' } })
  const [found] = webhooks
  if (found) return found.id
  const { webhook } = await client.call('webhooks.create', {
    // Nothing listens at the discard port.
    body: {
      name: 'chat of the team',
      url: 'http://127.0.0.1:9/hooks/bey',
      events: ['run.updated', 'cluster.provisioning', 'secret.updated'],
      headers: { Authorization: 'Bearer of-the-seed' },
    },
  })
  for (const type of ['run.updated', 'secret.updated']) {
    await client.call('webhooks.test', { params: { id: webhook.id }, body: { type } })
  }
  const { webhook: paused } = await client.call('webhooks.create', {
    body: {
      name: 'ticket system',
      url: 'https://tickets.example.com/hooks',
      events: ['run.updated'],
      isOrdered: true,
    },
  })
  await client.call('webhooks.update', { params: { id: paused.id }, body: { status: 'paused' } })
  return webhook.id
}
