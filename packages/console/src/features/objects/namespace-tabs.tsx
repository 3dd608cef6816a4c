import type { ResourceInfo } from '@bey/contract'
import { ObjectList } from '../../entities/kubernetes/object-list.tsx'
import { PodList } from '../../entities/kubernetes/pod-list.tsx'
import { tabResources } from '../../entities/kubernetes/tab-resources.ts'
import { WorkloadList } from '../../entities/kubernetes/workload-list.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import { NamespaceChangesTab } from './namespace-changes.tsx'
import { NamespaceOverview } from './namespace-overview.tsx'
import { NamespaceQuotaTab } from './namespace-quotas.tsx'
import type { ObjectSubject, ObjectTab } from './object-tabs.tsx'
import { objectTabs } from './object-tabs.tsx'

/** What a namespace holds beside workloads and pods, in the order in which it is offered. */
const configResources: readonly string[] = [
  ...tabResources.config,
  ...tabResources.services,
  ...tabResources.storage,
  ...tabResources.roles,
]

function isConfig({ resource, isNamespaced }: ResourceInfo): number | false {
  const index = configResources.indexOf(resource)
  return index === -1 || !isNamespaced ? false : index
}

const inNamespace = ({ cluster, detail }: ObjectSubject) => ({
  cluster,
  namespace: asKubernetesObject(detail.object).metadata?.name ?? '',
})

const shared = (id: string, isListed: boolean): ObjectTab[] =>
  objectTabs.filter((tab) => tab.id === id).map((tab) => ({ ...tab, isListed }))

/** The parts of the page of a namespace: what is in it, as the lists of the cluster show it. */
export const namespaceTabs: readonly ObjectTab[] = [
  { id: 'overview', label: 'Overview', content: (subject) => <NamespaceOverview {...subject} /> },
  {
    id: 'workloads',
    label: 'Workloads',
    hasOwnFoot: true,
    content: (subject) => <WorkloadList {...inNamespace(subject)} />,
  },
  {
    id: 'pods',
    label: 'Pods',
    hasOwnFoot: true,
    content: (subject) => <PodList {...inNamespace(subject)} />,
  },
  {
    id: 'config',
    label: 'Config',
    hasOwnFoot: true,
    content: (subject) => (
      <ObjectList
        {...inNamespace(subject)}
        isListed={isConfig}
        emptyText="What is created in this namespace appears here at once."
        noneText="This cluster serves no resources of namespaces that Bey may read."
      />
    ),
  },
  ...shared('events', true),
  { id: 'quota', label: 'Quota', content: (subject) => <NamespaceQuotaTab {...inNamespace(subject)} /> },
  {
    id: 'changes',
    label: 'Changes',
    content: (subject) => <NamespaceChangesTab {...inNamespace(subject)} />,
  },
  ...shared('yaml', false),
  ...shared('history', false),
  ...shared('activity', false),
]
