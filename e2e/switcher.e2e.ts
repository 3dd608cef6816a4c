import { expect, test } from './bey.ts'
import { enter } from './palette-page.ts'

test('the service switcher lists all services, finds them and goes to the first route', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL, { path: '/secrets' })
  const open = page.getByRole('button', { name: 'Switch service' })
  const panel = page.getByRole('dialog', { name: 'Services' })
  await open.click()
  await expect(panel.getByPlaceholder('Search services...')).toBeFocused()
  await expect(panel.getByText('view cloud resources and analytics')).toBeVisible()
  const coming = panel.getByRole('option', { name: /Serverless.*Coming Soon.*Depends on Kubernetes/s })
  await expect(coming).toHaveAttribute('aria-disabled', 'true')
  await coming.click({ force: true })
  await expect(page).toHaveURL(/\/secrets$/)
  await expect(panel.getByRole('option', { name: /Database Metrics/ })).toBeInViewport()

  await panel.getByPlaceholder('Search services...').fill('vpc')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/networking$/)
  await expect(panel).toHaveCount(0)
  await open.click()
  await expect(panel.getByPlaceholder('Search services...')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/workflows$/)
  await expect(panel).toHaveCount(0)
  await open.click()
  await panel
    .getByRole('option', { name: /Dashboard/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/$/)
})
