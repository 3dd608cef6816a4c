import type { EndpointName } from '@bey/contract'
import { uuidv7 } from '../platform/crypto/uuid.ts'
import { objectVersions } from '../tables/object-versions.ts'
import type { SweepRow } from './sweep-calls.ts'

/** How the sweep calls what only reads a running cluster, or what was kept of it. */
export const clusterReads = {
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
} satisfies Partial<Record<EndpointName, SweepRow>>
