import { expect, newcomer, signUp, test } from './bey.ts'

test('the members of the organization are listed with role and when they were last seen', async ({
  page,
}) => {
  const person = newcomer()
  await signUp(page, person)
  await page.goto('/workspaces/members')
  await expect(page.getByRole('heading', { name: 'Team members' })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: person.email })
  await expect(row).toContainText('OWNER')
  await expect(row).toContainText('you')
  await expect(page.getByText('1 member', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Last seen' }).click()
  await expect(page).toHaveURL(/sort=lastSeenAt/)
  await page.getByPlaceholder('Filter team members').fill('nobody of this name')
  await expect(row).toHaveCount(0)
  await expect(page).toHaveURL(/q=nobody/)
  await page.reload()
  await expect(page.getByPlaceholder('Filter team members')).toHaveValue('nobody of this name')
  await page.getByPlaceholder('Filter team members').fill('')
  await expect(row).toBeVisible()
})
