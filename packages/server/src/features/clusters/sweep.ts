import {
  asOwner,
  newName,
  onRunning,
  ownerOf,
  type SweepCall,
  type SweepCalls,
  type SweepRow,
  type World,
} from '../../testing/sweep.ts'

/** A cluster of the organization that no machine holds. */
async function clusterOf({ app, organizationId }: World, status: 'RUNNING' | 'ERROR'): Promise<SweepCall> {
  const { id } = await app.given.cluster({ organizationId, status, version: 'v1.33.0' })
  return { params: { id } }
}

const faultOnRunning: SweepRow = {
  call: ({ runningClusterId }) => ({ params: { id: runningClusterId, faultId: 'unschedulable' } }),
}

/** A kubeconfig for the running cluster, which leads through this server's own proxy. */
async function kubeconfigOf(world: World) {
  const { app, organizationId, runningClusterId } = world
  const { token } = await ownerOf(world)
  const path = `/api/kubernetes/clusters/${runningClusterId}/kubeconfig`
  const { text } = await app.ask('GET', path, { token, organizationId })
  return { kubeconfig: text, context: /current-context: "?([^"\n]+)/.exec(text)?.[1] ?? '' }
}

/** A cluster that was imported by such a kubeconfig. */
async function importedOf(
  world: World,
): Promise<SweepCall & { body: { kubeconfig: string; context: string } }> {
  const { kubeconfig, context } = await kubeconfigOf(world)
  const clusters = [{ context, title: newName() }]
  const { body } = await asOwner(world, 'POST', '/api/kubernetes/import', { kubeconfig, clusters })
  return { params: { id: body.clusters[0].id }, body: { kubeconfig, context } }
}

export const sweepCalls: SweepCalls = {
  'clusters.get': onRunning,
  'clusters.create': { call: () => ({ body: { title: newName(), provider: 'sandbox' } }) },
  'clusters.update': {
    call: async (world) => ({
      ...(await clusterOf(world, 'ERROR')),
      body: { description: 'Checkout in Europe' },
    }),
  },
  'clusters.delete': { call: (world) => clusterOf(world, 'ERROR') },
  'clusters.startDeletion': { call: (world) => clusterOf(world, 'ERROR') },
  'clusters.provision': { call: (world) => clusterOf(world, 'ERROR') },
  'clusters.status': onRunning,
  'clusters.references': onRunning,
  'clusters.connection': onRunning,
  'clusters.testConnection': {
    async call(world) {
      const { body: _body, ...call } = await importedOf(world)
      return call
    },
  },
  'clusters.replaceCredentials': { call: importedOf },
  'clusters.chooseNamespaces': {
    call: async (world) => ({ ...(await importedOf(world)), body: { namespaces: ['default'] } }),
  },
  'clusters.kubeconfig': onRunning,
  'clusters.tokens': onRunning,
  'clusters.revokeToken': {
    async call({ app, runningClusterId }, { token, organizationId }) {
      const path = `/api/kubernetes/clusters/${runningClusterId}`
      await app.ask('GET', `${path}/kubeconfig`, { token, organizationId })
      const { body } = await app.ask('GET', `${path}/tokens`, { token, organizationId })
      return { params: { id: runningClusterId, tokenId: body.tokens[0].id } }
    },
  },
  'kubeconfig.read': {
    async call(world) {
      const { kubeconfig } = await kubeconfigOf(world)
      return { body: { kubeconfig } }
    },
  },
  'kubeconfig.test': { call: async (world) => ({ body: await kubeconfigOf(world) }) },
  'kubeconfig.import': {
    async call(world) {
      const { kubeconfig, context } = await kubeconfigOf(world)
      return { body: { kubeconfig, clusters: [{ context, title: newName() }] } }
    },
  },
  'sandboxes.faults': onRunning,
  'sandboxes.applyFault': faultOnRunning,
  'sandboxes.endFault': faultOnRunning,
}
