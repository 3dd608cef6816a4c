import type { Cluster, ResourceInfo } from '@bey/contract'
import { ObjectList } from '../../entities/kubernetes/object-list.tsx'
import { tabResources } from '../../entities/kubernetes/tab-resources.ts'

/** Resources of a tab, in the order in which they are offered. */
function oneOf(resources: readonly string[]) {
  return ({ resource }: ResourceInfo): number | false => {
    const index = resources.indexOf(resource)
    return index === -1 ? false : index
  }
}

const services = oneOf(tabResources.services)
const storage = oneOf(tabResources.storage)
const config = oneOf(tabResources.config)
const rights = oneOf(tabResources.roles)
/** Definitions first, then what they define. */
const custom = ({ resource, isCustom }: ResourceInfo): number | false => {
  if (resource === 'customresourcedefinitions.apiextensions.k8s.io') return 0
  return isCustom ? 1 : false
}

export function ServicesTab({ cluster }: { cluster: Cluster }) {
  return (
    <ObjectList
      cluster={cluster}
      isListed={services}
      isCountedAtFirst
      emptyText="A service gives pods one address. What is created appears here at once."
      noneText="This cluster serves no networking resources that Bey may read."
    />
  )
}

export function StorageTab({ cluster }: { cluster: Cluster }) {
  return (
    <ObjectList
      cluster={cluster}
      isListed={storage}
      emptyText="A claim asks for a volume of a storage class. What is created appears here at once."
      noneText="This cluster serves no storage resources that Bey may read."
    />
  )
}

export function ConfigTab({ cluster }: { cluster: Cluster }) {
  return (
    <ObjectList
      cluster={cluster}
      isListed={config}
      emptyText="What is created appears here at once."
      noneText="This cluster serves no configuration resources that Bey may read."
    />
  )
}

export function RolesList({ cluster }: { cluster: Cluster }) {
  return (
    <ObjectList
      cluster={cluster}
      isListed={rights}
      emptyText="What is created appears here at once."
      noneText="This cluster serves no roles that Bey may read."
    />
  )
}

export function CustomTab({ cluster }: { cluster: Cluster }) {
  return (
    <ObjectList
      cluster={cluster}
      isListed={custom}
      isNamespacedAtFirst={false}
      emptyText="Nothing of this kind has been created in the cluster."
      noneText="No custom resources are defined in this cluster."
    />
  )
}
