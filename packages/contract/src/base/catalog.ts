import { entityOf, entityRoutes, entityTypes } from './entity-table.ts'

/** The service catalogue: what the sidebar, the switcher, the palette and the not-found page list. */

export type ServiceRoute = { label: string; path: string }

export type Service = {
  label: string
  value: string
  /** Name of a lucide icon, kebab-case. */
  icon: string
  description: string
  isLaunched: boolean
  /** Values of services that this one needs. */
  dependencies?: readonly string[]
  routes?: readonly ServiceRoute[]
}

export type ServiceCategory = { name: string; services: readonly Service[] }

export const dashboardService: Service = {
  label: 'Dashboard',
  value: 'dashboard',
  icon: 'layout-dashboard',
  description: 'view cloud resources and analytics',
  isLaunched: true,
  routes: [{ label: 'Dashboard', path: '/' }],
}

const kubernetes: Service = {
  label: 'Kubernetes',
  value: 'kubernetes',
  icon: 'boxes',
  description: 'Run and observe Kubernetes clusters and what runs in them',
  isLaunched: true,
  routes: [
    ...entityRoutes('cluster'),
    { label: 'Services', path: '/kubernetes/services' },
    { label: 'Workloads', path: '/kubernetes/workloads' },
    { label: 'Storage', path: '/storage' },
  ],
}

const categories: readonly ServiceCategory[] = [
  {
    name: 'Compute',
    services: [
      kubernetes,
      {
        label: 'Workflows',
        value: 'workflows',
        icon: 'workflow',
        description: 'Managed workflows which performs series of actions',
        isLaunched: true,
        routes: [...entityRoutes('workflow'), ...entityRoutes('run')],
      },
      {
        label: 'Containers',
        value: 'containers',
        icon: 'container',
        description: 'Run containers without managing a cluster',
        isLaunched: false,
        dependencies: ['kubernetes'],
      },
      {
        label: 'Serverless',
        value: 'serverless',
        icon: 'zap',
        description: 'Run functions that scale to zero',
        isLaunched: false,
        dependencies: ['kubernetes'],
      },
    ],
  },
  {
    name: 'Data & Analytics',
    services: [
      {
        label: 'Analytics',
        value: 'analytics',
        icon: 'chart-line',
        description: 'Dashboards, reports and metrics of everything you run',
        isLaunched: true,
        routes: [
          { label: 'Dashboard', path: '/analytics/dashboard' },
          { label: 'Reports', path: '/analytics/reports' },
          { label: 'Metrics', path: '/analytics/metrics' },
          { label: 'Alerts', path: '/analytics/alerts' },
        ],
      },
      {
        label: 'Database',
        value: 'database',
        icon: 'database-zap',
        description: 'Managed databases for analytics',
        isLaunched: false,
        dependencies: ['kubernetes'],
      },
    ],
  },
  {
    name: 'Infrastructure',
    services: [
      kubernetes,
      {
        label: 'Networking',
        value: 'networking',
        icon: 'network',
        description: 'Configure and manage your cloud networks, VPCs, and security groups',
        isLaunched: true,
        routes: [
          { label: 'Networks', path: '/networking' },
          { label: 'Create network', path: '/networking/create' },
          { label: 'Reachability', path: '/networking/reachability' },
          { label: 'Flow map', path: '/networking/flows' },
          { label: 'Ingress and certificates', path: '/networking/ingress' },
        ],
      },
      {
        label: 'Security',
        value: 'security',
        icon: 'shield',
        description: 'Policies and findings across your clusters',
        isLaunched: false,
        dependencies: ['kubernetes'],
      },
      {
        label: 'Edge Computing',
        value: 'edge-computing',
        icon: 'radio-tower',
        description: 'Run workloads close to your users',
        isLaunched: false,
        dependencies: ['kubernetes'],
      },
      {
        label: 'Secrets',
        value: 'secrets',
        icon: 'key-round',
        description: 'Secure key and secrets management',
        isLaunched: true,
        routes: [
          { label: 'Secrets', path: '/secrets' },
          { label: 'Create secret', path: '/secrets/create' },
        ],
      },
      {
        label: 'Resources',
        value: 'resources',
        icon: 'layers',
        description: 'Everything the organization runs, and how it hangs together',
        isLaunched: true,
        routes: [
          { label: 'Resources', path: '/resources' },
          { label: 'Entity relationships', path: '/entity-relationships' },
        ],
      },
    ],
  },
  {
    name: 'Databases',
    services: [
      {
        label: 'Databases',
        value: 'databases',
        icon: 'database',
        description: 'Create, back up and restore databases',
        isLaunched: true,
        routes: [
          { label: 'Databases', path: '/databases' },
          { label: 'Create database', path: '/databases/create' },
        ],
      },
      {
        label: 'Database Metrics',
        value: 'database-metrics',
        icon: 'gauge',
        description: 'Connections, throughput and slow statements of your databases',
        isLaunched: true,
        routes: [{ label: 'Database Metrics', path: '/databases/metrics' }],
      },
    ],
  },
]

/** With the entities that name this service as their place in the sidebar. */
function withEntities(service: Service): Service {
  const types = entityTypes.filter((type) => entityOf(type).sidebar === service.value)
  if (types.length === 0) return service
  return { ...service, routes: [...(service.routes ?? []), ...types.flatMap(entityRoutes)] }
}

export const serviceCatalog: readonly ServiceCategory[] = categories.map((category) => ({
  ...category,
  services: category.services.map(withEntities),
}))

/** Whether a path is a route or lies below it; `/secrets` does not cover `/secrets-of-others`. */
export function isBelow(path: string, route: string): boolean {
  if (route === '/') return path === '/'
  return path === route || path.startsWith(`${route}/`)
}

/** The service that a path belongs to: the longest route that prefixes it, then `/{value}`, then Dashboard. */
export function serviceForPath(path: string): Service {
  const launched = serviceCatalog
    .flatMap((category) => category.services)
    .filter((service) => service.isLaunched)
  let best: { service: Service; length: number } | undefined
  for (const service of launched) {
    for (const route of service.routes ?? []) {
      if (isBelow(path, route.path) && route.path.length > (best?.length ?? 0))
        best = { service, length: route.path.length }
    }
  }
  return best?.service ?? launched.find((service) => isBelow(path, `/${service.value}`)) ?? dashboardService
}
