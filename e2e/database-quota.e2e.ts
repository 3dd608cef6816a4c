import { axeFindings } from './axe.ts'
import { enterWith, expect, test } from './bey.ts'
import { givenDatabase } from './given-database.ts'

const wide = { width: 1280, height: 800 }
const narrow = { width: 390, height: 844 }

test('a disk quota is shown, set, filled by the fault, written past for a while and free again after it', async ({
  page,
  bey,
}) => {
  const { session, id, read } = await givenDatabase(bey, 'orders')
  await expect.poll(async () => (await read()).figures?.diskQuota, { timeout: 60_000 }).toBeTruthy()
  await enterWith(page, session.token)
  const isClean = async () => {
    expect(await axeFindings(page)).toEqual([])
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, 'the page does not scroll sideways').toBe(0)
  }
  const isCleanAtBothWidths = async () => {
    await isClean()
    await page.setViewportSize(narrow)
    await isClean()
    await page.setViewportSize(wide)
  }

  await page.setViewportSize(wide)
  await page.goto(`/databases/${id}?tab=settings`)
  const quota = page.getByRole('region', { name: 'Disk quota' })
  await expect(quota.getByText('All databases of its server')).toBeVisible()
  await expect(quota).toContainText('10 GiB')
  const size = quota.getByLabel('Quota in MiB')
  await size.fill('1')
  await expect(quota.getByText(/Enter \d+ MiB or more\./)).toBeVisible()
  await size.fill('96')
  await quota.getByRole('button', { name: 'Save' }).click()
  await expect(quota).toContainText('96 MiB')
  await isCleanAtBothWidths()

  const faults = page.getByRole('region', { name: 'Break something' })
  await faults.getByText('10 min').click()
  await faults.getByRole('button', { name: 'Fill its disk quota' }).click()
  const refusal = page.getByText('Writes are refused; reads and VACUUM go on')
  await expect(refusal).toBeVisible({ timeout: 60_000 })
  await isCleanAtBothWidths()

  await page.getByRole('button', { name: /^Allow writes for \d+ min$/ }).click()
  await expect(refusal).toBeHidden()
  expect((await read()).figures?.diskQuota).toMatchObject({ isRefusing: false })
  await isCleanAtBothWidths()

  await page.setViewportSize(narrow)
  await faults.getByRole('button', { name: 'End fault' }).click()
  await expect(faults.getByRole('button', { name: 'End fault' })).toBeHidden()
  await expect
    .poll(async () => (await read()).health.state, { timeout: 60_000, intervals: [500] })
    .toBe('healthy')
  expect((await read()).figures?.diskQuota).toMatchObject({ isRefusing: false, filledUntil: null })
  await isClean()
})
