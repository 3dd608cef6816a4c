import { test as base, expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { BeyServer } from '../tools/bey-server.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { sleepFinishedFiles, noteEndOfTest } from './finished-files.ts'

/** Tests of a file share one server, made on first use. */
export const test = base.extend<{ baseURL: string }, { beyEnv: Record<string, string>; bey: BeyServer }>({
  /** Settings of the file's own server: `test.use({ beyEnv: { … } })`. */
  beyEnv: [{}, { option: true, scope: 'worker' }],
  bey: [
    async ({ beyEnv }, provide) => {
      const main = 'packages/server/src/testing/browser-test-server.ts'
      // Room for the sandboxes of all files: those of finished ones sleep.
      const env = { BEY_SANDBOX_BUDGET_MIB: '49152', ...beyEnv }
      const server = await startBey({ main, env })
      await provide(server)
      await server.stop()
      removeData(server)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ bey }, provide, { file }) => {
    await sleepFinishedFiles(bey, file)
    await provide(bey.url)
    noteEndOfTest(file)
  },
  page: async ({ page }, provide) => {
    await provide(page)
    // An answer that is still on its way belongs to no test any more.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
})
export { expect }

let counter = 0

/** A new person with an organization of their own. */
export function newcomer(organization = 'Analytical Engines') {
  counter += 1
  const unique = `${Date.now().toString(36)}${counter}`
  return {
    name: 'Ada Lovelace',
    email: `ada-${unique}@example.com`,
    password: 'difference-engine-1!',
    organization,
  }
}

export type Person = ReturnType<typeof newcomer>

/** Signs a new person up by the API – auth.e2e.ts tests the form – and opens the dashboard in their name. */
export async function signUp(page: Page, person: Person): Promise<void> {
  const { organization: organizationName, ...account } = person
  const reply = await page.request.post('/api/auth/signup', { data: { ...account, organizationName } })
  expect(reply.status(), await reply.text()).toBe(201)
  const { token } = (await reply.json()) as { token: string }
  await enterWith(page, token)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

/** The next address that the page opens is opened with this session, which may be left later. */
export async function enterWith(page: Page, token: string): Promise<void> {
  await page.addInitScript((value) => {
    if (sessionStorage.getItem('has-entered')) return
    sessionStorage.setItem('has-entered', 'true')
    localStorage.setItem('bey-token', value)
  }, token)
}

/** Signs up through the form and lands on the dashboard. */
export async function signUpByForm(page: Page, person: Person): Promise<void> {
  await page.goto('/signup')
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Organization Name').fill(person.organization)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm Password').fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}
