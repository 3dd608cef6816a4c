import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { objectVersions } from '../../tables/object-versions.ts'
import {
  newName,
  onRunning,
  ownerOf,
  type SweepCall,
  type SweepCalls,
  type World,
} from '../../testing/sweep.ts'

/** A config map of the running cluster, and the path to it. */
async function configMapOf(world: World): Promise<SweepCall & { name: string }> {
  const name = newName()
  const params = { id: world.runningClusterId }
  const rest = 'api/v1/namespaces/default/configmaps'
  const owner = await ownerOf(world)
  const reply = await world.app.ask('POST', `/api/kubernetes/clusters/${params.id}/proxy/${rest}`, {
    token: owner.token,
    organizationId: world.organizationId,
    body: configMap(name),
  })
  if (reply.status !== 201) throw new Error(`The config map was not made: ${reply.text}`)
  return { params, rest: `${rest}/${name}`, name }
}

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { of: 'sweep' },
})

/** A node of the running cluster. */
async function nodeOf(world: World): Promise<string> {
  const owner = await ownerOf(world)
  const reply = await world.app.ask('GET', `/api/kubernetes/clusters/${world.runningClusterId}/nodes`, {
    token: owner.token,
    organizationId: world.organizationId,
  })
  const { nodes } = JSON.parse(reply.text) as { nodes: { name: string }[] }
  const [first] = nodes
  if (!first) throw new Error(`The cluster has no node: ${reply.text}`)
  return first.name
}

/** Reads of a running cluster and of what was kept of it. */
const clusterReads: SweepCalls = {
  'kubernetes.search': {
    call: () => ({ query: 'search=sweep' }),
    besideRows: ['unreadable'],
  },
  'kubernetes.allObjects': {
    call: () => ({ params: { resource: 'services' } }),
    besideRows: ['namespaces', 'clusters', 'unreadable', 'columns'],
    isForEveryOrganization: true,
  },
  'kubernetes.objects': {
    call: ({ runningClusterId }) => ({ params: { id: runningClusterId, resource: 'configmaps' } }),
    besideRows: ['columns'],
  },
  'kubernetes.object': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId, resource: 'namespaces', namespace: '-', name: 'default' },
    }),
  },
  'kubernetes.related': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId, resource: 'namespaces', namespace: '-', name: 'default' },
    }),
  },
  'kubernetes.objectEvents': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId, resource: 'namespaces', namespace: '-', name: 'default' },
    }),
    besideRows: ['groups'],
  },
  'kubernetes.node': {
    call: async (world) => ({ params: { id: world.runningClusterId, name: await nodeOf(world) } }),
  },
  'kubernetes.diagnosis': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId, resource: 'namespaces', namespace: '-', name: 'default' },
    }),
  },
  'kubernetes.streamTicket': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      body: { path: '/api/v1/namespaces/default/pods/web/exec?command=sh' },
    }),
  },
  'kubernetes.serviceSession': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      body: { path: '/api/v1/namespaces/default/services/http:web:80/proxy/' },
    }),
  },
  'kubernetes.logs': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      body: { namespace: 'default', selector: 'app=sweep', follow: false },
    }),
  },
  'kubernetes.downloadLogs': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      body: { namespace: 'default', selector: 'app=sweep' },
    }),
  },
  'kubernetes.history': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId, resource: 'namespaces', namespace: '-', name: 'default' },
    }),
  },
  'kubernetes.version': {
    async call({ app, organizationId, runningClusterId }) {
      const id = uuidv7()
      const ref = { resource: 'configmaps', kind: 'ConfigMap', namespace: 'default', name: 'sweep', uid: id }
      await app.database.withTenant(organizationId, (db) =>
        db.insert(objectVersions).values({
          ...ref,
          id,
          organizationId,
          clusterId: runningClusterId,
          at: new Date(),
          change: 'updated',
          hash: '',
          bytes: 2,
          object: {},
        }),
      )
      return { params: { id: runningClusterId, versionId: id } }
    },
  },
  'kubernetes.changes': {
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      query: 'from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z',
    }),
  },
}

export const sweepCalls: SweepCalls = {
  'kubernetes.overview': onRunning,
  'kubernetes.nodes': onRunning,
  'kubernetes.namespaces': onRunning,
  'kubernetes.pods': onRunning,
  'kubernetes.workloads': onRunning,
  'kubernetes.events': onRunning,
  'kubernetes.allWorkloads': { call: () => ({}), besideRows: ['namespaces', 'clusters', 'unreadable'] },
  'kubernetes.resources': onRunning,
  ...clusterReads,
  'kubernetes.drainNode': {
    // By the cluster's own roles: only those of owners and admins may cordon nodes.
    role: 'ADMIN',
    call: async (world) => ({
      params: { id: world.runningClusterId, name: await nodeOf(world) },
      body: {},
    }),
  },
  'kubernetes.proxyGet': {
    call: ({ runningClusterId }) => ({ params: { id: runningClusterId }, rest: 'api/v1/nodes' }),
  },
  'kubernetes.proxyPost': {
    role: 'MEMBER',
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      rest: 'api/v1/namespaces/default/configmaps',
      body: configMap(newName()),
    }),
  },
  'kubernetes.proxyPut': {
    role: 'MEMBER',
    async call(world) {
      const { name, ...call } = await configMapOf(world)
      return { ...call, body: configMap(name) }
    },
  },
  'kubernetes.proxyPatch': {
    role: 'MEMBER',
    async call(world) {
      const { name: _name, ...call } = await configMapOf(world)
      return {
        ...call,
        body: { data: { of: 'patch' } },
        headers: { 'content-type': 'application/merge-patch+json' },
      }
    },
  },
  'kubernetes.proxyDelete': { role: 'MEMBER', call: (world) => configMapOf(world) },
}
