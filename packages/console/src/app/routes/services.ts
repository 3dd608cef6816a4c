import { createRoute } from '@tanstack/react-router'
import { parseListSearch } from '../../lib/list-search.ts'
import { pages, screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }
const list = { ...parent, validateSearch: parseListSearch }

export const dashboardRoute = createRoute({
  ...parent,
  path: '/',
  ...screen('Dashboard', pages.dashboard),
})

export const analyticsMetricsRoute = createRoute({
  ...list,
  path: 'analytics/metrics',
  ...screen('Metrics', pages.metrics),
})

export const metricSourcesRoute = createRoute({
  ...parent,
  path: 'analytics/metrics/sources',
  ...screen('Data sources', pages.metricSources),
})

export const secretsRoute = createRoute({ ...list, path: 'secrets', ...screen('Secrets', pages.secrets) })
export const secretCreateRoute = createRoute({
  ...parent,
  path: 'secrets/create',
  ...screen('Create secret', pages.secretCreate),
})
export const secretImportRoute = createRoute({
  ...parent,
  path: 'secrets/import',
  ...screen('Import secrets', pages.secretImport),
})
export const secretLinksRoute = createRoute({
  ...parent,
  path: 'secrets/links',
  ...screen('Links', pages.secretLinks),
})
export const secretKeysRoute = createRoute({
  ...parent,
  path: 'secrets/keys',
  ...screen('Encryption keys', pages.secretKeys),
})
export const secretRoute = createRoute({
  ...parent,
  path: 'secrets/$id',
  ...screen('Secret', pages.secret),
})

export const resourcesRoute = createRoute({
  ...list,
  path: 'resources',
  ...screen('Resources', pages.resources),
})
export const resourceRoute = createRoute({
  ...parent,
  path: 'resources/$id',
  ...screen('Resource', pages.resource),
})
export const relationshipsRoute = createRoute({
  ...parent,
  path: 'entity-relationships',
  ...screen('Relationships', pages.relations),
})

export const profileRoute = createRoute({ ...parent, path: 'profile', ...screen('Profile', pages.profile) })
export const docsRoute = createRoute({ ...list, path: 'docs', ...screen('Documentation', pages.docs) })
export const docRoute = createRoute({
  ...list,
  path: 'docs/$section/$page',
  ...screen('Documentation', pages.doc),
})
export const changelogRoute = createRoute({
  ...list,
  path: 'changelog',
  ...screen('Changelog', pages.changelog),
})
export const errorsRoute = createRoute({ ...list, path: 'errors', ...screen('Errors', pages.errors) })
export const errorRoute = createRoute({ ...parent, path: 'errors/$id', ...screen('Error', pages.error) })
export const testApiRoute = createRoute({ ...parent, path: 'test-api', ...screen('Test API', pages.testApi) })
export const loggerDemoRoute = createRoute({
  ...parent,
  path: 'logger-demo',
  ...screen('Logger demo', pages.loggerDemo),
})
export const notFoundRoute = createRoute({
  ...parent,
  path: '$',
  ...screen('Page not found', pages.notFound),
})
