import { serviceCatalog } from '@bey/contract'
import { expect, test } from 'vitest'
import { unbuiltScreens } from '../features/unbuilt/unbuilt-screens.ts'
import { commands } from './commands.ts'
import { router } from './router.tsx'

// The route table of the specification, in the router's spelling.
const specified = `
  /login /signup /forgot-password
  / /test-api /debug-clusters /logger-demo
  /analytics/dashboard /analytics/reports /analytics/metrics
  /kubernetes/clusters /kubernetes/admin /kubernetes/clusters/create /kubernetes/clusters/$id
  /kubernetes/clusters/$id/$tab /kubernetes/workloads /kubernetes/services
  /networking /networking/create /networking/$id
  /secrets /secrets/create /secrets/$id
  /workflows /workflows/create /workflows/$id/edit /workflows/runs /workflows/$workflowId/runs/$runId
  /workflows/$id /workflows/$id/execute
  /databases /databases/create /databases/$id /databases/metrics
  /resources /resources/$id /entity-relationships
  /changelog /errors /storage /profile
  /workspaces/create /workspaces/settings /workspaces/settings/billing /workspaces/settings/api-keys
  /workspaces/settings/appearance /workspaces/settings/annotations /workspaces/settings/security
  /workspaces/settings/notifications /workspaces/settings/webhooks /workspaces/settings/cli /workspaces/members`
  .trim()
  .split(/\s+/)

const routes: Readonly<Record<string, { options: { staticData?: { title?: string } } }>> = router.routesByPath

/** The pattern of the route that answers a path. */
const answering = (path: string) => router.matchRoutes(path, {}).at(-1)?.fullPath

test('every route of the specification exists and has a title', () => {
  for (const path of specified) expect(routes[path]?.options.staticData?.title, path).toBeTruthy()
})

test('only login, sign-up and the forgotten password are outside of the guard', () => {
  for (const path of specified) {
    const concrete = path.replace(/\$\w+/g, '1')
    const isGuarded = router.matchRoutes(concrete, {}).some((match) => match.routeId === '/guarded')
    expect(isGuarded, path).toBe(!['/login', '/signup', '/forgot-password'].includes(path))
  }
})

test('a link to a secret opens without an account', () => {
  expect(router.matchRoutes('/share/1', {}).map(({ routeId }) => routeId)).toEqual(['__root__', '/share/$id'])
})

test('any other path is not found, behind the guard', () => {
  for (const path of ['/nope', '/kubernetes', '/secrets/1/2/3']) {
    expect(answering(path), path).toBe('/$')
    expect(router.matchRoutes(path, {}).some((match) => match.routeId === '/guarded')).toBe(true)
  }
})

test('a fixed word wins over an id of the same place', () => {
  expect(answering('/kubernetes/clusters/create')).toBe('/kubernetes/clusters/create')
  expect(answering('/databases/metrics')).toBe('/databases/metrics')
  expect(answering('/workflows/runs')).toBe('/workflows/runs')
})

test('every route of the catalogue leads to a page', () => {
  for (const service of serviceCatalog.flatMap((group) => group.services)) {
    for (const route of service.routes ?? []) expect(answering(route.path), route.path).toBe(route.path)
  }
})

test('what an unbuilt page leads to exists, and so does the page', () => {
  for (const [path, screen] of Object.entries(unbuiltScreens)) {
    expect(routes[path], path).toBeDefined()
    for (const { href } of screen.meanwhile) {
      if (!href.startsWith('/api/')) expect(answering(href), href).toBe(href)
    }
  }
})

test('no two commands share a shortcut, and none hides another behind a shorter one', () => {
  const all = commands.flatMap((command) => command.shortcuts.map((shortcut) => shortcut.join(' ')))
  expect(new Set(all).size).toBe(all.length)
  for (const one of all)
    for (const other of all) expect(other.startsWith(`${one} `), `${one} | ${other}`).toBe(false)
})

test.each([
  ['palette', 'Mod+K'],
  ['home', 'Mod+H'],
  ['settings', 'Mod+,'],
  ['create-cluster', 'Mod+N c'],
  ['create-workflow', 'Mod+N w'],
  ['create-secret', 'Mod+N s'],
  ['theme-light', 'Mod+T l'],
  ['theme-dark', 'Mod+T d'],
  ['theme-system', 'Mod+T s'],
  ['sign-out', 'Mod+Shift+Q'],
  ['toggle-sidebar', 'Mod+B'],
])('the specified shortcut of %s is %s', (id, shortcut) => {
  const command = commands.find((each) => each.id === id)
  expect(command?.shortcuts.map((strokes) => strokes.join(' '))).toContain(shortcut)
})
