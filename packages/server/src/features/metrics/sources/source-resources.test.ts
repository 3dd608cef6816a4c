import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { metricSources } from '../../../tables/metric-sources.ts'
import { testApp } from '../../../testing/app.ts'

const app = await testApp({ role: 'web' })

test('a data source is a use of the secret that it names, is reached by its deletion, and is in the inventory', async () => {
  const { token, organizationId } = await app.given.user({ role: 'OWNER' })
  const call = (method: string, path: string, body?: object) =>
    app.ask(method, path, { token, organizationId, ...(body && { body }) })
  const secret = await call('POST', '/api/secrets', {
    name: 'prometheus-token',
    type: 'api_key',
    value: 'v1',
  })
  expect(secret.status, secret.text).toBe(201)
  const secretId: string = secret.body.id
  const of = { auth: { kind: 'bearer', secretId } }
  const source = await call('POST', '/api/metrics-sources', {
    name: 'Shop metrics',
    target: { kind: 'url', url: 'http://127.0.0.1:1', ...of },
    isUntested: true,
  })
  expect(source.status, source.text).toBe(201)
  const id: string = source.body.id

  const { body: usage } = await call('GET', `/api/secrets/${secretId}/usage`)
  expect(usage.uses).toMatchObject([{ type: 'data_source', id, name: 'Shop metrics', onRotation: 'follows' }])
  expect(usage.summary).toContain(
    '1 thing uses it; 1 person can read it, nobody has. If you rotate it, none breaks.',
  )
  expect((await call('GET', `/api/secrets/${secretId}`)).body.usedByCount).toBe(1)

  const impact = await call('GET', `/api/relations/impact?id=secret:${secretId}&act=deleted`)
  expect(impact.status, impact.text).toBe(200)
  expect(impact.body.reached).toMatchObject([{ id: `data-source:${id}` }])
  expect(impact.text).toContain('Shop metrics')
  const listed = async () => (await call('GET', '/api/resources?query=kind:data-source')).body.resources
  expect(await listed()).toMatchObject([
    { name: 'Shop metrics', health: { state: 'failing' }, href: '/analytics/metrics/sources' },
  ])
  await app.database.withTenant(organizationId, (db) =>
    db.update(metricSources).set({ problem: null }).where(eq(metricSources.id, id)),
  )
  expect(await listed()).toMatchObject([{ health: { state: 'healthy' } }])

  const viewer = await app.given.user({ organizationId, role: 'VIEWER' })
  const seen = await app.ask('GET', '/api/resources?query=kind:data-source', {
    token: viewer.token,
    organizationId,
  })
  expect(seen.body.total).toBe(1)
})
