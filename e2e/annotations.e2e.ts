import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { expect, test } from './bey.ts'
import { enter, open, option, search } from './palette-page.ts'

const bannerText = 'Left-click to select • Right-click for component tree • Drag to select area'
const banner = (page: Page) => page.getByText(bannerText)
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add Annotation' })
const textArea = (page: Page) => dialog(page).getByLabel('Your Annotation')
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save Annotation' })
const note = (page: Page) => page.getByLabel('Annotation', { exact: true })

async function annotate(page: Page): Promise<void> {
  await open(page)
  await search(page).fill('Annotate this page')
  await option(page, 'Annotate this page').click()
  await expect(banner(page)).toBeVisible()
}

async function middleOf(page: Page, name: string) {
  const box = await page.getByRole('heading', { name, level: 1 }).boundingBox()
  if (!box) throw new Error(`There is no heading ${name}.`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, box }
}

test('a click on an element leads to a saved note, as the request is specified', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL, { path: '/workflows?q=cluster', isNew: true })
  const { x, y } = await middleOf(page, 'Workflows')
  await page.mouse.dblclick(x, y)
  await annotate(page)
  await page.mouse.move(x, y)
  await expect(page.getByText('PageHeader', { exact: true }).first()).toBeAttached()
  await page.mouse.click(x, y)

  await expect(dialog(page).getByText('PageHeader')).toBeVisible()
  await expect(dialog(page).getByText('WorkflowListPage')).toBeVisible()
  await expect(dialog(page).getByText('//*[@id="main"]/header[1]/div[1]/div[1]/div[1]/h1[1]')).toBeVisible()
  await expect(dialog(page).getByText('Workflows', { exact: true })).toBeVisible()
  await expect(textArea(page)).toHaveAttribute('rows', '5')
  await expect(textArea(page)).toHaveAttribute(
    'placeholder',
    'Describe what should be improved or changed...',
  )
  await expect(save(page)).toBeDisabled()
  await textArea(page).fill('   ')
  await expect(save(page)).toBeDisabled()
  await textArea(page).fill('  Say how many have failed.  ')

  // The answer waits until the busy button was seen.
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/annotations', async (route) => {
    await seen.promise
    await route.continue()
  })
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/annotations'),
  )
  await save(page).click()
  await expect(dialog(page).getByRole('button', { name: 'Saving...' })).toBeDisabled()
  const request = await sent
  seen.resolve()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByText('Annotation saved')).toBeVisible()
  await expect(banner(page)).toBeVisible()
  expect(request.headers()['authorization']).toMatch(/^Bearer /)
  expect(request.headers()['idempotency-key']).toBeTruthy()
  expect(request.postDataJSON()).toEqual({
    userId: expect.any(Number),
    componentName: 'PageHeader',
    xpath: '//*[@id="main"]/header[1]/div[1]/div[1]/div[1]/h1[1]',
    selectedText: 'Workflows',
    annotationText: 'Say how many have failed.',
    url: '/workflows?q=cluster',
    viewport: { width: 1440, height: 900 },
    elementRect: {
      top: expect.any(Number),
      left: expect.any(Number),
      width: expect.any(Number),
      height: expect.any(Number),
    },
  })

  await page.mouse.click(x, y)
  await expect(textArea(page)).toHaveValue('')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Stop annotating' }).click()
  await expect(banner(page)).toHaveCount(0)
})

test('a drag of 5 px selects all visible elements in the box, a shorter one is a click', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL, { path: '/workflows' })
  await expect(page.getByRole('row', { name: /Provision cluster/ })).toBeVisible()
  await annotate(page)
  const { x, y, box } = await middleOf(page, 'Workflows')
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 3 })
    await page.mouse.up()
  }
  await drag({ x, y }, { x: x + 4, y })
  await expect(dialog(page).getByText('XPath', { exact: true })).toBeVisible()
  await expect(textArea(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)

  // Around the title and the button beside it, and nothing below.
  const link = await page.getByRole('link', { name: 'All runs' }).boundingBox()
  const end = { x: 1436, y: (link?.y ?? 0) + (link?.height ?? 0) + 4 }
  await drag({ x: box.x - 8, y: box.y - 8 }, end)
  const named = dialog(page).getByText(/^Area Selection \(\d+ elements\): PageHeader/)
  await expect(named).toBeVisible()
  const count = Number(/\((\d+) elements\)/.exec((await named.textContent()) ?? '')?.[1])
  await expect(dialog(page).getByText(`XPath (${count})`)).toBeVisible()
  const paths = ((await dialog(page).locator('pre').textContent()) ?? '').split('\n')
  expect(paths).toHaveLength(count)
  expect(paths).toContain('//*[@id="main"]/header[1]/div[1]/div[1]/div[1]/h1[1]')
  await textArea(page).fill('These belong together.')
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/annotations'),
  )
  await save(page).click()
  const body = (await sent).postDataJSON()
  expect(body.xpath.split('\n')).toHaveLength(count)
  expect(body.selectedText).toBeUndefined()
  // The union holds the heading at its left and the button at its right.
  expect(body.elementRect.left).toBeLessThanOrEqual(box.x)
  expect(body.elementRect.left + body.elementRect.width).toBeGreaterThan(1300)
  await expect(dialog(page)).toHaveCount(0)

  // The same without dragging: two corners.
  await page.getByRole('button', { name: 'Select area' }).click()
  await page.mouse.click(box.x - 8, box.y - 8)
  await expect(page.getByText('Select the opposite corner of the area')).toBeVisible()
  await page.mouse.click(end.x, end.y)
  await expect(dialog(page).getByText(`XPath (${count})`)).toBeVisible()
})

