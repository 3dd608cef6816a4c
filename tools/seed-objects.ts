import type { BeySession } from './api-session.ts'

export type Workload = {
  namespace: string
  name: string
  replicas: number
  image: string
  cpu: string
  memory: string
  /** What the simulated container does instead of running: `crash` or `oom`. */
  behavior?: string
}

export type Database = { namespace: string; name: string; size: string; used: string }

/** Objects of a cluster, made by its own API as people make them; what exists already is left as it is. */
export const createObject = {
  /** A deployment with its namespace and service. */
  async workload(session: BeySession, clusterId: number, workload: Workload): Promise<void> {
    const { namespace, name, replicas, image, cpu, memory, behavior } = workload
    const labels = { 'app.kubernetes.io/name': name }
    await send(session, clusterId, 'POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })
    await send(session, clusterId, 'POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, labels },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, ...(behavior && { annotations: { 'sandbox.bey/behavior': behavior } }) },
          spec: {
            containers: [
              { name, image, ports: [{ containerPort: 8080 }], resources: { requests: { cpu, memory } } },
            ],
          },
        },
      },
    })
    await send(session, clusterId, 'POST', `/api/v1/namespaces/${namespace}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    })
  },

  /** A database of one pod, which has filled so much of its volume. */
  async database(
    session: BeySession,
    clusterId: number,
    { namespace, name, size, used }: Database,
  ): Promise<void> {
    const labels = { 'app.kubernetes.io/name': name }
    await send(session, clusterId, 'POST', `/apis/apps/v1/namespaces/${namespace}/statefulsets`, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name, labels },
      spec: {
        serviceName: name,
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name,
                image: 'postgres:18',
                resources: { requests: { cpu: '500m', memory: '1Gi' } },
                volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql' }],
              },
            ],
          },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', annotations: { 'sandbox.bey/used': used } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } },
          },
        ],
      },
    })
  },

  /** Keeps new pods away from the last node by name. */
  async cordon(session: BeySession, clusterId: number): Promise<void> {
    const { nodes } = await session.client.call('kubernetes.nodes', { params: { id: clusterId } })
    const last = nodes.at(-1)
    if (!last) throw new Error(`Cluster ${clusterId} has no nodes.`)
    await send(session, clusterId, 'PATCH', `/api/v1/nodes/${last.name}`, { spec: { unschedulable: true } })
  },
}

async function send(
  session: BeySession,
  clusterId: number,
  method: 'POST' | 'PATCH',
  path: string,
  object: object,
): Promise<void> {
  const reply = await fetch(`${session.baseUrl}/api/kubernetes/clusters/${clusterId}/proxy${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      'x-organization-id': String(session.organizationId),
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    body: JSON.stringify(object),
  })
  if (!reply.ok && reply.status !== 409)
    throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`)
}
