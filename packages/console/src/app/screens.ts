import { prefetchDashboard } from '../data/analytics.ts'
import { prefetchCluster } from '../data/prefetch-cluster.ts'
import { lazyPage } from './lazy-page.ts'

const unbuilt = lazyPage(() => import('../features/unbuilt/unbuilt-page.tsx'), 'UnbuiltPage')

/** A route's page and what it is called. Without a component the page says that it is not built yet. */
export function screen<C>(title: string, component: C): { staticData: { title: string }; component: C }
export function screen(title: string): { staticData: { title: string }; component: typeof unbuilt }
export function screen(title: string, component: unknown = unbuilt) {
  return { staticData: { title }, component }
}

/** Every page of the console, each in a chunk of its own. */
export const pages = {
  login: lazyPage(() => import('../features/auth/login-page.tsx'), 'LoginPage'),
  signup: lazyPage(() => import('../features/auth/signup-page.tsx'), 'SignupPage'),
  forgotPassword: lazyPage(() => import('../features/auth/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  resetPassword: lazyPage(() => import('../features/auth/reset-password-page.tsx'), 'ResetPasswordPage'),
  oauthCallback: lazyPage(() => import('../features/auth/oauth-callback-page.tsx'), 'OauthCallbackPage'),
  demoVisit: lazyPage(() => import('../features/auth/demo-visit-page.tsx'), 'DemoVisitPage'),
  dashboard: lazyPage(
    () => import('../features/dashboard/dashboard-page.tsx'),
    'DashboardPage',
    prefetchDashboard,
  ),
  metricSources: lazyPage(() => import('../features/metrics/sources/sources-page.tsx'), 'SourcesPage'),
  metrics: lazyPage(() => import('../features/metrics/metrics-page.tsx'), 'MetricsPage'),
  clusters: lazyPage(() => import('../features/clusters/cluster-list-page.tsx'), 'ClusterListPage'),
  clusterCreate: lazyPage(() => import('../features/clusters/cluster-create-page.tsx'), 'ClusterCreatePage'),
  clusterImport: lazyPage(() => import('../features/import/import-page.tsx'), 'ImportPage'),
  cluster: lazyPage(
    () => import('../features/clusters/cluster-detail-page.tsx'),
    'ClusterDetailPage',
    prefetchCluster,
  ),
  manifestCreate: lazyPage(
    () => import('../features/manifests/manifest-create-page.tsx'),
    'ManifestCreatePage',
  ),
  object: lazyPage(() => import('../features/objects/object-page.tsx'), 'ObjectPage'),
  relations: lazyPage(() => import('../features/relations/relations-page.tsx'), 'RelationsPage'),
  workloads: lazyPage(() => import('../features/kubernetes/workload-list-page.tsx'), 'WorkloadListPage'),
  services: lazyPage(() => import('../features/kubernetes/service-list-page.tsx'), 'ServiceListPage'),
  storage: lazyPage(() => import('../features/kubernetes/storage-page.tsx'), 'StoragePage'),
  kubernetesAdmin: lazyPage(
    () => import('../features/clusters/kubernetes-admin-page.tsx'),
    'KubernetesAdminPage',
  ),
  workflows: lazyPage(() => import('../features/workflows/workflow-list-page.tsx'), 'WorkflowListPage'),
  workflow: lazyPage(() => import('../features/workflows/workflow-detail-page.tsx'), 'WorkflowDetailPage'),
  workflowExecute: lazyPage(
    () => import('../features/workflows/workflow-execute-page.tsx'),
    'WorkflowExecutePage',
  ),
  workflowEditor: lazyPage(
    () => import('../features/workflows/workflow-editor-page.tsx'),
    'WorkflowEditorPage',
  ),
  runs: lazyPage(() => import('../features/workflows/runs/run-list-page.tsx'), 'RunListPage'),
  runCompare: lazyPage(() => import('../features/workflows/runs/compare-page.tsx'), 'ComparePage'),
  approvals: lazyPage(
    () => import('../features/workflows/approvals/approval-list-page.tsx'),
    'ApprovalListPage',
  ),
  approval: lazyPage(() => import('../features/workflows/approvals/approval-page.tsx'), 'ApprovalPage'),
  run: lazyPage(() => import('../features/workflows/runs/run-page.tsx'), 'RunPage'),
  secrets: lazyPage(() => import('../features/secrets/secret-list-page.tsx'), 'SecretListPage'),
  secretCreate: lazyPage(() => import('../features/secrets/secret-create-page.tsx'), 'SecretCreatePage'),
  secretImport: lazyPage(() => import('../features/secrets/secret-import-page.tsx'), 'SecretImportPage'),
  secretLinks: lazyPage(() => import('../features/secrets/secret-links-page.tsx'), 'SecretLinksPage'),
  secretKeys: lazyPage(() => import('../features/secrets/secret-keys-page.tsx'), 'SecretKeysPage'),
  secretShare: lazyPage(() => import('../features/secrets/share-page.tsx'), 'SharePage'),
  secret: lazyPage(() => import('../features/secrets/secret-detail-page.tsx'), 'SecretDetailPage'),
  deviceLogin: lazyPage(() => import('../features/device-login/device-login-page.tsx'), 'DeviceLoginPage'),
  invitation: lazyPage(() => import('../features/auth/invitation-page.tsx'), 'InvitationPage'),
  organizationSettings: lazyPage(
    () => import('../features/organizations/organization-settings-page.tsx'),
    'OrganizationSettingsPage',
  ),
  organizationCreate: lazyPage(
    () => import('../features/organizations/organization-create-page.tsx'),
    'OrganizationCreatePage',
  ),
  notificationSettings: lazyPage(
    () => import('../features/notification-settings/notification-settings-page.tsx'),
    'NotificationSettingsPage',
  ),
  security: lazyPage(() => import('../features/security/security-page.tsx'), 'SecurityPage'),
  resources: lazyPage(() => import('../features/resources/resource-list-page.tsx'), 'ResourceListPage'),
  resource: lazyPage(() => import('../features/resources/resource-detail-page.tsx'), 'ResourceDetailPage'),
  docs: lazyPage(() => import('../features/docs/docs-home-page.tsx'), 'DocsHomePage'),
  doc: lazyPage(() => import('../features/docs/doc-page.tsx'), 'DocPage'),
  changelog: lazyPage(() => import('../features/changelog/changelog-page.tsx'), 'ChangelogPage'),
  errors: lazyPage(() => import('../features/error-log/error-list-page.tsx'), 'ErrorListPage'),
  error: lazyPage(() => import('../features/error-log/error-detail-page.tsx'), 'ErrorDetailPage'),
  profile: lazyPage(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
  testApi: lazyPage(() => import('../features/test-api/test-api-page.tsx'), 'TestApiPage'),
  debugClusters: lazyPage(
    () => import('../features/debug-clusters/debug-clusters-page.tsx'),
    'DebugClustersPage',
  ),
  loggerDemo: lazyPage(() => import('../features/logger-demo/logger-demo-page.tsx'), 'LoggerDemoPage'),
  annotations: lazyPage(
    () => import('../features/annotations/annotation-list-page.tsx'),
    'AnnotationListPage',
  ),
  appearance: lazyPage(() => import('../features/theming/appearance-page.tsx'), 'AppearancePage'),
  notFound: lazyPage(() => import('./pages/not-found-page.tsx'), 'NotFoundPage'),
}
