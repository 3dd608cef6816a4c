import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../api.ts'
import type { EndpointName } from '../api.ts'
import type { Endpoint } from './endpoint.ts'
import { eventTable } from './events.ts'

test.each<[EndpointName, string]>([
  ['status.health', 'GET /health'],
  ['status.server', 'GET /api/v1/status'],
  ['status.version', 'GET /version.json'],
  ['auth.login', 'POST /api/auth/login'],
  ['auth.signup', 'POST /api/auth/signup'],
  ['auth.me', 'GET /api/auth/me'],
  ['auth.startOauth', 'GET /api/auth/oauth/{provider}'],
  ['auth.godmodeStatus', 'GET /api/godmode/status'],
  ['godmode.users', 'GET /api/godmode/users'],
  ['godmode.impersonate', 'POST /api/godmode/impersonate'],
  ['settings.get', 'GET /api/settings'],
  ['settings.updateTheme', 'PUT /api/settings'],
  ['clusters.list', 'GET /api/kubernetes/clusters'],
  ['clusters.get', 'GET /api/kubernetes/clusters/{id}'],
  ['clusters.delete', 'DELETE /api/kubernetes/clusters/{id}'],
  ['clusters.provision', 'POST /api/kubernetes/clusters/{id}/provision'],
  ['clusters.startDeletion', 'POST /api/kubernetes/clusters/{id}/delete'],
  ['clusters.status', 'GET /api/kubernetes/clusters/{id}/status'],
  ['secrets.list', 'GET /api/secrets'],
  ['secrets.get', 'GET /api/secrets/{id}'],
  ['secrets.create', 'POST /api/secrets'],
  ['secrets.update', 'PUT /api/secrets/{id}'],
  ['secrets.delete', 'DELETE /api/secrets/{id}'],
  ['workflows.list', 'GET /api/v1/workflows'],
  ['workflows.get', 'GET /api/v1/workflows/{id}'],
  ['workflows.runs', 'GET /api/v1/workflows/{id}/runs'],
  ['workflows.run', 'GET /api/v1/workflows/{id}/runs/{runId}'],
  ['workflows.update', 'PUT /api/v1/workflows/{id}'],
  ['workflows.delete', 'DELETE /api/v1/workflows/{id}'],
  ['workflows.execute', 'POST /api/v1/workflows/{id}/execute'],
  ['workflows.startRun', 'POST /api/v1/workflows/{id}/runs'],
  ['workflows.cancel', 'POST /api/v1/workflows/{id}/runs/{runId}/cancel'],
  ['workflows.retry', 'POST /api/v1/workflows/{id}/runs/{runId}/retry'],
  ['workflows.engineStatus', 'GET /api/v1/workflows/debug/engine-status'],
  ['workflows.engineStatusCamel', 'GET /api/workflows/debug/engine-status'],
  ['annotations.create', 'POST /api/annotations'],
  ['annotations.list', 'GET /api/annotations'],
  ['annotations.reply', 'POST /api/annotations/{id}/replies'],
  ['annotations.update', 'PATCH /api/annotations/{id}'],
  ['annotations.delete', 'DELETE /api/annotations/{id}'],
  ['annotations.export', 'POST /api/annotations/export'],
  ['errors.log', 'POST /api/v1/errors/log'],
])('the specified call %s is %s', (name, call) => {
  const { method, path } = api[name]
  expect(`${method} ${path}`).toBe(call)
})

const color = ['themeMode', 'baseColor', 'accentColor', 'contrast', 'animationsEnabled', 'denseMode']

/** What a request sends: its body, or the fields that its query may have. */
test.each<[EndpointName, string[]]>([
  ['auth.login', ['email', 'password']],
  ['auth.signup', ['name', 'email', 'password', 'organizationName']],
  ['godmode.impersonate', ['userId']],
  ['settings.updateTheme', ['theme', ...color.map((field) => `theme.${field}`)]],
  ['workflows.list', ['page', 'limit', 'status', 'type']],
  ['workflows.runs', ['page', 'limit', 'status']],
  ['workflows.execute', ['input']],
  ['workflows.startRun', ['input']],
  ['secrets.create', ['name', 'description', 'type', 'value']],
  ['secrets.update', ['description', 'value']],
  ['annotations.list', ['userId', 'url', 'componentName']],
  ['annotations.reply', ['text']],
  ['annotations.create', ['userId', 'componentName', 'xpath', 'selectedText', 'annotationText', 'url']],
  ['annotations.create', ['viewport.width', 'viewport.height']],
  ['annotations.create', ['elementRect.top', 'elementRect.left', 'elementRect.width', 'elementRect.height']],
])('the specified call %s takes %j', (name, fields) => {
  const { body, query }: Endpoint = api[name]
  expect(fieldsOf(body ?? query, 'input')).toEqual(expect.arrayContaining(fields))
})

