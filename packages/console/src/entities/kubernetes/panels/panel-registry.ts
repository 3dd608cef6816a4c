import type { Fields } from './fields.ts'
import {
  configMapPanel,
  limitRangePanel,
  namespacePanel,
  quotaPanel,
  secretPanel,
  serviceAccountPanel,
} from './config-panels.ts'
import { genericPanel } from './generic-panel.ts'
import { cronJobPanel, jobPanel } from './job-panels.ts'
import { endpointSlicePanel, ingressPanel, networkPolicyPanel, servicePanel } from './network-panels.ts'
import { nodePanel } from './node-panel.ts'
import type { Panel, PanelPart } from './panel-parts.ts'
import { podPanel } from './pod-panel.ts'
import { autoscalerPanel, definitionPanel, disruptionBudgetPanel } from './policy-panels.ts'
import { bindingPanel, rolePanel } from './rbac-panels.ts'
import { claimPanel, storageClassPanel, volumePanel } from './storage-panels.ts'
import { daemonSetPanel, deploymentPanel, replicaSetPanel, statefulSetPanel } from './workload-panels.ts'

/** What is shown of objects of the kinds that Kubernetes defines. */
const panels: Readonly<Record<string, Panel>> = {
  pods: podPanel,
  'deployments.apps': deploymentPanel,
  'statefulsets.apps': statefulSetPanel,
  'daemonsets.apps': daemonSetPanel,
  'replicasets.apps': replicaSetPanel,
  'jobs.batch': jobPanel,
  'cronjobs.batch': cronJobPanel,
  nodes: nodePanel,
  namespaces: namespacePanel,
  services: servicePanel,
  'ingresses.networking.k8s.io': ingressPanel,
  'networkpolicies.networking.k8s.io': networkPolicyPanel,
  'endpointslices.discovery.k8s.io': endpointSlicePanel,
  configmaps: configMapPanel,
  secrets: secretPanel,
  resourcequotas: quotaPanel,
  limitranges: limitRangePanel,
  serviceaccounts: serviceAccountPanel,
  persistentvolumeclaims: claimPanel,
  persistentvolumes: volumePanel,
  'storageclasses.storage.k8s.io': storageClassPanel,
  'horizontalpodautoscalers.autoscaling': autoscalerPanel,
  'poddisruptionbudgets.policy': disruptionBudgetPanel,
  'roles.rbac.authorization.k8s.io': rolePanel,
  'clusterroles.rbac.authorization.k8s.io': rolePanel,
  'rolebindings.rbac.authorization.k8s.io': bindingPanel,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingPanel,
  'customresourcedefinitions.apiextensions.k8s.io': definitionPanel,
}

/** What is shown of an object, by its resource. Parts with nothing in them are left out. */
export function panelParts(resource: string, object: Fields): readonly PanelPart[] {
  const panel = Object.hasOwn(panels, resource) ? panels[resource] : undefined
  return (panel ?? genericPanel)(object).filter(hasContent)
}

function hasContent(part: PanelPart): boolean {
  switch (part.type) {
    case 'facts':
      return part.facts.length > 0
    case 'table':
      return part.rows.length > 0 || part.empty !== undefined
    case 'sentences':
      return part.lines.length > 0
    case 'containers':
      return part.containers.length > 0
    case 'data':
    case 'secret':
    case 'schedule':
    case 'values':
      return true
  }
}
