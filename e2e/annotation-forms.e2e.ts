import type { Page } from '@playwright/test'
import type { BeySession } from '../tools/api-session.ts'
import { expect, test } from './bey.ts'
import { enter } from './palette-page.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const card = (page: Page) => page.getByLabel('Annotation', { exact: true })

async function noteOn(url: string, { client }: BeySession) {
  const me = await client.call('auth.me')
  return client.call('annotations.create', {
    body: {
      userId: me.id,
      componentName: 'PageHeader',
      xpath: '//*[@id="main"]/header[1]',
      annotationText: 'Larger, please.',
      url,
      viewport: { width: 1440, height: 900 },
      elementRect: { top: 0, left: 0, width: 1, height: 1 },
    },
  })
}

test('a reply that was typed is asked about before the note is closed or the page is left', async ({
  page,
  baseURL,
}) => {
  const session = await enter(page, baseURL, { path: '/workflows', isNew: true })
  const note = await noteOn('/workflows', session)
  await page.goto(`/workflows?annotation=${note.id}`)
  const reply = card(page).getByLabel('Reply')
  await reply.fill('How large?')

  await card(page).getByRole('button', { name: 'Close annotation' }).click()
  await expect(question(page).getByText('lost if you leave: your reply.')).toBeVisible()
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(reply).toHaveValue('How large?')
  await page.getByRole('link', { name: 'All runs' }).click()
  await question(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(reply).toHaveValue('How large?')
  // Filtering the list keeps the note where it is: nothing would be lost.
  await page.getByLabel('Status', { exact: true }).selectOption('idle')
  await expect(page).toHaveURL(/status=idle/)
  await expect(reply).toHaveValue('How large?')

  await card(page).getByRole('button', { name: 'Close annotation' }).click()
  await question(page).getByRole('button', { name: 'Discard and leave' }).click()
  await expect(card(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/workflows\?status=idle$/)
})

test('the drawer asks too, and a note that is deleted takes what was typed with it', async ({
  page,
  baseURL,
}) => {
  const session = await enter(page, baseURL, { path: '/workflows', isNew: true })
  await noteOn('/workflows', session)
  await page.goto('/workspaces/settings/annotations')
  await page.getByRole('link', { name: 'Larger, please.' }).click()
  const drawer = page.getByRole('dialog', { name: 'PageHeader' })
  await drawer.getByRole('button', { name: 'Edit' }).click()
  await drawer.getByLabel('Your Annotation').fill('Larger by half.')
  await page.keyboard.press('Escape')
  await expect(question(page).getByText('your change of the annotation')).toBeVisible()
  await expect(async () => {
    // Between taking the focus and hearing of keys a dialog has a moment in which Escape asks once more.
    await page.keyboard.press('Escape')
    await expect(question(page)).toHaveCount(0, { timeout: 5_000 })
  }).toPass()
  await expect(drawer.getByLabel('Your Annotation')).toHaveValue('Larger by half.')

  await drawer.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete annotation' }).click()
  await expect(drawer).toHaveCount(0)
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByText('No annotations yet')).toBeVisible()
})

test('without a connection a reply waits, says why, and can be sent afterwards', async ({
  page,
  baseURL,
  context,
}) => {
  const session = await enter(page, baseURL, { path: '/workflows', isNew: true })
  const note = await noteOn('/workflows', session)
  await page.goto(`/workflows?annotation=${note.id}`)
  await expect(page.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
  const reply = card(page).getByLabel('Reply')
  const send = card(page).getByRole('button', { name: 'Reply' })
  await reply.fill('How large?')
  await context.setOffline(true)
  await expect(send).toHaveAccessibleDescription(/The connection to the server is lost/)
  await expect(card(page).getByRole('button', { name: 'Resolve' })).toHaveAccessibleDescription(/is lost/)
  await reply.press('Control+Enter')
  await expect(card(page).getByRole('list', { name: 'Replies' })).toHaveCount(0)
  await expect(reply).toHaveValue('How large?')

  await context.setOffline(false)
  await expect(send).toHaveAccessibleDescription('')
  await reply.press('Control+Enter')
  await expect(card(page).getByRole('list', { name: 'Replies' }).getByText('How large?')).toBeVisible()
})
