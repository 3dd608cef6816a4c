import type { BeySession } from './api-session.ts'
import { createObject, type Database, type Workload } from './seed-objects.ts'

/** What goes wrong in production: a crash, a loop of memory, an image that is not there, and no room for a pod. */
const broken: Workload[] = [
  {
    namespace: 'payments',
    name: 'receipts-mailer',
    replicas: 3,
    image: 'registry.example.com/receipts-mailer:2.18.0',
    cpu: '100m',
    memory: '128Mi',
    behavior: 'crash',
  },
  {
    namespace: 'catalog',
    name: 'recommender',
    replicas: 1,
    image: 'registry.example.com/recommender:0.3.2',
    cpu: '250m',
    memory: '256Mi',
    behavior: 'oom',
  },
  {
    namespace: 'catalog',
    name: 'search-suggest',
    replicas: 2,
    image: 'registry.example.com/search-suggest:3.0.0-typo',
    cpu: '100m',
    memory: '128Mi',
  },
  {
    namespace: 'payments',
    name: 'fraud-model',
    replicas: 1,
    image: 'registry.example.com/fraud-model:5.1.0',
    cpu: '500m',
    memory: '900Gi',
  },
]

/** One of them runs full. */
const databases: Database[] = [
  { namespace: 'payments', name: 'ledger-db', size: '20Gi', used: '18.7Gi' },
  { namespace: 'catalog', name: 'search-db', size: '50Gi', used: '21.4Gi' },
]

/** Brings trouble into a cluster, so that no screen is only ever seen in health. Asked twice, changes nothing. */
export async function seedIncident(session: BeySession, clusterId: number): Promise<void> {
  for (const workload of broken) await createObject.workload(session, clusterId, workload)
  for (const database of databases) await createObject.database(session, clusterId, database)
  await createObject.cordon(session, clusterId)
}
