import type { SecurityRule } from '@bey/contract/networks/security-group-rules'
import { and, eq, isNull, or } from 'drizzle-orm'
import { act, type Person } from '../../platform/act.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { DemoCluster, DemoLife, DemoPart } from '../../platform/demo.ts'
import { memberships } from '../../tables/memberships.ts'
import { networks } from '../../tables/networks.ts'
import { users } from '../../tables/users.ts'
import { replaceAttachments } from './attachment-rows.ts'
import { insertGroup } from './groups/group-rows.ts'
import { type NetworkParts, startNetworkRun } from './parts.ts'
import { networkTarget } from './present.ts'
import { startApply } from './start-apply.ts'
import { insertNetwork, lockNetwork } from './store.ts'

type Group = { name: string; description: string; label: string; rules: SecurityRule[] }

const maxRetries = 5
const retryMs = 10_000
const within = 'app.kubernetes.io/name'
const allow = (port: string, peer: SecurityRule['peer'], note: string): SecurityRule => ({
  direction: 'in',
  action: 'allow',
  protocol: 'tcp',
  ports: [port],
  peer,
  note,
})
const program = (name: string) =>
  ({ kind: 'workload', namespace: 'payments', labels: { [within]: name } }) as const

const groups: readonly Group[] = [
  {
    name: 'ledger-database',
    description: 'Only the ledger and the invoices reach it',
    label: 'ledger-db',
    rules: [
      allow('5432', program('ledger'), 'Bookings'),
      allow('5432', program('invoices'), 'Reads bookings'),
    ],
  },
  {
    name: 'payment-gateway',
    description: 'The shop pays through it',
    label: 'gateway',
    rules: [allow('8080', { kind: 'namespace', namespace: 'shop' }, 'Checkout')],
  },
]

const plans: readonly {
  mood: DemoCluster['mood']
  namespace: string
  name: string
  description: string
  cidr: string
  groups: readonly Group[]
}[] = [
  {
    mood: 'healthy',
    namespace: 'payments',
    name: 'payments',
    description: 'Card data of prod-us. Seeded with the demo.',
    cidr: '10.60.0.0/16',
    groups,
  },
  {
    mood: 'rollout',
    namespace: 'shop',
    name: 'staging',
    description: 'Where releases are tried. Seeded with the demo.',
    cidr: '10.61.0.0/16',
    groups: [],
  },
]

/** Two networks, one with groups. Their policies are put into the clusters once those run, by `networksLife`. */
export const networksDemo: DemoPart = async (db, { organizationId, people, clusters, now }) => {
  const { id: createdBy } = people.kaya
  const createdAt = new Date(now.getTime() - 10 * 86_400_000)
  for (const { mood, namespace, groups: of, ...values } of plans) {
    const cluster = clusters.find((each) => each.mood === mood)
    if (cluster === undefined) continue
    const networkId = uuidv7()
    await insertNetwork(db, {
      ...values,
      id: networkId,
      organizationId,
      region: cluster.region,
      isIsolated: false,
      status: 'pending',
      createdBy,
      createdAt,
      updatedAt: createdAt,
    })
    await replaceAttachments(db, { organizationId, networkId }, [
      { kind: 'namespace', clusterId: cluster.id, namespace },
    ])
    for (const { name, description, label, rules } of of)
      await insertGroup(db, {
        id: uuidv7(),
        organizationId,
        networkId,
        name,
        description,
        filtersIn: true,
        filtersOut: false,
        rules,
        targets: [{ clusterId: cluster.id, namespace, labels: { [within]: label } }],
        createdBy,
        createdAt,
        updatedAt: createdAt,
      })
  }
}

/** Creates the networks of a demo in its clusters, by a run in the name of the colleague who made them. */
export function networksLife(parts: Pick<NetworkParts, 'database' | 'workflows' | 'clock'>): DemoLife {
  const { database, clock } = parts
  /** How often each was put into its cluster again: one that has just started may lose a connection. */
  const retries = new Map<string, { count: number; dueMs: number }>()
  return {
    async tend({ organizationId, isAsleep, isReady }) {
      if (isAsleep || !isReady) return
      await database.withTenant(organizationId, async (db) => {
        const rows = await db
          .select({ id: networks.id, userId: users.id, name: users.name, email: users.email })
          .from(networks)
          .innerJoin(users, eq(users.id, networks.createdBy))
          .innerJoin(memberships, eq(memberships.userId, users.id))
          .where(
            and(
              eq(networks.organizationId, organizationId),
              eq(memberships.organizationId, organizationId),
              or(
                and(eq(networks.status, 'pending'), isNull(networks.lastRunId)),
                eq(networks.status, 'error'),
              ),
            ),
          )
          .limit(10)
        for (const { id, userId, name, email } of rows) {
          const user: Person = { id: userId, name, email }
          const who = { organizationId, user, via: 'workflow' } as const
          const row = await lockNetwork(db, organizationId, id)
          if (row?.status === 'error') {
            const { count, dueMs } = retries.get(id) ?? { count: 0, dueMs: 0 }
            if (count >= maxRetries || clock.monotonicMs() < dueMs) continue
            retries.set(id, { count: count + 1, dueMs: clock.monotonicMs() + retryMs })
            await startApply(parts, db, row, who)
            continue
          }
          if (row?.status !== 'pending' || row.lastRunId !== null) continue
          const { runId } = await startNetworkRun(parts, db, row, 'network.create', who)
          await act(db, who, {
            action: 'network.create',
            class: 'create',
            diff: { cidr: row.cidr },
            target: networkTarget(row),
            runId,
          })
        }
      })
    },
    // Its policies go with the clusters.
    end: async () => undefined,
  }
}
