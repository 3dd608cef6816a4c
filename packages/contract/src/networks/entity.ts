import type { NetworkStatus } from './statuses.ts'
import { type PermissionRules, see, work } from '../base/permission-rule.ts'
import type { StatusTone } from '../base/entity.ts'
import { entity, joined } from '../base/entity.ts'

export type NetworkEvents = {
  /** A network was created, changed its state, its ranges or its rules, or was deleted. */
  NETWORKS_UPDATE: { networkId: string }
}

const line = 'Create, change and delete networks, test hosts'

export const networkPermissions = {
  'networks.read': { role: 'VIEWER', ...see('see networks') },
  'networks.create': { role: 'MEMBER', ...work(line, 'create networks') },
  'networks.update': { role: 'MEMBER', ...work(line, 'change networks') },
  'networks.delete': { role: 'MEMBER', ...work(line, 'delete networks') },
  // Whoever tests a host lets the server connect to an address.
  'networks.test': { role: 'MEMBER', ...work(line, 'test hosts from the server') },
} as const satisfies PermissionRules

const tones = {
  pending: 'quiet',
  creating: 'busy',
  active: 'quiet',
  updating: 'busy',
  degraded: 'warn',
  error: 'danger',
  deleting: 'busy',
  deleted: 'quiet',
} as const satisfies Record<NetworkStatus, StatusTone>

export const networkEntity = entity({
  idKind: 'uuid',
  singular: 'network',
  plural: 'networks',
  icon: 'network',
  paths: { list: '/networking', detail: '/networking/{id}', create: '/networking/create' },
  readPermission: 'networks.read',
  statuses: tones,
  label: (row: { name: string }) => row.name,
  subtitle: (row: { cidr: string; cidr6: string | null; description: string }) =>
    joined([row.cidr, row.cidr6, row.description]),
  events: {
    NETWORKS_UPDATE: {
      audience: 'organization',
      changedId: 'networkId',
      webhook: {
        name: 'network.updated',
        about: 'A network was created, changed its state, its ranges or its rules, or was deleted.',
        sample: {
          networkId: '019a0000-0000-7000-8000-000000000010',
        } satisfies NetworkEvents['NETWORKS_UPDATE'],
      },
    },
  },
  asCode: {
    noun: 'networks',
    create: 'networks.create',
    update: 'networks.update',
    delete: 'networks.delete',
    version: { field: 'version', sentAs: 'version' },
    // Rows say more about what is attached: names, and null for what it is not.
    specOf: ({ attachments }: { attachments: readonly Record<string, unknown>[] }) => ({
      attachments: attachments.map(({ kind, clusterId, namespace, databaseId }) => ({
        kind,
        ...(kind === 'database' ? { databaseId } : { clusterId }),
        ...(kind === 'namespace' && { namespace }),
      })),
    }),
  },
  subscriptions: {},
  palette: {
    group: 'Networks',
    category: 'Network',
    key: 'n',
    suggest: { failing: { priority: 8, count: 2 } },
  },
})
