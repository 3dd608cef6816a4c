import { clusterQuotas, type ClusterProviderId, type NodeGroup } from '@bey/contract'

import { act, type Who } from '../../platform/act.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { ClusterEvents } from './cluster-events.ts'
import { type ClusterRuns, clusterTarget } from './cluster-runs.ts'
import { existing } from './existing-cluster.ts'
import { asNameTaken } from './name-taken.ts'
import { presentCluster } from './present.ts'
import type { ClusterProvider } from './provider.ts'
import { countOfProvider, findCluster, insertCluster, lockOrganization } from './store.ts'

export type NewCluster = {
  title: string
  provider: ClusterProviderId
  region?: string | undefined
  version?: string | undefined
  nodeGroups?: NodeGroup[] | undefined
}

/**
 * Creates a cluster and queues the run that provisions it. Throws AppError `invalid_request`, `limit_reached` for a
 * quota or a machine without room, `name_taken`.
 */
export function createClusterCreation({
  database,
  providers,
  events,
  runs: { start },
}: {
  database: Pick<Database, 'withTenant'>
  providers: ReadonlyMap<string, ClusterProvider>
  events: Pick<ClusterEvents, 'listChanged'>
  runs: ClusterRuns
}) {
  return async (organizationId: number, input: NewCluster, who: Who) => {
    const provider = providers.get(input.provider)
    const info = provider?.describe()
    if (info === undefined) throw new AppError('invalid_request', `There is no provider "${input.provider}".`)
    const values = checked(input, info)
    const refusal = (await provider?.capacity?.())?.refusal
    if (refusal != null) throw new AppError('limit_reached', refusal)
    try {
      return await database.withTenant(organizationId, async (db) => {
        await lockOrganization(db, organizationId)
        if ((await countOfProvider(db, organizationId, input.provider)) >= clusterQuotas[input.provider]) {
          throw new AppError(
            'limit_reached',
            `This organization has ${clusterQuotas[input.provider]} ${info.label} clusters, which is the most it can have. Delete one first.`,
          )
        }
        const id = await insertCluster(db, { organizationId, ...values, createdBy: who.user.id })
        const cluster = { id, organizationId, title: values.title, status: 'PENDING' as const }
        const run = await start(db, cluster, 'cluster.provision', 'PENDING', who)
        await events.listChanged(db, organizationId)
        await act(db, who, {
          action: 'cluster.create',
          class: 'create',
          diff: values,
          target: clusterTarget(cluster),
          runId: run.runId,
        })
        return await keepReply(db, presentCluster(existing(await findCluster(db, organizationId, id))))
      })
    } catch (error) {
      throw asNameTaken(error, values.title)
    }
  }
}

function checked(input: NewCluster, info: ReturnType<ClusterProvider['describe']>) {
  const region = input.region ?? info.regions[0] ?? ''
  const version = input.version ?? info.versions[0] ?? ''
  const nodeGroups = input.nodeGroups ?? info.defaultNodeGroups
  const errors = []
  if (!info.regions.includes(region))
    errors.push({ path: 'region', message: `Choose one of ${info.regions.join(', ')}.` })
  if (!info.versions.includes(version))
    errors.push({ path: 'version', message: `Choose one of ${info.versions.join(', ')}.` })
  const names = nodeGroups.map((group) => group.name)
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (twice >= 0) errors.push({ path: `nodeGroups.${twice}.name`, message: 'Another group has this name.' })
  if (errors.length > 0)
    throw new AppError('invalid_request', 'The cluster cannot be created like this.', { errors })
  const nodeCount = nodeGroups.reduce((sum, group) => sum + group.count, 0)
  if (nodeCount > info.maxNodes) {
    throw new AppError(
      'limit_reached',
      `A ${info.label} cluster can have ${info.maxNodes} nodes; these groups have ${nodeCount}.`,
    )
  }
  return { title: input.title, provider: input.provider, region, version, nodeGroups }
}
