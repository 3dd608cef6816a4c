import { createRoute } from '@tanstack/react-router'
import { parseListSearch } from '../../lib/list-search.ts'
import { lazyPage } from '../lazy-page.ts'
import { screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }

export const networksRoute = createRoute({
  ...parent,
  validateSearch: parseListSearch,
  path: 'networking',
  ...screen(
    'Networks',
    lazyPage(() => import('../../features/networks/network-list-page.tsx'), 'NetworkListPage'),
  ),
})
export const networkCreateRoute = createRoute({
  ...parent,
  path: 'networking/create',
  ...screen(
    'Create network',
    lazyPage(() => import('../../features/networks/network-create-page.tsx'), 'NetworkCreatePage'),
  ),
})
export const reachabilityRoute = createRoute({
  ...parent,
  path: 'networking/reachability',
  ...screen(
    'Reachability',
    lazyPage(() => import('../../features/networks/reachability/reachability-page.tsx'), 'ReachabilityPage'),
  ),
})
const ingressList = { ...parent, validateSearch: parseListSearch }
export const ingressRoute = createRoute({
  ...ingressList,
  path: 'networking/ingress',
  ...screen(
    'Ingress and certificates',
    lazyPage(() => import('../../features/ingress/host-list-page.tsx'), 'HostListPage'),
  ),
})
export const certificatesRoute = createRoute({
  ...ingressList,
  path: 'networking/ingress/certificates',
  ...screen(
    'Certificates',
    lazyPage(() => import('../../features/ingress/certificate-list-page.tsx'), 'CertificateListPage'),
  ),
})
export const loadBalancersRoute = createRoute({
  ...ingressList,
  path: 'networking/ingress/load-balancers',
  ...screen(
    'Load balancers',
    lazyPage(() => import('../../features/ingress/balancer-list-page.tsx'), 'LoadBalancerListPage'),
  ),
})
export const gatewaysRoute = createRoute({
  ...ingressList,
  path: 'networking/ingress/gateways',
  ...screen(
    'Gateways',
    lazyPage(() => import('../../features/ingress/gateway-list-page.tsx'), 'GatewayListPage'),
  ),
})
export const flowMapRoute = createRoute({
  ...parent,
  path: 'networking/flows',
  ...screen(
    'Flow map',
    lazyPage(() => import('../../features/networks/flows/flow-map-page.tsx'), 'FlowMapPage'),
  ),
})
export const networkRoute = createRoute({
  ...parent,
  path: 'networking/$id',
  ...screen(
    'Network',
    lazyPage(() => import('../../features/networks/network-detail-page.tsx'), 'NetworkDetailPage'),
  ),
})
export const networkGroupCreateRoute = createRoute({
  ...parent,
  path: 'networking/$id/groups/create',
  ...screen(
    'Create security group',
    lazyPage(() => import('../../features/networks/groups/group-create-page.tsx'), 'GroupCreatePage'),
  ),
})
export const networkGroupRoute = createRoute({
  ...parent,
  path: 'networking/$id/groups/$groupId',
  ...screen(
    'Security group',
    lazyPage(() => import('../../features/networks/groups/group-page.tsx'), 'GroupPage'),
  ),
})
