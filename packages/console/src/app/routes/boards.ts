import { createRoute } from '@tanstack/react-router'
import { parseBoardSearch } from '../../features/boards/board-search.ts'
import { lazyPage } from '../lazy-page.ts'
import { screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const BoardPage = lazyPage(() => import('../../features/boards/board-page.tsx'), 'BoardPage')
const parent = { getParentRoute: () => guardedRoute, validateSearch: parseBoardSearch }

export const boardsRoute = createRoute({
  ...parent,
  path: 'analytics/dashboard',
  ...screen('Analytics', BoardPage),
})
export const boardRoute = createRoute({
  ...parent,
  path: 'analytics/dashboard/$id',
  ...screen('Board', BoardPage),
})
