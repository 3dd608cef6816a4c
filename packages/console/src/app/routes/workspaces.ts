import { createRoute } from '@tanstack/react-router'
import { parseBillingSearch } from '../../features/billing/billing-search.ts'
import { parseListSearch } from '../../lib/list-search.ts'
import { lazyPage } from '../lazy-page.ts'
import { pages, screen } from '../screens.ts'
import { guardedRoute } from './root.ts'

const parent = { getParentRoute: () => guardedRoute }
const list = { ...parent, validateSearch: parseListSearch }

export const organizationCreateRoute = createRoute({
  ...parent,
  path: 'workspaces/create',
  ...screen('Create organization', pages.organizationCreate),
})
export const membersRoute = createRoute({
  ...list,
  path: 'workspaces/members',
  ...screen(
    'Team members',
    lazyPage(() => import('../../features/members/member-list-page.tsx'), 'MemberListPage'),
  ),
})
export const settingsRoute = createRoute({
  ...parent,
  path: 'workspaces/settings',
  ...screen('Workspace settings', pages.organizationSettings),
})
export const instanceRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/instance',
  ...screen(
    'Instance',
    lazyPage(() => import('../../features/workspaces/instance-health/instance-page.tsx'), 'InstancePage'),
  ),
})
export const instanceSettingsRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/instance/settings',
  ...screen(
    'Instance settings',
    lazyPage(() => import('../../features/workspaces/instance-settings.tsx'), 'InstanceSettingsPage'),
  ),
})
export const billingRoute = createRoute({
  ...parent,
  validateSearch: parseBillingSearch,
  path: 'workspaces/settings/billing',
  ...screen(
    'Billing',
    lazyPage(() => import('../../features/billing/billing-page.tsx'), 'BillingPage'),
  ),
})
export const apiKeysRoute = createRoute({
  ...list,
  path: 'workspaces/settings/api-keys',
  ...screen(
    'API keys',
    lazyPage(() => import('../../features/api-keys/api-key-list-page.tsx'), 'ApiKeyListPage'),
  ),
})
export const apiKeyCreateRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/api-keys/create',
  ...screen(
    'Create API key',
    lazyPage(() => import('../../features/api-keys/api-key-create-page.tsx'), 'ApiKeyCreatePage'),
  ),
})
export const apiKeyRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/api-keys/$id',
  ...screen(
    'API key',
    lazyPage(() => import('../../features/api-keys/api-key-detail-page.tsx'), 'ApiKeyDetailPage'),
  ),
})
export const appearanceRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/appearance',
  ...screen('Appearance', pages.appearance),
})
export const annotationsRoute = createRoute({
  ...list,
  path: 'workspaces/settings/annotations',
  ...screen('Annotations', pages.annotations),
})
export const securityRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/security',
  ...screen('Security', pages.security),
})
export const notificationsRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/notifications',
  ...screen('Notifications', pages.notificationSettings),
})
export const webhooksRoute = createRoute({
  ...list,
  path: 'workspaces/settings/webhooks',
  ...screen(
    'Webhooks',
    lazyPage(() => import('../../features/webhooks/webhook-list-page.tsx'), 'WebhookListPage'),
  ),
})
export const webhookCreateRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/webhooks/create',
  ...screen(
    'Create webhook',
    lazyPage(() => import('../../features/webhooks/webhook-create-page.tsx'), 'WebhookCreatePage'),
  ),
})
export const webhookRoute = createRoute({
  ...list,
  path: 'workspaces/settings/webhooks/$id',
  ...screen(
    'Webhook',
    lazyPage(() => import('../../features/webhooks/webhook-detail-page.tsx'), 'WebhookDetailPage'),
  ),
})
export const cliRoute = createRoute({
  ...parent,
  path: 'workspaces/settings/cli',
  ...screen(
    'Command line',
    lazyPage(() => import('../../features/cli/cli-page.tsx'), 'CliPage'),
  ),
})
