import { createObject } from '../tools/seed-objects.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { expect, newcomer, test } from './bey.ts'
import { signUpByApi } from '../tools/api-session.ts'

test.describe.configure({ timeout: 180_000 })

test('a crash reaches the open dashboard by itself, with reason, count and the way on', async ({
  page,
  bey,
}) => {
  const person = newcomer()
  const session = await signUpByApi(bey.url, person)
  const id = await seedCluster(session, 'prod')
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
  await page.goto('/')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(/Healthy/, { timeout: 60_000 })
  await expect(page.getByText('View your cloud resources and analytics')).toBeVisible()

  await createObject.workload(session, id, {
    namespace: 'payments',
    name: 'mailer',
    replicas: 2,
    image: 'registry.example.com/mailer:1.0.0',
    cpu: '50m',
    memory: '64Mi',
    behavior: 'crash',
  })
  await expect(heading).toHaveText(/1 workload failing in prod/, { timeout: 60_000 })
  const attention = page.getByRole('region', { name: 'Needs attention' })
  const row = attention.getByRole('link', { name: /mailer/ })
  await expect(row).toContainText('CrashLoopBackOff')
  await expect(row).toContainText('2 of 2')
  const map = page.getByRole('region', { name: 'Clusters' })
  await expect(map.getByRole('link', { name: /^failing prod 2 of \d+ pods failing$/ })).toBeVisible({
    timeout: 60_000,
  })

  const services = page.getByRole('region', { name: 'All services' })
  await expect(services.getByRole('link', { name: /prod 2 of \d+ pods failing/ })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByRole('region', { name: 'Capacity' }).getByText(/no forecast before/)).toBeVisible()

  await page.getByRole('button', { name: 'Edit layout' }).click()
  const card = page.getByRole('region', { name: /^All services/ })
  await card.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(card).toHaveAccessibleName(/^All services\. 1 of \d+, two thirds of the width$/)
  await page.getByRole('button', { name: 'Remove Activity' }).click()
  await page.getByRole('button', { name: 'Save for me' }).click()
  await page.reload()
  await expect(page.getByRole('region').nth(1)).toHaveAccessibleName('All services', { timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'Activity' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit layout' }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByRole('region', { name: 'Activity' })).toBeVisible()

  // The node with a failing pod stands first, says which pod it is, and opens in the drawer.
  const cell = map.getByRole('link', { name: /mailer-[^,]*: (CrashLoopBackOff|Error)/ }).first()
  await cell.click()
  await expect(page.getByRole('complementary', { name: /^prod-/ })).toBeVisible()
  await page.goBack()
  await row.focus()
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/deployments\.apps\/payments\/mailer\?tab=logs$/)
  await page.goBack()

  await row.click()
  const why = page.getByRole('region', { name: /^Why is it/ })
  await expect(why).toContainText('mailer exits with code 1')
  await expect(why.getByRole('link', { name: 'Open previous log' })).toBeVisible()
  await expect(page.getByRole('row', { name: /mailer-.*(CrashLoopBackOff|Error)/ }).first()).toBeVisible()
  await page.goto(`/kubernetes/clusters/${id}`)
  await expect(page.getByText('1 workload failing').first()).toBeVisible()
  await page.goto('/kubernetes/clusters?health=failing')
  await expect(page.getByRole('row', { name: /prod.*failing/ })).toBeVisible()
  await page.goto(`/kubernetes/clusters/${id}/workloads?health=failing`)
  await expect(page.getByRole('row', { name: /mailer/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /checkout/ })).toHaveCount(0)
})
