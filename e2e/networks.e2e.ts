import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { option, palette, search } from './palette-page.ts'

test('a network is planned beside the others, seen by another page at once, changed and deleted', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await session.client.call('networks.create', { body: { name: 'office', cidr: '10.20.0.0/16' } })
  await enterWith(page, session.token)
  await page.goto('/networking/create')
  await page.getByLabel('Name', { exact: true }).fill('prod-eu')
  // What another network has is refused while one types, with both named.
  await page.getByLabel('IPv4 range').fill('10.20.128.0/20')
  await expect(
    page.getByText('10.20.128.0/20 and the network office (10.20.0.0/16) have 4,096 addresses in common.'),
  ).toBeVisible()
  await page.getByLabel('IPv4 range').fill('10.42.0.0/16')
  await page.getByRole('button', { name: 'Add subnet' }).click()
  await page.getByLabel('Name of subnet 1').fill('nodes')
  await expect(page.getByLabel('Range of subnet 1')).toHaveValue('10.42.0.0/20')
  await expect(page.getByText('The addresses are kept for it. No cluster is changed.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create network' }).click()
  await expect(page.getByRole('heading', { name: 'prod-eu', level: 1 })).toBeVisible()
  await expect(page.getByText('nodes', { exact: true })).toBeVisible()
  await expect(page.getByText('Nothing that is attached has an address of these ranges.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  // Another client adds one while the list is on screen.
  await page.goto('/networking')
  const rows = page.getByRole('table', { name: 'Networks' }).getByRole('row')
  await expect(rows.filter({ hasText: 'prod-eu' })).toContainText('10.42.0.0/16')
  await session.client.call('networks.create', { body: { name: 'staging', cidr: '10.43.0.0/16' } })
  await expect(rows.filter({ hasText: 'staging' })).toHaveCount(1)
  expect(await axeFindings(page)).toEqual([])
  // An address finds the network that has it.
  await page.getByLabel('Filter networks').fill('10.43.7.9')
  await expect(rows.filter({ hasText: 'prod-eu' })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'staging' })).toHaveCount(1)

  await page.keyboard.press('Control+k')
  await search(page).fill('prod-')
  await expect(option(page, /prod-eu/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)

  await page.goto('/networking')
  await rows.filter({ hasText: 'prod-eu' }).getByRole('link', { name: 'prod-eu' }).click()
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await page.getByLabel('Description').fill('Production in Europe')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Production in Europe').first()).toBeVisible()
  await page.getByRole('button', { name: 'Actions for prod-eu' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete network' }).click()
  await expect(rows.filter({ hasText: 'staging' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'prod-eu' })).toHaveCount(0)
})

test('a security group is made from a template, changed and deleted, and says what is wrong at its rule', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('networks.create', {
    body: { name: 'prod-eu', cidr: '10.42.0.0/16', subnets: [{ name: 'office', cidr: '10.42.1.0/24' }] },
  })
  await expect
    .poll(async () => (await session.client.call('networks.get', { params: { id } })).status)
    .toBe('active')
  await enterWith(page, session.token)
  await page.goto(`/networking/${id}?tab=groups`)
  await page.getByRole('link', { name: 'Create group' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('web')
  await page.getByRole('button', { name: 'Use a template' }).click()
  await page.getByRole('menuitem', { name: 'Web tier' }).click()
  await expect(page.getByLabel('Ports of rule 1')).toHaveValue('80, 443')
  await page.getByLabel('Ports of rule 1').fill('443-80')
  await expect(page.getByText('"443-80" runs backwards: write 80-443.')).toBeVisible()
  await page.getByLabel('Ports of rule 1').fill('443')
  await page.getByRole('button', { name: 'Add rule for entering' }).click()
  await page.getByLabel('Peer of rule 2').selectOption('subnet')
  await page.getByLabel('Ports of rule 2').fill('443')
  await expect(page.getByText('covered by 1')).toBeVisible()
  await expect(page.getByText('It is put on nothing yet, so no cluster is changed.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create security group' }).click()
  await expect(page.getByText('TCP 443').first()).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('link', { name: 'web', exact: true }).click()
  await page.getByRole('button', { name: 'Remove rule 2' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.locator('[data-component="Badge"]').filter({ hasText: /^1 rule$/ })).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
  await expect(page.getByText('No security group yet')).toBeVisible()
})