test('a right-click lists the component levels, and the page feels nothing', async ({ page, baseURL }) => {
  await enter(page, baseURL, { path: '/workflows' })
  await annotate(page)
  const link = page.getByRole('link', { name: 'All runs' })
  const box = await link.boundingBox()
  const at = { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 }
  await page.mouse.click(at.x, at.y, { button: 'right' })
  const levels = page.getByRole('menu', { name: 'Select Component Level' })
  await expect(levels).toBeVisible()
  await expect(levels.getByRole('menuitem')).toHaveText([
    /^RouterLink/,
    /^PageHeader/,
    /^WorkflowListPage/,
    /^Shell/,
  ])
  // Any press outside closes it, and does nothing else.
  await page.mouse.click(700, 600)
  await expect(levels).toHaveCount(0)
  await expect(dialog(page)).toHaveCount(0)
  await page.mouse.click(at.x, at.y, { button: 'right' })
  await levels.getByRole('menuitem', { name: 'WorkflowListPage' }).click()
  await expect(dialog(page).getByText('//*[@id="main"]', { exact: true })).toBeVisible()
  // Another level can still be meant.
  await dialog(page).getByRole('button', { name: 'PageHeader' }).click()
  await expect(dialog(page).getByText('//*[@id="main"]/header[1]', { exact: true })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  await page.mouse.click(at.x, at.y)
  await expect(dialog(page)).toBeVisible()
  await expect(page).toHaveURL(/\/workflows$/)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(banner(page)).toHaveCount(0)
  await page.mouse.click(at.x, at.y)
  await expect(page).toHaveURL(/\/workflows\/runs/)
})

test('everything is done by keyboard, and the mode survives a reload', async ({ page, baseURL }) => {
  await enter(page, baseURL, { path: '/workflows' })
  await annotate(page)
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await expect(page.getByRole('row', { name: /Provision cluster/ })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL(/\/workflows$/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('Toolbar', { exact: true })).toBeVisible()
  await expect(textArea(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('//*[@id="main"]', { exact: true })).toBeVisible()
})

test('a failed save is logged and said in the dialog, which stays open with its text', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL, { path: '/workflows' })
  await annotate(page)
  const { x, y } = await middleOf(page, 'Workflows')
  await page.mouse.click(x, y)
  await textArea(page).fill('Too much blue.')
  await page.route('**/api/annotations', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        code: 'unavailable',
        detail: 'The database does not answer.',
        requestId: 'req-1',
      }),
    }),
  )
  const logged = page.waitForEvent('console', (message) =>
    message.text().includes('Failed to create annotation'),
  )
  await save(page).click()
  await expect(dialog(page).getByText('Failed to create annotation')).toBeVisible()
  await expect(dialog(page).getByText('The database does not answer.')).toBeVisible()
  await logged
  await expect(textArea(page)).toHaveValue('Too much blue.')
  await expect(page.getByRole('region', { name: /Notifications/ }).getByText('Failed')).toHaveCount(0)
  await page.unroute('**/api/annotations')
  await save(page).click()
  await expect(dialog(page)).toHaveCount(0)
})

