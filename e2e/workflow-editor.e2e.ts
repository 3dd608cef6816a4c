import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

async function enter(page: Page, session: BeySession, path: string): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const text = (page: Page) => page.getByRole('textbox', { name: 'Definition of the workflow' })
const graph = (page: Page) => page.getByRole('region', { name: 'Steps of the workflow' })
const node = (page: Page, name: string) => graph(page).getByRole('button', { name })
const stepForm = (page: Page) => page.getByRole('region', { name: 'Step', exact: true })
const nameOf = (page: Page, form: string) =>
  page.getByRole('region', { name: form, exact: true }).getByRole('textbox', { name: 'Name', exact: true })
const toasts = (page: Page, words: string | RegExp) => page.getByText(words).first()

/** Types at the end of a line of the text. */
async function typeAfter(page: Page, line: string, words: string): Promise<void> {
  await text(page).locator('.cm-line', { hasText: line }).first().click()
  await page.keyboard.press('End')
  await page.keyboard.type(words)
}

async function addStep(page: Page, type: string): Promise<void> {
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('textbox', { name: 'Find a type of step' }).fill(type)
  await page.keyboard.press('Enter')
  await expect(stepForm(page)).toBeVisible()
}

test('a workflow is put together, its problem found and solved, saved, and its versions compared', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enter(page, session, '/workflows')
  await page.getByRole('main').getByRole('link', { name: 'Create workflow' }).click()
  await expect(page.getByRole('button', { name: 'Create workflow' })).toHaveAccessibleDescription(
    'Add a step first.',
  )
  await nameOf(page, 'Workflow').fill('Compute a greeting')
  await addStep(page, 'transform')
  await nameOf(page, 'Step').fill('Greet')
  await addStep(page, 'transform')
  await nameOf(page, 'Step').fill('Shout')
  await expect(node(page, 'Greet')).toBeVisible()
  await expect(text(page)).toContainText('name: Shout')
  expect(await axeFindings(page)).toEqual([])

  // A circle, made in the form: it is said in the head, at the node and under the text, and stops saving.
  await node(page, 'Greet').click()
  await stepForm(page).getByText('Waits for').click()
  await stepForm(page).getByRole('checkbox', { name: 'Shout' }).check()
  await expect(page.getByText('1 problem to solve before saving, in Greet.')).toBeVisible()
  await expect(node(page, 'Greet')).toContainText('1 problem')
  await expect(page.getByText(/wait for each other, so none of them can begin/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create workflow' })).toHaveAccessibleDescription(
    'Solve the problem first.',
  )
  await page.getByRole('button', { name: /^Let .* not wait for/ }).click()
  await expect(page.getByText('No problem found.')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+s')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('First try')
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await expect(page.getByRole('heading', { name: 'Compute a greeting', level: 1 })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Save version 2' })).toHaveAccessibleDescription(
    'Nothing has changed since version 1.',
  )
  await node(page, 'Shout').click()
  await nameOf(page, 'Step').fill('Whisper')
  await page.getByRole('button', { name: 'Save version 2' }).click()
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('name: Whisper')
  await dialog.getByLabel('Reason').fill('It was too loud')
  await dialog.getByRole('button', { name: 'Save version 2' }).click()
  await expect(toasts(page, 'Version 2 saved')).toBeVisible()

  await page.getByRole('link', { name: 'Workflows', exact: true }).first().click()
  await page.getByRole('link', { name: 'Compute a greeting', exact: true }).click()
  await page.getByRole('link', { name: 'Versions' }).click()
  await expect(page.getByText('It was too loud')).toBeVisible()
  await page.getByRole('button', { name: 'Actions for version 2' }).click()
  await page.getByRole('menuitem', { name: 'Compare with the version before' }).click()
  await expect(dialog.getByRole('region', { name: 'Changes' })).toContainText('name: Whisper')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await dialog.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(page.getByText('Version 1 restored')).toBeVisible()
})

test('text, graph and form are in step with one history, a draft outlives a reload, and nothing is overwritten', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const step = (key: string, name: string) => ({
    key,
    name,
    type: 'transform',
    config: { values: { a: 1 } },
  })
  const body = { name: 'Nightly figures', steps: [step('read', 'Read figures'), step('sum', 'Sum up')] }
  const { workflow } = await session.client.call('workflows.create', { body })
  await enter(page, session, `/workflows/${workflow.id}/edit`)
  await expect(node(page, 'Sum up')).toBeVisible()

  // Typed as text: the graph follows, and what cannot be read leaves it as it was.
  await typeAfter(page, 'name: Nightly figures', ' # as told by the till')
  await expect(text(page)).toContainText('# as told by the till')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('tags: a: b')
  await expect(page.getByText(/^Line \d+ cannot be read\.$/).first()).toBeVisible()
  await expect(node(page, 'Sum up')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('No problem found.')).toBeVisible()

  // Changed in the form: the comment stays; undo in the field is undo of the text.
  await node(page, 'Sum up').click()
  await nameOf(page, 'Step').fill('Add up')
  await expect(node(page, 'Add up')).toBeVisible()
  await expect(text(page)).toContainText('# as told by the till')
  await nameOf(page, 'Step').press('ControlOrMeta+z')
  await expect(node(page, 'Sum up')).toBeVisible()
  await nameOf(page, 'Step').press('ControlOrMeta+Shift+z')
  await expect(node(page, 'Add up')).toBeVisible()
  await expect(page.getByText(/draft kept here at/i)).toBeVisible()

  page.on('dialog', (question) => void question.accept())
  await page.reload()
  await expect(node(page, 'Add up')).toBeVisible()
  await expect(text(page)).toContainText('# as told by the till')

  // Somebody else saves meanwhile.
  await session.client.call('workflows.update', {
    params: { id: workflow.id },
    body: { ...body, description: 'Every night', reason: 'Say what it is for', baseVersion: 1 },
  })
  await page.keyboard.press('ControlOrMeta+s')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Comments stay in this editor only')
  await dialog.getByRole('button', { name: 'Save version 2' }).click()
  await expect(dialog).toContainText('saved version 2 meanwhile')
  await expect(dialog).toContainText('Say what it is for')
  await dialog.getByRole('button', { name: 'Compare' }).click()
  await expect(dialog.getByRole('region', { name: 'From version 2 to your text' })).toContainText(
    'Every night',
  )
  await dialog.getByRole('button', { name: 'Save as version 3' }).click()
  await expect(toasts(page, 'Version 3 saved')).toBeVisible()
  const { definition } = await session.client.call('workflows.version', {
    params: { id: workflow.id, version: 'latest' },
  })
  expect(definition).toMatchObject({ description: '', steps: [{}, { name: 'Add up' }] })

  // What an API key saves is bounded by it until a person takes it over.
  const key = await session.client.call('apiKeys.create', {
    body: { name: 'ci', isPersonal: true, permissions: ['workflows.read', 'workflows.update'] },
  })
  const saved = await page.request.put(`/api/v1/workflows/${workflow.id}`, {
    headers: { authorization: `Bearer ${key.token}` },
    data: { ...body, reason: 'Saved by the pipeline' },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  await page.goto(`/workflows/${workflow.id}?tab=versions`)
  await expect(page.getByText('Key ci of')).toBeVisible()
  await page.getByRole('button', { name: 'Actions for version 4' }).click()
  await page.getByRole('menuitem', { name: 'Take over from the API key' }).click()
  await expect(dialog).toContainText('New runs are no longer bounded by the API key')
  await dialog.getByRole('button', { name: 'Save as version 5' }).click()
  await expect(page.getByText('Version 4 taken over')).toBeVisible()
})

test('a template opens in the editor without a problem, and is saved under its name', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enter(page, session, '/workflows')
  await page.getByRole('button', { name: 'Templates' }).click()
  const templates = page.getByRole('list', { name: 'Workflow templates' })
  await expect(templates.getByRole('listitem')).toHaveCount(10)
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await templates.getByRole('link', { name: /^Incident snapshot/ }).click()
  await expect(text(page)).toContainText('name: Incident snapshot')
  await expect(page.getByText('No problem found.')).toBeVisible()
  await page.getByRole('button', { name: 'Create workflow' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Incident snapshot' })).toBeVisible()
})

test('the editor of a built-in workflow says why it is read-only, and leads back to its page', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { workflows } = await session.client.call('workflows.list', { query: { limit: 100 } })
  const builtIn = workflows.find(({ isBuiltIn }) => isBuiltIn)
  if (!builtIn) throw new Error('No workflow is built in.')
  await enter(page, session, `/workflows/${builtIn.id}/edit`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: builtIn.name })).toBeVisible()
  await expect(main.getByText('You cannot edit this workflow')).toBeVisible()
  await expect(main.getByText(/^It is built in: /)).toBeVisible()
  await main.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(`/workflows/${builtIn.id}`)
  await expect(main.getByRole('heading', { level: 1, name: builtIn.name })).toBeVisible()
  // What exists nowhere is still said not to exist.
  await page.goto('/workflows/0192d3f0-0000-7000-8000-000000000000/edit')
  await expect(main.getByRole('heading', { name: 'Workflow not found' })).toBeVisible()
})
