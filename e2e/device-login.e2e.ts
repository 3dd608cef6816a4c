import { axeFindings } from './axe.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

const program = { hostName: 'ada-laptop', client: 'bey', version: '0.1.0', platform: 'linux' }

test('a program is logged in by its code, refused by another, and revoked in the profile', async ({
  page,
}) => {
  await signUp(page, newcomer())
  const begin = async () => {
    const reply = await page.request.post('/api/auth/device', { data: program })
    return (await reply.json()) as { userCode: string; deviceCode: string }
  }
  const poll = async (deviceCode: string) => {
    const reply = await page.request.post('/api/auth/device/token', { data: { deviceCode } })
    return (await reply.json()) as { status: string }
  }

  const first = await begin()
  await page.goto('/device')
  await page.getByLabel('Code').fill(first.userCode.toLowerCase().replace('-', ' '))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Log in ada-laptop as you?' })).toBeVisible()
  const facts = page.getByRole('list', { name: 'Facts about the request' })
  await expect(facts).toContainText('The same address as this browser')
  await expect(facts).toContainText('A machine not logged in before')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'The codes are equal, log it in' }).click()
  await expect(page.getByRole('heading', { name: 'ada-laptop may log in' })).toBeVisible()
  expect(await poll(first.deviceCode)).toMatchObject({ status: 'complete' })

  const second = await begin()
  await page.goto(`/device?code=${second.userCode}`)
  await expect(facts).toContainText('A machine that is logged in')
  await page.getByRole('button', { name: 'I did not ask for this' }).click()
  await expect(page.getByRole('heading', { name: 'ada-laptop was refused' })).toBeVisible()
  expect(await poll(second.deviceCode)).toEqual({ status: 'denied' })

  await page.goto(`/device?code=${second.userCode}`)
  await expect(page.getByText('This code has ended. Run bey login again.')).toBeVisible()

  await page.goto('/profile')
  await page.getByRole('button', { name: 'End the session of ada-laptop, command line' }).click()
  await expect(page.getByText('ada-laptop, command line')).toBeHidden()
})
