import { createRouter } from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { PageError } from './error-boundary.tsx'
import { Loading } from './loading.tsx'
import {
  authRoute,
  bareRoute,
  deviceRoute,
  forgotPasswordRoute,
  guardedRoute,
  invitationRoute,
  loginRoute,
  oauthCallbackRoute,
  demoVisitRoute,
  resetPasswordRoute,
  rootRoute,
  secretShareRoute,
  signupRoute,
} from './routes/root.ts'
import * as databases from './routes/databases.ts'
import * as networks from './routes/networks.ts'
import * as alerts from './routes/alerts.ts'
import * as boards from './routes/boards.ts'
import * as reports from './routes/reports.ts'
import * as kubernetes from './routes/kubernetes.ts'
import * as services from './routes/services.ts'
import * as workflows from './routes/workflows.ts'
import * as workspaces from './routes/workspaces.ts'

const routeTree = rootRoute.addChildren({
  authRoute: authRoute.addChildren({ loginRoute, signupRoute }),
  bareRoute: bareRoute.addChildren({ deviceRoute }),
  forgotPasswordRoute,
  invitationRoute,
  resetPasswordRoute,
  oauthCallbackRoute,
  demoVisitRoute,
  secretShareRoute,
  guardedRoute: guardedRoute.addChildren({
    ...alerts,
    ...boards,
    ...reports,
    ...networks,
    ...databases,
    ...kubernetes,
    ...services,
    ...workflows,
    ...workspaces,
  }),
})

/** A router over the browser's history, or over another in tests. */
export function createConsoleRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    // Quick pages show no word at all.
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: () => null,
    scrollRestoration: true,
    scrollToTopSelectors: ['#main'],
    ...(history ? { history } : {}),
  })
}

export const router = createConsoleRouter()

export type AppRouter = typeof router

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
