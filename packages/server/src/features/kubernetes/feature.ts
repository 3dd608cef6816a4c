import type { Feature, Parts } from '../../feature.ts'
import { createAuditBatch } from '../../platform/audit/batch.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Peers } from '../../platform/peers/peers.ts'
import { findClusterOrganization, takeAccessTicket } from '../../platform/db/gateway.ts'
import type { Workflows } from '../workflows/service.ts'
import { startRecheck } from './proxy/access-recheck.ts'
import { createCertificates } from './connection/certificates.ts'
import type { ClusterAgents } from './connection/cluster-agents.ts'
import { createKubeSender } from './connection/kube-sender.ts'
import { createConnectionCache } from './proxy/connection-cache.ts'
import { collectMetrics } from './metrics/collector.ts'
import { kubernetesRelations } from './relations.ts'
import { streamMetrics } from './metrics/metrics-stream.ts'
import type { ClusterSummaries, Connect, NoteIdentity, SetReachability } from './connection/ports.ts'
import { identifier } from './proxy/caller.ts'
import { createOpenStreams } from './proxy/open-streams.ts'
import { createProxyAudit } from './proxy/proxy-audit.ts'
import { proxyRoutes, proxyUpgrade } from './proxy/proxy-routes.ts'
import { createProxy } from './proxy/proxy.ts'
import { accountIdentifier } from './proxy/service-account.ts'
import { attentionList, attentionOf } from './health/attention.ts'
import { createAssessor } from './health/assessor.ts'
import { createAttendants } from './health/attendants.ts'
import type { HealthMove } from './health/watch-health.ts'
import { startHealthObserver } from './health/observer.ts'
import { changeRoutes } from './changes/change-routes.ts'
import { createChangeService } from './changes/change-service.ts'
import { createCustomKinds } from './changes/custom-kinds.ts'
import { recordChanges } from './changes/recorder.ts'
import { diagnosisRoutes } from './diagnosis/diagnosis-routes.ts'
import { createDiagnosisService } from './diagnosis/diagnosis-service.ts'
import { drainRoutes } from './drain/drain-routes.ts'
import { drainWorkflows } from './drain/drain-workflow.ts'
import { createDrainService } from './drain/drain-service.ts'
import type { SetNodeCount } from './drain/remove-node.ts'
import { createPatcher } from './proxy/patch-as.ts'
import { createDiscovery } from './objects/discovery-cache.ts'
import { objectRoutes } from './objects/object-routes.ts'
import { createDatabaseClusters } from './run-access/database-clusters.ts'
import { createAllObjects } from './objects/all-objects.ts'
import { createObjectService } from './objects/object-service.ts'
import { createRelatedService } from './objects/relations/related-service.ts'
import { everyClusterReader } from './reads/each-cluster.ts'
import { createCacheFigures } from './reads/cache-figures.ts'
import { createObjectSearch } from './objects/search-objects.ts'
import { createAllWorkloads } from './reads/all-workloads.ts'
import { createListSnapshots } from './reads/list-snapshots.ts'
import { createOverviewSnapshots } from './reads/overview-snapshots.ts'
import { createReadService } from './reads/read-service.ts'
import { kubernetesResources } from './reads/resources.ts'
import { ticketRoutes } from './exec/ticket-routes.ts'
import { createTicketService } from './exec/ticket-service.ts'
import { logRoutes } from './logs/log-routes.ts'
import { createLogService } from './logs/log-service.ts'
import { readRoutes } from './reads/read-routes.ts'
import { createUsageSource } from './metrics/usage.ts'
import { createKubeClient } from './watch/kube-client.ts'
import { followVolumes } from './volumes/follow-volumes.ts'
import { createVolumeUsage } from './volumes/volume-usage.ts'
import { shareWatches } from './watch/shared/share-watches.ts'
import { createWatchCache } from './watch/watch-cache.ts'

/** What this feature needs of others. */
export type KubernetesNeeds = {
  summaries: ClusterSummaries
  /** Opens requests to clusters; closed by its owner. */
  agents: ClusterAgents
  connect: Connect
  /** Processes with which watches are shared; undefined where each watches for itself. */
  peers: Peers | undefined
  setReachability: SetReachability
  noteIdentity: NoteIdentity
  /** Queues a run in the caller's transaction. */
  startRun: Workflows['startRun']
  /** Notes how many nodes a group of a cluster has. */
  setNodeCount: SetNodeCount
  /** Publishes that the list of clusters says something else now. */
  publishClusters: (db: Db, organizationId: number) => Promise<void>
  /** A cluster began to fail, or has recovered; in the transaction that records the notification. */
  onHealthMove: (db: Db, move: HealthMove) => Promise<void>
}

