import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { networkPolicies, networks, securityGroups } from '../../../tables/networks.ts'
import type { SweepCall, SweepCalls, World } from '../../../testing/sweep.ts'

/** A network whose group has a target in a cluster that does not have the policy any more. */
async function drifted({ app, organizationId, runningClusterId }: World): Promise<SweepCall> {
  const [networkId, policyId] = [uuidv7(), uuidv7()]
  const name = `d${networkId.slice(-12)}`
  const target = { clusterId: runningClusterId, namespace: `gone-${name}`, labels: {} }
  await app.database.withTenant(organizationId, async (db) => {
    await db.insert(networks).values({
      id: networkId,
      organizationId,
      name,
      cidr: '10.199.0.0/24',
      status: 'degraded',
      // Nobody looks at it while the sweep goes on.
      checkAt: new Date(Date.now() + 3_600_000),
    })
    await db.insert(securityGroups).values({
      id: uuidv7(),
      organizationId,
      networkId,
      name: 'web',
      filtersIn: true,
      filtersOut: false,
      rules: [],
      targets: [target],
    })
    await db.insert(networkPolicies).values({
      id: policyId,
      organizationId,
      networkId,
      clusterId: runningClusterId,
      namespace: target.namespace,
      name: `bey-${name}-web`,
      written: { podSelector: {}, policyTypes: ['Ingress'] },
      state: 'missing',
    })
  })
  return { params: { id: networkId, policyId } }
}

export const sweepCalls: SweepCalls = {
  'networks.takeOver.plan': { call: drifted, besideRows: ['policies', 'unread', 'rules', 'targets'] },
  'networks.takeOver.start': {
    call: async (world) => ({ ...(await drifted(world)), body: { found: 'missing', version: 1 } }),
  },
}
