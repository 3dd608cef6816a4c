import { runClaimGrowth } from '../admission/claim-growth.ts'
import { runPodSecurity } from '../admission/pod-security.ts'
import { runPolicies } from '../admission/policies.ts'
import type { Cluster } from '../api/context.ts'
import { runKubelets } from '../nodes/kubelet.ts'
import { runNodes } from '../nodes/node-controller.ts'
import type { NodePower } from '../nodes/node-power.ts'
import { runScheduler } from '../nodes/scheduler.ts'
import { controllerRevisions, jobs, pods, replicaSets } from '../types.ts'
import { runApiServices } from './api-services.ts'
import { runAutoscalers } from './autoscaler.ts'
import type { Controller } from './controller.ts'
import { runCronJobs } from './cron-job.ts'
import { runCustomKinds } from './custom-kinds.ts'
import { runDaemonSets } from './daemon-set.ts'
import { runDeployments } from './deployment.ts'
import { runBudgets } from './disruption.ts'
import { runEndpoints } from './endpoints.ts'
import { runEphemeralVolumes } from './ephemeral-volumes.ts'
import { runFlowControl } from './flow-control.ts'
import { runGarbageCollector } from './garbage-collector.ts'
import { runIngresses } from './ingress.ts'
import { runJobs } from './job.ts'
import { runNamespaces } from './namespace.ts'
import { indexByController } from './owner.ts'
import { runQuotas } from './quota.ts'
import { runReplicaSets } from './replica-set.ts'
import { runServiceAddresses } from './service-addresses.ts'
import { runSigner } from './signer.ts'
import { runStatefulSets } from './stateful-set.ts'
import { runVolumes } from './volumes.ts'

/** Starts everything that moves by itself. */
export function runControllers(cluster: Cluster, power: NodePower): Controller[] {
  indexByController(cluster.store, pods)
  indexByController(cluster.store, replicaSets)
  indexByController(cluster.store, controllerRevisions)
  indexByController(cluster.store, jobs)
  const controllers = [
    runCustomKinds(cluster),
    runQuotas(cluster),
    runNamespaces(cluster),
    runGarbageCollector(cluster),
    runScheduler(cluster),
    runKubelets(cluster, power),
    runNodes(cluster, power),
    ...runReplicaSets(cluster),
    runSigner(cluster),
    runApiServices(cluster),
    runDeployments(cluster),
    runStatefulSets(cluster),
    runDaemonSets(cluster),
    runJobs(cluster),
    runCronJobs(cluster),
    runEndpoints(cluster),
    ...runVolumes(cluster),
    runEphemeralVolumes(cluster),
    runBudgets(cluster),
    runAutoscalers(cluster),
    runIngresses(cluster),
    ...runServiceAddresses(cluster),
    ...runFlowControl(cluster),
  ]
  // Last, for a policy judges what is about to be stored.
  runPodSecurity(cluster)
  runClaimGrowth(cluster)
  runPolicies(cluster)
  return controllers
}
