import { lazyRouteComponent } from '@tanstack/react-router'

const unbuilt = lazyRouteComponent(() => import('../features/unbuilt/unbuilt-page.tsx'), 'UnbuiltPage')

/** A route's page and what it is called. Without a component the page says that it is not built yet. */
export function screen<C>(title: string, component: C): { staticData: { title: string }; component: C }
export function screen(title: string): { staticData: { title: string }; component: typeof unbuilt }
export function screen(title: string, component: unknown = unbuilt) {
  return { staticData: { title }, component }
}

/** Every page of the console, each in a chunk of its own. */
export const pages = {
  login: lazyRouteComponent(() => import('../features/auth/login-page.tsx'), 'LoginPage'),
  signup: lazyRouteComponent(() => import('../features/auth/signup-page.tsx'), 'SignupPage'),
  forgotPassword: lazyRouteComponent(
    () => import('../features/auth/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
  dashboard: lazyRouteComponent(() => import('../features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  clusters: lazyRouteComponent(() => import('../features/clusters/cluster-list-page.tsx'), 'ClusterListPage'),
  clusterCreate: lazyRouteComponent(
    () => import('../features/clusters/cluster-create-page.tsx'),
    'ClusterCreatePage',
  ),
  cluster: lazyRouteComponent(
    () => import('../features/clusters/cluster-detail-page.tsx'),
    'ClusterDetailPage',
  ),
  workflows: lazyRouteComponent(
    () => import('../features/workflows/workflow-list-page.tsx'),
    'WorkflowListPage',
  ),
  workflow: lazyRouteComponent(
    () => import('../features/workflows/workflow-detail-page.tsx'),
    'WorkflowDetailPage',
  ),
  runs: lazyRouteComponent(() => import('../features/workflows/run-list-page.tsx'), 'RunListPage'),
  run: lazyRouteComponent(() => import('../features/workflows/run-detail-page.tsx'), 'RunDetailPage'),
  organizationCreate: lazyRouteComponent(
    () => import('../features/organizations/organization-create-page.tsx'),
    'OrganizationCreatePage',
  ),
  profile: lazyRouteComponent(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
  appearance: lazyRouteComponent(() => import('./pages/appearance-page.tsx'), 'AppearancePage'),
  notFound: lazyRouteComponent(() => import('./pages/not-found-page.tsx'), 'NotFoundPage'),
}
