import type { BeySession } from './api-session.ts'
import type { RouteIds } from './all-routes.ts'
import { seedApiKeys } from './seed-api-keys.ts'
import { seedIncident } from './seed-incident.ts'
import { seedMembers } from './seed-members.ts'
import { createObject, type Workload } from './seed-objects.ts'
import { seedWebhooks } from './seed-webhooks.ts'
import { seedSecrets } from './seed-secrets.ts'
import { seedAnnotation, seedError } from './seed-reports.ts'

const gibibyte = 1024 ** 3

const clusters = [
  { title: 'prod-eu-1', groups: [{ name: 'workers', count: 5, cpuCores: 8, memoryBytes: 32 * gibibyte }] },
  { title: 'staging-eu-1', groups: [{ name: 'workers', count: 3, cpuCores: 4, memoryBytes: 16 * gibibyte }] },
  { title: 'dev-sandbox', groups: [{ name: 'workers', count: 1, cpuCores: 4, memoryBytes: 8 * gibibyte }] },
]

const workloads: Workload[] = [
  {
    namespace: 'payments',
    name: 'checkout',
    replicas: 4,
    image: 'registry.example.com/checkout:2.14.0',
    cpu: '500m',
    memory: '512Mi',
  },
  {
    namespace: 'payments',
    name: 'ledger',
    replicas: 2,
    image: 'registry.example.com/ledger:1.9.3',
    cpu: '1',
    memory: '2Gi',
  },
  {
    namespace: 'catalog',
    name: 'search',
    replicas: 3,
    image: 'registry.example.com/search:5.0.1',
    cpu: '750m',
    memory: '1Gi',
  },
  { namespace: 'catalog', name: 'images', replicas: 2, image: 'nginx:1.29', cpu: '250m', memory: '256Mi' },
  {
    namespace: 'default',
    name: 'status-page',
    replicas: 1,
    image: 'nginx:1.29',
    cpu: '100m',
    memory: '64Mi',
  },
]

/** Fills an organization with clusters, workloads, secrets, an incident, history, an error and a note, by the same API that people use. Asked twice, adds what is missing. */
export async function seedOrganization(session: BeySession): Promise<RouteIds> {
  const { client } = session
  const listed = await client.call('clusters.list', { query: { limit: 200 } })
  const known = new Map(listed.clusters.map((cluster) => [cluster.title, cluster.id]))
  const isFirstTime = known.size === 0

  if (isFirstTime) await createAndDelete(session, 'load-test')
  for (const { title, groups } of clusters) {
    if (known.has(title)) continue
    const created = await client.call('clusters.create', {
      body: { title, provider: 'sandbox', nodeGroups: groups },
    })
    known.set(title, created.id)
  }
  const ids = clusters.map(({ title }) => known.get(title)).filter((id) => id !== undefined)
  await Promise.all(ids.map((id) => untilSettled(session, id)))

  const [production, staging] = ids
  if (production === undefined || staging === undefined)
    throw new Error('The clusters of the seed are missing.')
  for (const workload of workloads) await createObject.workload(session, production, workload)
  for (const workload of workloads.slice(0, 3))
    await createObject.workload(session, staging, { ...workload, replicas: 1 })

  await seedIncident(session, production)

  const cluster = await client.call('clusters.get', { params: { id: production } })
  if (!cluster.lastRun) throw new Error('The first cluster has no run.')
  await seedAnnotation(session)
  await seedMembers(session)
  // Before the secrets, whose events it fails to send.
  const webhookId = await seedWebhooks(session)
  return {
    clusterId: production,
    ...cluster.lastRun,
    errorId: await seedError(session),
    secretId: await seedSecrets(session),
    apiKeyId: await seedApiKeys(session, production),
    webhookId,
  }
}

/** One cluster in which everything works; answers its id. */
export async function seedCluster(session: BeySession, title: string): Promise<number> {
  const { id } = await session.client.call('clusters.create', { body: { title, provider: 'sandbox' } })
  await untilSettled(session, id)
  for (const workload of workloads.slice(0, 3)) {
    await createObject.workload(session, id, { ...workload, replicas: 1 })
  }
  return id
}

async function createAndDelete(session: BeySession, title: string): Promise<void> {
  const { id } = await session.client.call('clusters.create', { body: { title, provider: 'sandbox' } })
  await untilSettled(session, id)
  await session.client.call('clusters.delete', { params: { id } })
  await untilSettled(session, id)
}

/** Waits until no operation is pending; throws where one failed. */
async function untilSettled({ client }: BeySession, id: number): Promise<void> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    const { status, error, pending_operations } = await client.call('clusters.status', { params: { id } })
    if (status === 'ERROR') throw new Error(`Cluster ${id} failed: ${error}`)
    if (pending_operations === 0) return
    await new Promise((done) => setTimeout(done, 250))
  }
  throw new Error(`Cluster ${id} was not settled within two minutes.`)
}
