import type { Feature, Parts } from '../../feature.ts'
import { networksDemo, networksLife } from './demo.ts'
import { takeOverHandlers } from './drift/take-over.ts'
import { flowRoutes } from './flows/routes.ts'
import type { NoticeHealth } from '../notifications/health-notices.ts'
import type { NetworkSteps } from '../workflows/steps/ports.ts'
import { groupRelations, groupResources } from './groups/group-resources.ts'
import { groupHandlers } from './groups/group-service.ts'
import type { NetworkParts } from './parts.ts'
import { membershipHandlers } from './memberships.ts'
import { networkSteps } from './network-steps.ts'
import { paletteNetworks } from './palette.ts'
import { reachabilityRoutes } from './reachability/routes.ts'
import { relayFlows, type RelayNeeds } from './observed/hubble/relay-flows.ts'
import { openObservedFlows } from './observed/observed-flows.ts'
import { sandboxFlows } from './observed/sandbox-flows.ts'
import { networkHandlers } from './service.ts'
import { watchNetworks } from './watch.ts'
import { networkWorkflows } from './workflows.ts'
import { networkResources } from './resources.ts'
import { networkRelations } from './relations.ts'

export function networksFeature(
  { database, clock, log, config }: Parts,
  {
    bindSteps,
    noticeHealth,
    openPort,
    ...needs
  }: Pick<NetworkParts, 'clusters' | 'cache' | 'workflows' | 'access'> & {
    /** Takes what steps of workflows do with networks. */
    bindSteps(steps: NetworkSteps): void
    noticeHealth: NoticeHealth
  } & Pick<RelayNeeds, 'openPort'>,
) {
  const observed = openObservedFlows([relayFlows({ openPort, clock }), sandboxFlows(needs)])
  const parts = { database, clock, observed, ...needs }
  bindSteps(networkSteps(parts))
  // A process that only serves requests leaves the clusters to the others.
  const watch = config.role === 'web' ? undefined : watchNetworks({ ...parts, log, noticeHealth })
  return {
    handlers: {
      ...networkHandlers(parts),
      ...membershipHandlers(parts),
      ...groupHandlers(parts),
      ...takeOverHandlers(parts),
      ...reachabilityRoutes(parts),
      ...flowRoutes(parts),
    },
    workflows: networkWorkflows(parts),
    palette: { network: paletteNetworks },
    inventory: [networkResources(database), groupResources(database)],
    relations: [networkRelations(parts), groupRelations(parts)],
    demo: networksDemo,
    demoLife: networksLife(parts),
    async close() {
      observed.stop()
      await watch?.stop()
    },
  } satisfies Feature
}
