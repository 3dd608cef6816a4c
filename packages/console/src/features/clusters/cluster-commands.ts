import type { Cluster } from '@bey/contract'
import { apiCommand } from '../../lib/page-commands.ts'
import type { PageCommand } from '../../lib/page-commands.ts'
import { kubeconfigFileName } from '../../entities/clusters/cluster-text.ts'

const kubectlOf: Readonly<Record<string, { title: string; rest: string }>> = {
  overview: { title: 'Look at the cluster', rest: 'cluster-info' },
  nodes: { title: 'List the nodes', rest: 'get nodes -o wide' },
  workloads: { title: 'List the deployments', rest: 'get deployments --all-namespaces' },
  pods: { title: 'List the pods', rest: 'get pods --all-namespaces -o wide' },
  events: { title: 'List the events', rest: "get events --all-namespaces --sort-by='.lastTimestamp'" },
}

/** What a cluster's page shows and does, as commands; kubectl for what Kubernetes itself answers. */
export function clusterCommands(cluster: Cluster, tab: string, organizationId: number): PageCommand[] {
  const call = { params: { id: cluster.id } }
  const file = kubeconfigFileName(cluster)
  const kubectl = kubectlOf[tab]
  const kubeconfig = apiCommand('Download its kubeconfig', 'clusters.kubeconfig', call, organizationId)
  return [
    ...(kubectl
      ? [
          {
            title: kubectl.title,
            tool: 'kubectl' as const,
            text: `kubectl --kubeconfig ${file} ${kubectl.rest}`,
          },
        ]
      : []),
    { ...kubeconfig, text: `${kubeconfig.text} \\\n  -o ${file}` },
    apiCommand('Read this cluster', 'clusters.get', call, organizationId),
    apiCommand('Provision it again', 'clusters.provision', call, organizationId),
    apiCommand('Delete it', 'clusters.delete', call, organizationId),
  ]
}
