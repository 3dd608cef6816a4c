import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { networks, securityGroups } from '../../tables/networks.ts'
import { newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

let next = 0
/** A range that no other network of the sweep has. */
const newRange = () => `10.${200 + Math.floor(next / 250)}.${(next += 1) % 250}.0/24`

async function networkOf({ app, organizationId }: World): Promise<SweepCall> {
  const id = uuidv7()
  await app.database.withTenant(organizationId, (db) =>
    db.insert(networks).values({
      id,
      organizationId,
      name: newName()
        .toLowerCase()
        .replace(/[^a-z0-9]/g, 'n'),
      cidr: newRange(),
      status: 'active',
      // Nobody looks at it while the sweep goes on.
      checkAt: new Date(Date.now() + 3_600_000),
    }),
  )
  return { params: { id } }
}

async function groupOf(world: World): Promise<SweepCall> {
  const { params } = await networkOf(world)
  const [networkId, groupId] = [String(params?.['id']), uuidv7()]
  const { app, organizationId } = world
  await app.database.withTenant(organizationId, (db) =>
    db.insert(securityGroups).values({
      id: groupId,
      organizationId,
      networkId,
      name: `g${groupId.slice(-12)}`,
      filtersIn: true,
      filtersOut: false,
      rules: [],
      targets: [],
    }),
  )
  return { params: { id: networkId, groupId } }
}

const sweptRule = { direction: 'in', peer: { kind: 'anywhere' } } as const

export const sweepCalls: SweepCalls = {
  'networks.get': { call: networkOf },
  'networks.memberships': {
    call: ({ runningClusterId }) => ({ query: `clusterId=${runningClusterId}` }),
  },
  'networks.addresses': { call: networkOf },
  'networks.policies': { call: networkOf },
  'networks.plan': { call: () => ({ body: { cidr: newRange() } }) },
  'networks.create': { call: () => ({ body: { name: `n${uuidv7().slice(-12)}`, cidr: newRange() } }) },
  'networks.update': {
    call: async (world) => ({ ...(await networkOf(world)), body: { description: 'Changed' } }),
  },
  'networks.apply': { call: networkOf },
  'networks.delete': { call: networkOf },
  'securityGroups.list': { call: networkOf },
  'securityGroups.get': { call: groupOf },
  'securityGroups.plan': {
    call: async (world) => ({ ...(await networkOf(world)), body: { rules: [sweptRule] } }),
  },
  'securityGroups.create': {
    call: async (world) => ({ ...(await networkOf(world)), body: { name: `g${uuidv7().slice(-12)}` } }),
  },
  'securityGroups.update': {
    call: async (world) => ({ ...(await groupOf(world)), body: { rules: [sweptRule] } }),
  },
  'securityGroups.delete': { call: groupOf },
}
