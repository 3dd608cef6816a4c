import type { AttentionItem, Health } from '@bey/contract'
import type { AlertHealth } from '../alerts/attention.ts'
import type { DatabaseHealth } from '../databases/health.ts'
import type { IngressHealth } from '../ingress/health.ts'
import type { NetworkHealth } from '../networks/health.ts'
import type { DashboardCluster, TroubledRun } from './store.ts'

/** A cluster that could not be looked at, or that failed as a whole. */
export function clusterItem({ id, title }: DashboardCluster, health: Health): AttentionItem {
  return {
    key: `${id}/Cluster//${title}`,
    kind: 'Cluster',
    name: title,
    namespace: null,
    cluster: { id, title },
    health,
    affected: null,
    href: `/kubernetes/clusters/${id}`,
    action: 'open',
  }
}

/** A database that does not do what it is meant to. */
export function databaseItem({ id, name, health }: DatabaseHealth): AttentionItem {
  return {
    key: `database/${id}`,
    kind: 'Database',
    name,
    namespace: null,
    cluster: null,
    health,
    affected: null,
    href: `/databases/${id}`,
    action: 'open',
  }
}

/** An alert that fires, or that nobody knows of whether it would. */
export function alertItem({ id, name, health }: AlertHealth): AttentionItem {
  return {
    key: `alert/${id}`,
    kind: 'Alert',
    name,
    namespace: null,
    cluster: null,
    health,
    affected: null,
    href: `/analytics/alerts/${id}`,
    action: 'open',
  }
}

/** A network that is not in its clusters as it is held in Bey. */
export function networkItem({ id, name, health }: NetworkHealth): AttentionItem {
  return {
    key: `network/${id}`,
    kind: 'Network',
    name,
    namespace: null,
    cluster: null,
    health,
    affected: null,
    href: `/networking/${id}`,
    action: 'open',
  }
}

/** A host that leads nowhere, or a certificate that ends soon, has ended or is wrong. */
export function ingressItem({
  key,
  kind,
  name,
  namespace,
  cluster,
  health,
  href,
}: IngressHealth): AttentionItem {
  return { key, kind, name, namespace, cluster, health, affected: null, href, action: 'open' }
}

/** The newest run of a workflow on its subject, where it failed and none has succeeded since. */
export function runItem(run: TroubledRun): AttentionItem {
  const isWaiting = run.status === 'needs_attention'
  return {
    key: `run/${run.workflowId}/${run.clusterId ?? ''}`,
    kind: 'Run',
    name: run.workflowName,
    namespace: null,
    cluster:
      run.clusterId === null || run.clusterTitle === null
        ? null
        : { id: run.clusterId, title: run.clusterTitle },
    health: {
      state: 'degraded',
      reason: isWaiting ? 'Needs a decision' : run.status === 'timed_out' ? 'Run timed out' : 'Run failed',
      detail: run.error,
      since: run.at.toISOString(),
      object: null,
    },
    affected: null,
    href: `/workflows/${run.workflowId}/runs/${run.runId}`,
    action: 'open',
  }
}