test('a note is found again on its page, answered, resolved, exported and deleted', async ({
  page,
  baseURL,
}) => {
  const { client } = await enter(page, baseURL, { path: '/workspaces/settings/annotations', isNew: true })
  await expect(page.getByText('No annotations yet')).toBeVisible()
  await page.getByRole('button', { name: 'Annotate a page' }).first().click()
  await page.getByRole('menuitem', { name: 'Workflows', exact: true }).click()
  await expect(banner(page)).toBeVisible()
  await expect(page.getByRole('row', { name: /Provision cluster/ })).toBeVisible()
  const { x, y } = await middleOf(page, 'Workflows')
  await page.mouse.click(x, y)
  await textArea(page).fill('Larger, please.')
  await save(page).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(banner(page)).toHaveCount(0)

  await page.goto('/workspaces/settings/annotations')
  await page.getByLabel('Page', { exact: true }).selectOption('/workflows')
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('link', { name: 'Larger, please.' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Show on its page' }).click()
  await expect(page).toHaveURL(/\/workflows\?annotation=/)
  await expect(note(page).getByText('Larger, please.')).toBeVisible()
  await note(page).getByLabel('Reply').fill('How large?')
  await note(page).getByRole('button', { name: 'Reply' }).click()
  await expect(note(page).getByRole('list', { name: 'Replies' }).getByText('How large?')).toBeVisible()
  await note(page).getByRole('button', { name: 'Edit' }).click()
  await note(page).getByLabel('Your Annotation').fill('Larger by half.')
  await note(page).getByRole('button', { name: 'Save' }).click()
  await expect(note(page).getByText('Larger by half.')).toBeVisible()
  await note(page).getByRole('button', { name: 'Resolve' }).click()
  await expect(note(page).getByRole('button', { name: 'Reopen' })).toBeVisible()
  await note(page).getByRole('button', { name: 'Close annotation' }).click()
  await expect(page).toHaveURL(/\/workflows$/)

  await page.goto('/workspaces/settings/annotations')
  await expect(page.getByRole('cell', { name: 'resolved' })).toBeVisible()
  const exported = async (label: string) => {
    await page.getByRole('button', { name: 'Export' }).click()
    const file = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: label }).click()
    return readFileSync(await (await file).path(), 'utf8')
  }
  expect(await exported('Markdown')).toContain('> Larger by half.')
  expect(JSON.parse(await exported('JSON')).annotations[0].replies[0].text).toBe('How large?')

  // What somebody else writes arrives by itself; what points nowhere says so.
  const me = await client.call('auth.me')
  const gone = await client.call('annotations.create', {
    body: {
      userId: me.id,
      componentName: 'Lost',
      xpath: '//*[@id="lost"]',
      annotationText: 'Where is it?',
      url: '/secrets',
      viewport: { width: 1, height: 1 },
      elementRect: { top: 0, left: 0, width: 1, height: 1 },
    },
  })
  await expect(page.getByRole('link', { name: 'Where is it?' })).toBeVisible()
  await page.goto(`/secrets?annotation=${gone.id}`)
  await expect(note(page).getByText('The element is no longer on this page.')).toBeVisible()
  await note(page).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Are you sure you want to delete this annotation?' })
  await question.getByRole('button', { name: 'Delete annotation' }).click()
  await expect(note(page)).toHaveCount(0)
  await page.goto('/workspaces/settings/annotations?author=me')
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('each failure says what failed in the words of the catalogue', async ({ page, baseURL }) => {
  const { client } = await enter(page, baseURL, { path: '/', isNew: true })
  const me = await client.call('auth.me')
  await client.call('annotations.create', {
    body: {
      userId: me.id,
      componentName: 'PageHeader',
      xpath: '//*[@id="main"]/header[1]',
      annotationText: 'Here.',
      url: '/workflows',
      viewport: { width: 1, height: 1 },
      elementRect: { top: 0, left: 0, width: 1, height: 1 },
    },
  })
  const fail = (method: string) =>
    page.route('**/api/annotations**', (route) =>
      route.request().method() === method ? route.fulfill({ status: 500, body: '' }) : route.continue(),
    )
  await page.goto('/workspaces/settings/annotations')
  await page.getByRole('link', { name: 'Here.' }).click()
  const drawer = page.getByRole('dialog', { name: 'PageHeader' })
  await drawer.getByLabel('Reply').fill('Yes.')
  await page.route('**/api/annotations/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, body: '' }),
  )
  await drawer.getByRole('button', { name: 'Reply' }).click()
  await expect(drawer.getByText('Failed to add reply')).toBeVisible()
  await drawer.getByRole('button', { name: 'Resolve' }).click()
  await expect(drawer.getByText('Failed to update annotation')).toBeVisible()
  await drawer.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete annotation' }).click()
  await expect(page.getByText('Failed to delete annotation')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard and leave' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'JSON' }).click()
  await expect(page.getByText('Failed to export annotations')).toBeVisible()
  await fail('GET')
  await page.reload()
  await expect(page.getByText('Failed to fetch annotations')).toBeVisible()
})

test('a member reads annotations, and is shown why annotating is not for them', async ({ page, baseURL }) => {
  await page.route('**/api/auth/me', async (route) => {
    const response = await route.fetch()
    const user = await response.json()
    user.organizations[0].role = 'MEMBER'
    await route.fulfill({ response, json: user })
  })
  await page.addInitScript(() => localStorage.setItem('bey-annotation-mode', 'true'))
  await enter(page, baseURL, { path: '/workspaces/settings/annotations' })
  const reason = 'Needs the role ADMIN or higher; yours is MEMBER.'
  await expect(page.getByRole('heading', { name: 'Annotations' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Annotate a page' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('button', { name: 'Annotate a page' })).toHaveAccessibleDescription(
    new RegExp(reason),
  )
  await open(page)
  await search(page).fill('Annotate this page')
  await option(page, 'Annotate this page').click()
  await expect(page.getByText('You cannot annotate pages')).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
})
