import { createRoute } from '@tanstack/react-router'
import { parseListSearch } from '../../lib/list-search.ts'
import { lazyPage } from '../lazy-page.ts'
import { screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }

export const databasesRoute = createRoute({
  ...parent,
  validateSearch: parseListSearch,
  path: 'databases',
  ...screen(
    'Databases',
    lazyPage(() => import('../../features/databases/database-list-page.tsx'), 'DatabaseListPage'),
  ),
})
export const databaseCreateRoute = createRoute({
  ...parent,
  path: 'databases/create',
  ...screen(
    'Create database',
    lazyPage(() => import('../../features/databases/database-create-page.tsx'), 'DatabaseCreatePage'),
  ),
})
export const databaseRoute = createRoute({
  ...parent,
  path: 'databases/$id',
  ...screen(
    'Database',
    lazyPage(() => import('../../features/databases/database-detail-page.tsx'), 'DatabaseDetailPage'),
  ),
})
export const databaseMetricsRoute = createRoute({
  ...parent,
  validateSearch: parseListSearch,
  path: 'databases/metrics',
  ...screen(
    'Database Metrics',
    lazyPage(() => import('../../features/databases/database-metrics-page.tsx'), 'DatabaseMetricsPage'),
  ),
})
export const backupTargetsRoute = createRoute({
  ...parent,
  path: 'databases/backup-targets',
  ...screen(
    'Backup targets',
    lazyPage(() => import('../../features/databases/targets/backup-targets-page.tsx'), 'BackupTargetsPage'),
  ),
})
export const databaseRestoreRoute = createRoute({
  ...parent,
  path: 'databases/$id/restore',
  ...screen(
    'Restore',
    lazyPage(() => import('../../features/databases/restore/restore-page.tsx'), 'RestorePage'),
  ),
})
