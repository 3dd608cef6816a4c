import { createRoute } from '@tanstack/react-router'
import { parseListSearch } from '../../lib/list-search.ts'
import { lazyPage } from '../lazy-page.ts'
import { screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }

export const alertsRoute = createRoute({
  ...parent,
  validateSearch: parseListSearch,
  path: 'analytics/alerts',
  ...screen(
    'Alerts',
    lazyPage(() => import('../../features/alerts/alert-list-page.tsx'), 'AlertListPage'),
  ),
})
export const alertCreateRoute = createRoute({
  ...parent,
  path: 'analytics/alerts/create',
  ...screen(
    'Create alert',
    lazyPage(() => import('../../features/alerts/alert-create-page.tsx'), 'AlertCreatePage'),
  ),
})
export const alertRoute = createRoute({
  ...parent,
  path: 'analytics/alerts/$id',
  ...screen(
    'Alert',
    lazyPage(() => import('../../features/alerts/alert-detail-page.tsx'), 'AlertDetailPage'),
  ),
})
