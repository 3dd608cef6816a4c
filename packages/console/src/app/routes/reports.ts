import { createRoute } from '@tanstack/react-router'
import { parseListSearch } from '../../lib/list-search.ts'
import { lazyPage } from '../lazy-page.ts'
import { screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }

export const reportsRoute = createRoute({
  ...parent,
  validateSearch: parseListSearch,
  path: 'analytics/reports',
  ...screen(
    'Reports',
    lazyPage(() => import('../../features/reports/report-list-page.tsx'), 'ReportListPage'),
  ),
})
export const reportCreateRoute = createRoute({
  ...parent,
  path: 'analytics/reports/create',
  ...screen(
    'Create report',
    lazyPage(() => import('../../features/reports/report-create-page.tsx'), 'ReportCreatePage'),
  ),
})
export const reportRoute = createRoute({
  ...parent,
  path: 'analytics/reports/$id',
  ...screen(
    'Report',
    lazyPage(() => import('../../features/reports/report-page.tsx'), 'ReportPage'),
  ),
})
