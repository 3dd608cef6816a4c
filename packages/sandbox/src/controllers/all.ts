import type { Cluster } from '../api/context.ts'
import { runKubelets } from '../nodes/kubelet.ts'
import { runNodes, type NodePower } from '../nodes/node-controller.ts'
import { runScheduler } from '../nodes/scheduler.ts'
import { pods, replicaSets } from '../types.ts'
import type { Controller } from './controller.ts'
import { runDeployments } from './deployment.ts'
import { runEndpoints } from './endpoints.ts'
import { runGarbageCollector } from './garbage-collector.ts'
import { runNamespaces } from './namespace.ts'
import { indexByController } from './owner.ts'
import { runReplicaSets } from './replica-set.ts'

/** Starts everything that moves by itself. */
export function runControllers(cluster: Cluster, power: NodePower): Controller[] {
  indexByController(cluster.store, pods)
  indexByController(cluster.store, replicaSets)
  return [
    runNamespaces(cluster),
    runGarbageCollector(cluster),
    runScheduler(cluster),
    runKubelets(cluster, power),
    runNodes(cluster, power),
    runReplicaSets(cluster),
    runDeployments(cluster),
    runEndpoints(cluster),
  ]
}
