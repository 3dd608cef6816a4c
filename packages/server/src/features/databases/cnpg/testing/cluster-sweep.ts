import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import { type CnpgDatabase, databases } from '../../../../tables/databases.ts'
import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../../../testing/sweep.ts'
import { cnpgKinds } from './kinds.ts'

/** A Cluster of CloudNativePG on the running cluster, which no operator looks after. */
async function clusterIn(world: World): Promise<{ clusterId: number; namespace: string; cluster: string }> {
  const { runningClusterId: clusterId } = world
  const proxy = `/api/kubernetes/clusters/${clusterId}/proxy`
  const cluster = newName()
  for (const kind of cnpgKinds) {
    // oxlint-disable-next-line no-await-in-loop -- in their order; another row may have made them
    await asOwner(world, 'POST', `${proxy}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, kind)
  }
  const made = async (path: string, body: object) => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until the kind is served
      const { status } = await asOwner(world, 'POST', `${proxy}${path}`, body)
      if (status === 201) return
      // oxlint-disable-next-line no-await-in-loop -- until the kind is served
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await made('/apis/postgresql.cnpg.io/v1/namespaces/default/clusters', {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: { name: cluster },
    spec: {
      instances: 1,
      storage: { size: '1Gi' },
      plugins: [
        {
          name: 'barman-cloud.cloudnative-pg.io',
          isWALArchiver: true,
          parameters: { barmanObjectName: 'store' },
        },
      ],
    },
  })
  await made('/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${cluster}-app` },
    stringData: { username: 'app', password: 'sweep', dbname: 'app' },
  })
  return { clusterId, namespace: 'default', cluster }
}

/** A database on a cluster with two instances; what is done there is seen by its run, which comes later. */
async function databaseIn(
  { app, organizationId, runningClusterId: clusterId }: World,
  name = newName(),
): Promise<SweepCall> {
  const id = uuidv7()
  const observed: CnpgDatabase['observed'] = {
    at: new Date().toISOString(),
    uid: id,
    phase: 'Cluster in healthy state',
    phaseReason: null,
    isPhaseUnknown: false,
    instances: 2,
    readyInstances: 2,
    primary: `${name}-1`,
    instanceNames: [`${name}-1`, `${name}-2`],
    image: null,
    storage: '1Gi',
    storageClass: null,
    parameters: {},
  }
  await app.database.withTenant(organizationId, (db) =>
    db.insert(databases).values({
      id,
      organizationId,
      name,
      provider: 'cnpg',
      status: 'available',
      databaseName: 'app',
      username: 'app',
      tls: 'require',
      clusterId,
      cnpg: { namespace: 'default', name, isAdopted: true, wanted: null, observed },
      // Nobody looks at it while the sweep goes on.
      checkAt: new Date(Date.now() + 3_600_000),
    }),
  )
  return { params: { id } }
}

/** The same with a Cluster that is there and names a plugin for its backups. */
async function backedUp(world: World): Promise<SweepCall> {
  const { cluster } = await clusterIn(world)
  return databaseIn(world, cluster)
}

/** How tests call the endpoints of databases on clusters. */
export const clusterSweep: SweepCalls = {
  'databases.clusters': { call: () => ({}), besideRows: ['namespaces', 'storageClasses', 'found'] },
  'databases.adopt': {
    call: async (world) => ({ body: await clusterIn(world) }),
    // The cluster itself lets members neither read nor change kinds that it does not know.
    role: 'ADMIN',
  },
  'databases.preview': {
    call: ({ runningClusterId: clusterId }) => ({
      body: { name: newName(), cluster: { clusterId, namespace: 'default' } },
    }),
  },
  'databases.changeCluster': {
    call: async (world) => ({ ...(await databaseIn(world)), body: { instances: 3 } }),
  },
  'databases.clusterBackups.list': { call: backedUp, besideRows: ['backups', 'schedules'] },
  'databases.clusterBackups.create': { call: backedUp },
  'databases.clusterBackups.setSchedule': {
    call: async (world) => ({ ...(await backedUp(world)), body: { schedule: '0 2 * * *' } }),
    role: 'ADMIN',
  },
  'databases.clusterBackups.restore': {
    call: async (world) => ({
      ...(await backedUp(world)),
      body: { name: newName(), targetTime: new Date().toISOString() },
    }),
    role: 'ADMIN',
  },
  'databases.failOver': { call: async (world) => ({ ...(await databaseIn(world)), body: {} }) },
}
