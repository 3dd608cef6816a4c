import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test('a person sees what hangs on a secret, and is told so again before deleting it', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('secrets.create', {
    body: { name: 'deploy-token', value: 'a-token-of-the-test' },
  })
  const workflow = (name: string) =>
    session.client.call('workflows.create', {
      body: {
        name,
        steps: [
          {
            key: 'call',
            name: 'Call',
            type: 'http',
            config: { url: 'https://a.example', headers: { authorization: '{{ secrets.deploy-token }}' } },
          },
        ],
      },
    })
  await workflow('nightly deploy')
  await enterWith(page, session.token)

  await page.goto('/entity-relationships')
  await expect(page.getByRole('heading', { level: 1, name: 'Relationships' })).toBeVisible()
  const drawn = page.getByRole('region', { name: 'Relationships' })
  const secrets = drawn.getByRole('button', { name: /^Secrets/ })
  await expect(secrets).toBeVisible({ timeout: 60_000 })
  await secrets.focus()
  await page.keyboard.press('Enter')
  const member = drawn.getByRole('list', { name: 'Secrets' }).getByRole('button', { name: /deploy-token/ })
  await member.click()
  const words = page.getByRole('complementary', { name: 'In words' })
  await expect(words.getByRole('link', { name: 'nightly deploy' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await words.getByRole('button', { name: 'Blast radius' }).click()
  await page.getByText('is deleted', { exact: true }).click()
  await expect(words.getByText('1 resource stops at the next use.')).toBeVisible()
  await expect(words.getByText('cannot read its value at the next use')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Table' }).click()
  const row = page.getByRole('row', { name: /nightly deploy.*reads.*deploy-token/ })
  await expect(row).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  // A phone shows the filters when they are asked for, and says how many are set.
  await page.setViewportSize({ width: 390, height: 844 })
  const tools = page.getByRole('toolbar', { name: 'What is drawn' })
  await expect(tools.getByLabel('Kinds')).toBeHidden()
  await tools.getByRole('button', { name: 'Filters', exact: true }).click()
  await tools.getByLabel('Kinds').selectOption({ label: 'Secrets' })
  await expect(tools.getByRole('button', { name: 'Filters · 1' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })

  // Another workflow comes to read it while the dialog is open.
  await page.goto(`/secrets/${id}`)
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('1 resource stops at the next use.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await workflow('hourly deploy')
  await dialog.getByRole('button', { name: 'Delete secret' }).click()
  await expect(dialog.getByText('1 thing came to need it since you opened this.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete secret' }).click()
  await expect(dialog).toBeHidden()
})