/** The Kubernetes half of the server: proxy, and what the console reads of clusters. */
export function kubernetesFeature(
  { database, live, metrics, keyAccess, clock, log, config }: Parts,
  needs: KubernetesNeeds,
) {
  const { summaries: clusters, agents, connect, peers, setReachability, noteIdentity } = needs
  const streams = createOpenStreams()
  const openStreams = (clusterId: number) =>
    streams.all().filter((stream) => stream.clusterId === clusterId && stream.isEndless).length
  const audit = createProxyAudit(createAuditBatch(database), clock, log)
  const connections = createConnectionCache(connect, clock)
  const identify = identifier(
    database,
    keyAccess,
    accountIdentifier({
      organizationOf: (clusterId) => findClusterOrganization(database.pool, clusterId),
      connect: connections.connect,
      agents,
      clock,
    }),
  )
  const proxy = createProxy({
    identify,
    takeKeyTurn: (key) => keyAccess.take(key),
    takeTicket: (hash, kind) => takeAccessTicket(database.pool, hash, kind),
    findCluster: clusters.find,
    connections,
    servedBy: async (cluster) => (await discovery.read(cluster)).resources,
    agents,
    streams,
    audit,
    clock,
    log,
  })

  const client = createKubeClient(agents)
  const lists = createListSnapshots({ database, clock, log })
  const certificates = createCertificates(agents, connect)
  const sharing = peers && shareWatches({ client, connect, peers, database, clock, log })
  const cache = createWatchCache({
    client,
    clientOf: sharing?.clientOf,
    connect: certificates.connect,
    setReachability,
    noteIdentity,
    onReplaced: (clusterId) => discovery.forget(clusterId),
    live,
    clock,
    log,
    lastKnown: lists.last,
  })
  const usage = createUsageSource({ client, connect, clock })
  const volumes = createVolumeUsage({ client, connect, clock })
  const assessor = createAssessor(clock, (clusterId) => volumes.last(clusterId)?.volumes, certificates.endOf)
  const reads = createReadService({
    clusters,
    cache,
    usage,
    volumes,
    assessor,
    snapshots: createOverviewSnapshots({ database, clock, log }),
  })
  const discovery = createDiscovery({
    client,
    connect,
    clock,
    lastServed: lists.lastServed,
    whileAnswering: cache.whileAnswering,
  })
  const customKinds = createCustomKinds({
    database,
    find: async ({ organizationId, id }, resource) =>
      discovery.find(await clusters.getRunning(organizationId, id), resource),
    log,
  })
  const objects = createObjectService({
    clusters,
    cache,
    assessor,
    discovery,
    client,
    connect,
    volumes,
    onRead: customKinds.onRead,
    clock,
  })
  const diagnosis = createDiagnosisService({
    clusters,
    cache,
    assessor,
    discovery,
    client,
    connect,
    volumeOf: (clusterId, claim) => volumes.last(clusterId)?.volumes.get(claim) ?? null,
    clock,
  })
  const tickets = createTicketService({ database, clusters, clock })
  const drains = createDrainService({ database, clusters, connect, agents, startRun: needs.startRun })
  const logs = createLogService({ clusters, connect, client, cache, streams, clock })
  const changes = createChangeService({ database, clusters, cache, clock })
  const allWorkloads = createAllWorkloads({ clusters, cache, assessor, clock })
  const allObjects = createAllObjects({ clusters, cache, discovery, volumes, clock })
  const search = createObjectSearch({ clusters, cache, assessor, discovery })
  const caches = createCacheFigures({ clusters, cache, openStreams })
  const relations = createRelatedService({ clusters, cache, assessor, discovery, client, connect, clock })
  streamMetrics({ live, usage, clock })
  const attendants = createAttendants()
  const observer = startHealthObserver({
    database,
    cache,
    assessor,
    // The same id, by which its peers find it.
    observer: peers?.id ?? uuidv7(),
    onLook(cluster) {
      reads.keepOverview(cluster)
      lists.take(cluster, cache.kept(cluster.id))
      const served = discovery.lastRead(cluster.id)
      if (served) lists.takeServed(cluster, served)
      else discovery.read(cluster).catch(() => undefined)
    },
    publishChange: needs.publishClusters,
    onMove: needs.onHealthMove,
    attend: (cluster) =>
      together([
        recordChanges(cluster, { database, cache, client, connect, customKinds, clock, log }),
        collectMetrics(cluster, { metrics, cache, assessor, usage, clock, log }),
        followVolumes(cluster, { cache, volumes }),
        attendants.attend(cluster),
      ]),
    clock,
    log,
  })

  const recheck = startRecheck({ streams, identify, findCluster: clusters.find, clock, log })
  // While the database was away, ends of access may have been missed.
  const stopListening = [
    database.onUp(() => void recheck.recheck(true)),
    live.onAccessEnd((ended) => {
      streams.end(ended)
      if (ended.kind === 'organization') void recheck.recheck(true)
      if (ended.kind !== 'cluster') return
      connections.forget(ended.clusterId)
      cache.forget(ended.clusterId)
      usage.forget(ended.clusterId)
      volumes.forget(ended.clusterId)
      certificates.forget(ended.clusterId)
      discovery.forget(ended.clusterId)
    }),
  ]

  return {
    handlers: {
      ...proxyRoutes(proxy),
      ...readRoutes(reads, allWorkloads, caches),
      ...diagnosisRoutes(diagnosis),
      ...changeRoutes(changes),
      ...drainRoutes(drains),
      ...logRoutes(logs),
      ...ticketRoutes(tickets, config),
      ...objectRoutes(objects, relations, allObjects, search),
    },
    inventory: [kubernetesResources({ clusters, cache, assessor, volumes })],
    relations: [kubernetesRelations({ cache, readEachCluster: everyClusterReader(clusters, clock) })],
    workflows: drainWorkflows({
      database,
      connect,
      agents,
      startRun: needs.startRun,
      setNodeCount: needs.setNodeCount,
      clock,
    }),
    /** Removes a node, for what finds that a cluster needs fewer. */
    prepareNodeRemoval: drains.prepareRemoval,
    /** Changes an object in the name of a person. */
    patchAs: createPatcher({ clusters, connect, agents }),
    /** Single requests to clusters in Bey's own name, for other features. */
    send: createKubeSender(agents),
    /** What clusters have, as it is watched, for other features. */
    cache: {
      read: cache.read,
      readRows: cache.readRows,
      watchRows: cache.watchRows,
      whileAnswering: cache.whileAnswering,
    },
    /** The same of every running cluster, for other features. */
    readEachCluster: everyClusterReader(clusters, clock),
    /** Lets other features do something for each cluster that this process observes. */
    attendObserved: attendants.add,
    /** Begins to observe the health of clusters that have come up, before the next round does. */
    observe: observer.look,
    /** Writes what was counted of requests to clusters, which else happens once a minute. */
    flushAudit: audit.flush,
    /** For databases that run on clusters. */
    databaseClusters: createDatabaseClusters({ summaries: clusters, connect, agents, cache }),
    upgrade: proxyUpgrade(proxy, { publicUrl: config.publicUrl, hosts: config.hosts }),
    /** Watches, followed logs and sessions that are open on a cluster. */
    openStreams,
    /** Undefined where watches are not shared. */
    sharedWatches: () => sharing?.figures(),
    /** For the dashboard. */
    figures: reads.figures,
    attentionOf,
    attentionList,
    /** Ends what is open, then writes what was counted; the database must still be there. */
    async close() {
      for (const stop of stopListening) stop()
      recheck.stop()
      await observer.stop()
      cache.stop()
      sharing?.stop()
      for (const stream of streams.all()) stream.end()
      await audit.stop()
    },
  } satisfies Feature &
    Record<
      | 'send'
      | 'cache'
      | 'readEachCluster'
      | 'attendObserved'
      | 'observe'
      | 'flushAudit'
      | 'databaseClusters'
      | 'openStreams'
      | 'sharedWatches'
      | 'figures'
      | 'prepareNodeRemoval'
      | 'patchAs'
      | 'attentionOf'
      | 'attentionList',
      unknown
    >
}

function together(all: readonly { stop(): void }[]): { stop(): void } {
  return {
    stop() {
      for (const each of all) each.stop()
    },
  }
}

export type Kubernetes = ReturnType<typeof kubernetesFeature>