/** What a reply holds, in the names of the code; the wire renames those of workflows to snake case. */
test.each<[EndpointName, string[]]>([
  ['status.server', ['status', 'version', 'deploymentId', 'apiVersion', 'uptime', 'goVersion', 'os', 'arch']],
  ['status.version', ['version', 'deploymentId', 'gitCommit', 'gitBranch', 'buildTimestamp']],
  ['status.version', ['environment', 'apiVersion']],
  ['auth.login', ['token', 'user', 'user.organizations', 'user.active_organization_id']],
  ['auth.signup', ['token', 'user', 'user.organizations', 'user.activeOrganizationId']],
  ['auth.me', ['id', 'email', 'name', 'organizations', 'active_organization_id', 'createdAt', 'updatedAt']],
  ['auth.me', ['organizations.id', 'organizations.name', 'organizations.role']],
  ['auth.startOauth', ['authorizationUrl']],
  ['auth.godmodeStatus', ['enabled', 'warning']],
  ['godmode.users', ['users.id', 'users.name', 'users.email', 'users.organizationName', 'users.role']],
  ['godmode.impersonate', ['token', 'user.id', 'user.email', 'user.name', 'user.activeOrganizationId']],
  ['godmode.impersonate', ['user.organizations', 'user.createdAt', 'user.updatedAt']],
  ['settings.get', ['theme', ...color.map((field) => `theme.${field}`)]],
  ['clusters.get', ['id', 'title', 'status', 'pending_operations', 'name', 'version', 'createdAt']],
  ['clusters.get', ['metadata.version', 'metadata.nodeCount', 'metadata.created', 'nodeGroups.count']],
  ['secrets.list', ['secrets', 'secrets.id', 'secrets.name', 'secrets.type']],
  ['secrets.get', ['id', 'name', 'description', 'type', 'createdAt']],
  ['workflows.list', ['workflows', 'total', 'page', 'limit']],
  ['workflows.get', ['workflow', 'steps', 'logs']],
  ['workflows.get', ['workflow.id', 'workflow.name', 'workflow.type', 'workflow.status', 'workflow.steps']],
  ['workflows.get', ['workflow.lastRunAt']],
  ['workflows.runs', ['runs', 'total', 'page', 'limit']],
  ['workflows.run', ['run', 'workflow', 'steps', 'logs']],
  ['workflows.engineStatus', ['engine.status', 'engine.version', 'engine.startTime']],
  ['workflows.engineStatus', ['engine.currentActiveWorkflows', 'engine.maxConcurrentWorkflows']],
  ['workflows.engineStatus', ['statistics.totalWorkflows', 'statistics.workflowsByStatus']],
  ['workflows.engineStatus', ['statistics.activeWorkflows', 'websocket.enabled']],
  ['workflows.engineStatus', ['activeWorkflows.id', 'activeWorkflows.type', 'activeWorkflows.status']],
  ['workflows.engineStatus', ['activeWorkflows.createdAt', 'executors.registered', 'executors.type']],
  ['errors.log', ['errorIds']],
])('the reply of %s holds %j', (name, fields) => {
  const { response }: Endpoint = api[name]
  const schema = response instanceof z.ZodType ? response : undefined
  expect(fieldsOf(schema, 'output')).toEqual(expect.arrayContaining(fields))
})

test.each(['clusters.provision', 'clusters.startDeletion', 'annotations.export'] as const)(
  '%s takes no body',
  (name) => {
    const { body }: Endpoint = api[name]
    expect(body).toBeUndefined()
  },
)

test.each(['workflows.list', 'workflows.runs', 'workflows.allRuns'] as const)(
  'without a query %s is the first page of 50',
  (name) => expect(api[name].query.parse({})).toMatchObject({ page: 1, limit: 50 }),
)

test('every event of the specification is in the table', () => {
  expect(Object.keys(eventTable)).toEqual(
    expect.arrayContaining([
      'CLUSTER_PROVISIONING_UPDATE',
      'CLUSTERS_UPDATE',
      'CLUSTER_METRICS_UPDATE',
      'METRICS_STREAMING_STARTED',
      'METRICS_STREAMING_ERROR',
      'METRICS_STREAMING_STOPPED',
      'WORKFLOW_RUN_UPDATE',
      'WORKFLOW_UPDATE',
      'WORKFLOW_STEP_UPDATE',
      'WORKFLOW_LOG',
      'ENGINE_STATUS_UPDATE',
    ]),
  )
})

type Json = { properties?: Record<string, Json>; items?: Json; anyOf?: Json[] }

/** Every field, those of inner objects and of the items of lists by their path. */
function fieldsOf(schema: z.ZodType | undefined, io: 'input' | 'output'): string[] {
  if (!schema) return []
  return pathsIn(
    z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', metadata: z.registry() }) as Json,
  )
}

function pathsIn({ properties = {}, items, anyOf = [] }: Json): string[] {
  const inner = [...(items ? [items] : []), ...anyOf].flatMap(pathsIn)
  const own = Object.entries(properties).flatMap(([name, value]) => [
    name,
    ...pathsIn(value).map((path) => `${name}.${path}`),
  ])
  return [...own, ...inner]
}
