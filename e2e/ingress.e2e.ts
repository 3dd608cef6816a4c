import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { kubeCalls, putShop } from './ingress-objects.ts'
import { open, option, palette, preview, search } from './palette-page.ts'

test('a certificate that ends next week is seen in the list, in its chain and in what needs attention; its host is tested', async ({
  page,
  bey,
}) => {
  test.setTimeout(240_000)
  const web = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const { port } = web.address() as AddressInfo
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/networking/ingress')
  await expect(page.getByText('No cluster runs yet')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  const { id } = await session.client.call('clusters.create', {
    body: { title: 'prod-eu', provider: 'sandbox' },
  })
  await expect
    .poll(async () => (await session.client.call('clusters.get', { params: { id } })).status, {
      timeout: 90_000,
    })
    .toBe('RUNNING')
  await putShop(session, id, port)
  await page.goto('/networking/ingress')
  const hosts = page.getByRole('table', { name: 'Hosts' })
  const shop = hosts.getByRole('row').filter({ hasText: 'shop.nordlicht.example' })
  await expect(shop).toContainText('certificate expiring', { timeout: 60_000 })
  await expect(shop).toContainText('6 d')
  await expect(hosts.getByRole('row').filter({ hasText: 'pay.nordlicht.example' })).toContainText('expired')
  await expect(hosts.getByRole('row').filter({ hasText: 'old.nordlicht.example' })).toContainText(
    'service missing',
  )
  expect(await axeFindings(page)).toEqual([])

  // The palette finds it, and says before it is opened where it leads and when its certificate ends.
  await open(page)
  await search(page).fill('shop.nordl')
  const offered = option(page, /shop\.nordlicht\.example/)
  await expect(offered).toContainText('prod-eu · shop')
  await offered.hover()
  const found = preview(page, 'shop.nordlicht.example')
  await expect(found.getByText('certificate expiring')).toBeVisible()
  await expect(found.getByText('2 of 2 endpoints')).toBeVisible()
  await expect(found.getByText(/^until /)).toBeVisible()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page)).toEqual([])
  }
  await found.getByRole('button', { name: 'Open host' }).click()
  await expect(palette(page)).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Chain' })).toContainText('shop.nordlicht.example')
  await page.goto('/networking/ingress')

  // Its row opens beneath itself, and the test of the host shows each step.
  await page.getByRole('link', { name: 'shop.nordlicht.example' }).click()
  await expect(page.getByRole('list', { name: 'Chain' })).toContainText('shop.nordlicht.example')
  await page.getByRole('radio', { name: 'HTTP', exact: true }).check()
  await page.getByLabel('Port').fill(String(port))
  await page.getByLabel('Address instead of DNS').fill('127.0.0.1')
  await page.getByRole('button', { name: 'Test host' }).click()
  await expect(page.getByText('It works: It answers 200 OK.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveCount(3)
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('Port').fill('9')
  await page.getByRole('button', { name: 'Test host' }).click()
  await expect(
    page.getByText(/No gateway and no load balancer of the cluster "prod-eu" has the port 9/),
  ).toBeVisible()

  // A service that is made with kubectl mends its host while the list is on screen.
  await page.goto('/networking/ingress')
  const old = hosts.getByRole('row').filter({ hasText: 'old.nordlicht.example' })
  await expect(old).toContainText('service missing')
  await kubeCalls(session, id)('POST', '/api/v1/namespaces/shop/services', {
    metadata: { name: 'gone' },
    spec: { selector: { app: 'storefront' }, ports: [{ port: 80 }] },
  })
  await expect(old).toContainText('healthy', { timeout: 60_000 })

  await page.getByRole('link', { name: /^Certificates/ }).click()
  const certificates = page.getByRole('table', { name: 'Certificates' })
  await expect(certificates.getByRole('row').nth(1)).toContainText('pay-tls')
  await expect(certificates.getByRole('row').nth(2)).toContainText('shop-tls')
  for (const colorScheme of ['dark', 'light'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      expect(await axeFindings(page)).toEqual([])
    }

  await page.goto('/')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  const item = attention.getByRole('listitem').filter({ hasText: 'shop-tls' })
  await expect(item).toContainText('Runs out in 6 days', { timeout: 90_000 })
  await item.getByRole('link').click()
  await expect(page.getByText('shop/shop-tls')).toBeVisible()
  web.close()
})
