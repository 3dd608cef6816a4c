import { afterAll, expect, test } from 'vitest'
import { leafLifetimeMs } from '../../../platform/certificate/certificate-terms.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { runningApp } from '../testing/running-app.ts'
import { certificateHealth } from './certificate-health.ts'

const dayMs = 24 * 60 * 60 * 1000
const nowMs = Date.parse('2026-11-23T12:00:00Z')
const inDays = (days: number) => certificateHealth(nowMs + days * dayMs, nowMs)

test.each([
  ['healthy', 31],
  ['degraded', 30],
  ['degraded', 8],
  ['failing', 7],
  ['failing', -1],
])('%s with %i days left', (state, days) => {
  const { health, changesAtMs } = inDays(days)
  expect(health.state).toBe(state)
  if (days > 0) expect(inDays(days - (changesAtMs - nowMs) / dayMs).health).not.toEqual(health)
})

test('what is near its end says the day and the way out; what is not known is no trouble', () => {
  expect(inDays(10).health).toMatchObject({
    reason: 'CertificateEnding',
    detail: expect.stringMatching(/ends on 3 Dec 2026, .*kubeadm certs renew apiserver/),
    since: '2026-11-03T12:00:00.000Z',
  })
  expect(inDays(-1).health).toMatchObject({
    reason: 'CertificateEnded',
    detail: expect.stringContaining('ended on 22 Nov 2026'),
  })
  expect(certificateHealth(null, nowMs).health.state).toBe('healthy')
})

const fake = await fakeCluster({ issuedAt: new Date(Date.now() - leafLifetimeMs + 10 * dayMs) })
const sound = await fakeCluster()
afterAll(() => Promise.all([fake.stop(), sound.stop()]))
const { given, importedCluster, cluster, call } = await runningApp()

test('an imported cluster whose certificate ends in ten days says so on its page and on the dashboard', async () => {
  const { organizationId, token } = await given.user({ role: 'VIEWER' })
  type Page = { health: { state: string }; attention: { items: object[] } }
  const get = async (path: string) => (await call('GET', path, { token, organizationId })).json() as Page
  const page = (id: number) => get(`/api/kubernetes/clusters/${id}/overview`)
  const ending = await importedCluster(organizationId, fake.connection)
  const item = {
    kind: 'Cluster',
    name: ending.title,
    href: `/kubernetes/clusters/${ending.id}`,
    health: { state: 'degraded', reason: 'CertificateEnding' },
  }
  await expect.poll(async () => (await page(ending.id)).attention.items).toMatchObject([item])
  expect((await page(ending.id)).health.state).toBe('degraded')
  await expect.poll(async () => (await get('/api/analytics/dashboard')).attention.items).toMatchObject([item])
  // Certificates with time left, and those that Bey renews itself, are no news.
  for (const fine of [
    await importedCluster(organizationId, sound.connection),
    await cluster(organizationId, fake.connection),
  ]) {
    await expect.poll(async () => (await page(fine.id)).health?.state).toBe('healthy')
    expect((await page(fine.id)).attention.items).toEqual([])
  }
})
