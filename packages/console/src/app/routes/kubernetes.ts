import { createRoute } from '@tanstack/react-router'
import { parseListSearch } from '../../lib/list-search.ts'
import { pages, screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }
const list = { ...parent, validateSearch: parseListSearch }

export const clustersRoute = createRoute({
  ...list,
  path: 'kubernetes/clusters',
  ...screen('Clusters', pages.clusters),
})
export const clusterCreateRoute = createRoute({
  ...parent,
  path: 'kubernetes/clusters/create',
  ...screen('Create cluster', pages.clusterCreate),
})
export const clusterImportRoute = createRoute({
  ...parent,
  path: 'kubernetes/clusters/import',
  ...screen('Import clusters', pages.clusterImport),
})
export const clusterRoute = createRoute({
  ...list,
  path: 'kubernetes/clusters/$id',
  ...screen('Cluster', pages.cluster),
})
export const clusterTabRoute = createRoute({
  ...list,
  path: 'kubernetes/clusters/$id/$tab',
  ...screen('Cluster', pages.cluster),
})
export const manifestCreateRoute = createRoute({
  ...list,
  path: 'kubernetes/clusters/$id/create',
  ...screen('Create objects', pages.manifestCreate),
})
export const objectRoute = createRoute({
  ...list,
  path: 'kubernetes/clusters/$id/objects/$resource/$namespace/$name',
  ...screen('Object', pages.object),
})
export const kubernetesAdminRoute = createRoute({
  ...parent,
  path: 'kubernetes/admin',
  ...screen('Kubernetes administration', pages.kubernetesAdmin),
})
export const workloadsRoute = createRoute({
  ...list,
  path: 'kubernetes/workloads',
  ...screen('Workloads', pages.workloads),
})
export const servicesRoute = createRoute({
  ...list,
  path: 'kubernetes/services',
  ...screen('Services', pages.services),
})
export const storageRoute = createRoute({ ...list, path: 'storage', ...screen('Storage', pages.storage) })
export const debugClustersRoute = createRoute({
  ...parent,
  path: 'debug-clusters',
  ...screen('Debug clusters', pages.debugClusters),
})
