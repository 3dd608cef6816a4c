import { signUpByApi } from '../tools/api-session.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { expect, newcomer, test } from './bey.ts'

// Room for one sandbox.
test.use({ beyEnv: { BEY_SANDBOX_MEMORY_MIB: '512', BEY_SANDBOX_BUDGET_MIB: '600' } })
test.describe.configure({ timeout: 180_000 })

test('a machine’s limit is said in the form and on the operator’s page, and a fault is applied and ended', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
  await page.goto('/kubernetes/clusters/create')
  await expect(page.getByText('Room for 1 more of 1 on this machine, 512 MiB of memory')).toBeVisible()

  const id = await seedCluster(session, 'practice')
  await page.goto('/kubernetes/clusters/create')
  await expect(page.getByText('No room for another of 1 on this machine')).toBeVisible()
  await expect(page.getByText('Not enough capacity on this machine')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create cluster' })).toHaveAttribute('aria-disabled', 'true')

  await page.goto('/kubernetes/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kubernetes administration')
  await expect(page.getByRole('meter', { name: 'Sandboxes', exact: true })).toHaveAttribute(
    'aria-valuetext',
    '1 of 1',
  )
  await expect(page.getByText('No capacity for another sandbox')).toBeVisible()
  await page
    .getByRole('row', { name: /practice.*running/ })
    .getByRole('link', { name: 'practice' })
    .click()

  await page
    .getByRole('navigation', { name: 'Parts of the cluster' })
    .getByRole('link', { name: 'Settings' })
    .click()
  await page.getByRole('link', { name: 'Faults' }).click()
  await expect(page.getByText('No fault is active')).toBeVisible()
  const fault = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Crash loop' }) })
  await fault.getByRole('button', { name: 'Apply Crash loop' }).click()
  await expect(page.getByText('1 fault active')).toBeVisible()
  await expect(fault).toContainText('active')
  await page.goto(`/kubernetes/clusters/${id}/pods`)
  await expect(page.getByRole('row', { name: /chaos.*(CrashLoopBackOff|Error)/ }).first()).toBeVisible()

  await page.goto(`/kubernetes/clusters/${id}/faults`)
  await fault.getByRole('button', { name: 'End Crash loop' }).click()
  await expect(page.getByText('No fault is active')).toBeVisible()
  await expect(fault.getByRole('button', { name: 'Apply Crash loop' })).toBeVisible()
  await page.goto(`/kubernetes/clusters/${id}/pods`)
  await expect(page.getByRole('row', { name: /Running/ }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /CrashLoopBackOff|Error/ })).toHaveCount(0)
})
