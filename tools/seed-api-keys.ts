import type { BeySession } from './api-session.ts'

/** Keys in every state but expired, which takes a day at least. Answers the id of one that is being rotated. */
export async function seedApiKeys({ client }: BeySession, clusterId: number): Promise<string> {
  const { keys } = await client.call('apiKeys.list', { query: { search: 'deploys' } })
  const [found] = keys
  if (found) return found.id
  const { key } = await client.call('apiKeys.create', {
    body: {
      name: 'deploys of production',
      isPersonal: false,
      permissions: ['organization.read', 'clusters.read', 'kubernetes.read', 'kubernetes.write'],
      resources: [{ type: 'cluster', id: String(clusterId) }],
      allowedAddresses: ['203.0.113.0/24', '2001:db8:7::/48'],
      requestsPerMinute: 120,
    },
  })
  await client.call('apiKeys.rotate', { params: { id: key.id }, body: { overlapHours: 24 } })
  await client.call('apiKeys.create', {
    body: {
      name: 'my terminal',
      isPersonal: true,
      permissions: ['clusters.read', 'workflows.read', 'secrets.read'],
      expiresInDays: 7,
    },
  })
  const { key: ended } = await client.call('apiKeys.create', {
    body: {
      name: 'former backup script',
      isPersonal: false,
      permissions: ['clusters.read'],
      expiresInDays: null,
    },
  })
  await client.call('apiKeys.revoke', { params: { id: ended.id } })
  return key.id
}
