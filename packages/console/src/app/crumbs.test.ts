// @vitest-environment node
import { expect, test } from 'vitest'
import { crumbsFor } from './crumbs.ts'

const words = (path: string, title: string) => crumbsFor(path, title).map((crumb) => crumb.label)

test('a page of a service stands below the service', () => {
  expect(words('/kubernetes/clusters', 'Clusters')).toEqual(['Kubernetes', 'Clusters'])
  expect(words('/kubernetes/clusters/create', 'Create cluster')).toEqual([
    'Kubernetes',
    'Clusters',
    'Create cluster',
  ])
  expect(words('/kubernetes/clusters/4/pods', 'prod-eu-1')).toEqual(['Kubernetes', 'Clusters', 'prod-eu-1'])
})

test('a page that its service lists stands beside the others, not below the first', () => {
  expect(words('/networking/reachability', 'Reachability')).toEqual(['Networking', 'Reachability'])
  expect(words('/networking/ingress/certificates', 'Certificates')).toEqual([
    'Networking',
    'Ingress and certificates',
    'Certificates',
  ])
  expect(words('/networking/create', 'Create network')).toEqual(['Networking', 'Networks', 'Create network'])
})

test('a service is not named twice', () => {
  expect(words('/secrets', 'Secrets')).toEqual(['Secrets'])
  expect(words('/secrets/5', 'db-password')).toEqual(['Secrets', 'db-password'])
  expect(words('/databases/metrics', 'Database Metrics')).toEqual(['Database Metrics'])
})

test('the dashboard and pages of no service stand alone', () => {
  expect(words('/', 'Dashboard')).toEqual(['Dashboard'])
  expect(words('/profile', 'Profile')).toEqual(['Profile'])
})

test('workspace pages lead back to the settings', () => {
  expect(crumbsFor('/workspaces/members', 'Team members')[0]).toEqual({
    label: 'Workspace',
    href: '/workspaces/settings',
  })
  expect(words('/workspaces/settings', 'Workspace settings')).toEqual(['Workspace settings'])
})

test('a list of entities that belongs to no service stands above its pages', () => {
  expect(crumbsFor('/errors/7', 'TypeError')).toEqual([
    { label: 'Errors', href: '/errors' },
    { label: 'TypeError' },
  ])
  expect(words('/errors', 'Errors')).toEqual(['Errors'])
})

test('what a page names above itself stands between the list and the page', () => {
  const parents = [
    { label: 'prod-eu-1', href: '/kubernetes/clusters/4' },
    { label: 'shop', href: '/kubernetes/clusters/4/objects/namespaces/-/shop' },
  ]
  const path = '/kubernetes/clusters/4/objects/deployments.apps/shop/checkout'
  const crumbs = crumbsFor(path, 'checkout', parents)
  expect(crumbs.map(({ label }) => label)).toEqual([
    'Kubernetes',
    'Clusters',
    'prod-eu-1',
    'shop',
    'checkout',
  ])
  expect(crumbs[2]?.href).toBe('/kubernetes/clusters/4')
})
