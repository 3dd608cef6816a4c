import type { Page } from '@playwright/test'
import { codeOf } from '../packages/server/src/testing/second-factor.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, signUp, test } from './bey.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')

async function chooseAction(page: Page, of: string, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}` }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Fills the form of an invitation for an address without an account, and joins. */
async function joinAsNew(page: Page, link: string, name: string, password: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

test('people are invited, join, get another role with Undo, learn why not, and are removed', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = newcomer()
  await signUp(page, person)
  await page.goto('/workspaces/members')
  await expect(page.getByRole('heading', { name: 'Team members' })).toBeVisible()
  const own = rowOf(page, person.email)
  await expect(own).toContainText('OWNER')
  await expect(own).toContainText('you')
  await expect(page.getByText(`1 person belongs to ${person.organization}.`)).toBeVisible()

  await page.getByRole('button', { name: 'Invite people' }).click()
  const guest = `grace-${person.email}`
  await page.getByLabel('Addresses').fill(`Grace Hopper <${guest}>, ${person.email}`)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Invite 2 people' }).click()
  await expect(dialog(page)).toContainText('1 person invited, 1 address left out.')
  await expect(dialog(page)).toContainText(`${person.email} belongs to this organization already.`)
  await page.getByRole('button', { name: `Copy the link for ${guest}` }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toContain(`${baseURL ?? ''}/invite#bey_invite_`)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(rowOf(page, guest)).toContainText('in 6 d')

  const context = await browser.newContext(baseURL ? { baseURL } : {})
  const guestPage = await context.newPage()
  await guestPage.goto(link)
  await expect(guestPage.getByRole('heading', { name: `Join ${person.organization}` })).toBeVisible()
  expect(await axeFindings(guestPage)).toEqual([])
  await joinAsNew(guestPage, link, 'Grace Hopper', person.password)

  // The list follows without a reload: the invitation goes, the member comes.
  const role = page.getByRole('button', { name: 'Role of Grace Hopper: MEMBER' })
  await expect(role).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pending invitations' })).toHaveCount(0)
  await expect(rowOf(page, guest)).toContainText(person.name)
  await role.click()
  await page.getByRole('menuitemcheckbox', { name: 'VIEWER' }).click()
  await expect(page.getByText('Grace Hopper is VIEWER now. Before: MEMBER')).toBeVisible()

  await guestPage.goto('/secrets')
  const create = guestPage.getByRole('button', { name: 'Create secret' }).first()
  await expect(create).toHaveAttribute('aria-disabled', 'true')
  // Refused, and pressed all the same.
  await create.click({ force: true })
  await expect(guestPage).toHaveURL(/role=VIEWER&why=secrets\.create/)
  await expect(dialog(guestPage)).toContainText('The role MEMBER is needed to create secrets.')
  await expect(dialog(guestPage)).toContainText(`You are VIEWER. ${person.name} can change that.`)
  expect(await axeFindings(guestPage)).toEqual([])
  await guestPage.keyboard.press('Escape')
  await expect(dialog(guestPage)).toHaveCount(0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Role of Grace Hopper: MEMBER' })).toBeVisible()
  await expect(guestPage.locator('#main').getByRole('link', { name: 'Create secret' }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Last seen' }).click()
  await expect(page).toHaveURL(/sort=lastSeenAt/)
  await page.getByPlaceholder('Filter team members').fill('nobody of this name')
  await expect(own).toHaveCount(0)
  await page.reload()
  await expect(page.getByPlaceholder('Filter team members')).toHaveValue('nobody of this name')
  await page.getByPlaceholder('Filter team members').fill('')

  await chooseAction(page, 'Grace Hopper', 'Remove from the organization')
  await expect(dialog(page)).toContainText('loses access within a second')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
  await expect(rowOf(page, guest)).toHaveCount(0)
  await expect(guestPage).toHaveURL('/workspaces/create')
  await context.close()
})

test('one person invites a company of twenty at once, and a leaver is gone everywhere within a second', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = newcomer('Company of Twenty')
  await signUp(page, person)
  await page.goto('/workspaces/members')
  await page.getByRole('button', { name: 'Invite people' }).click()
  const addresses = Array.from({ length: 20 }, (_, index) => `colleague-${index}-${person.email}`)
  await page.getByLabel('Addresses').fill(addresses.join('\n'))
  await dialog(page).getByLabel('Role').selectOption('ADMIN')
  await page.getByRole('button', { name: 'Invite 20 people' }).click()
  await expect(dialog(page)).toContainText('20 people invited.')
  await expect(page.getByRole('button', { name: 'Done' })).toBeInViewport()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Copy all links' }).click()
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(lines).toHaveLength(20)
  const links = new Map(lines.map((line) => line.split('\t') as [string, string]))
  expect([...links.keys()].toSorted()).toEqual(addresses.toSorted())
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('20 waiting')).toBeVisible()

  const [leaver = ''] = addresses
  const joined = await page.request.post('/api/invitations/signup', {
    data: { token: links.get(leaver)?.split('#')[1], name: 'Grace Hopper', password: person.password },
  })
  const { token } = (await joined.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const key = await page.request.post('/api/api-keys', {
    headers: { ...headers, 'idempotency-key': leaver },
    data: { name: 'deploys', isPersonal: true, permissions: ['clusters.read'] },
  })
  const byKey = { authorization: `Bearer ${((await key.json()) as { token: string }).token}` }
  const clusters = () => page.request.get('/api/kubernetes/clusters', { headers: byKey })
  expect((await clusters()).status()).toBe(200)
  const context = await browser.newContext(baseURL ? { baseURL } : {})
  const leaverPage = await context.newPage()
  await enterWith(leaverPage, token)
  await leaverPage.goto('/secrets')
  await expect(leaverPage.getByRole('heading', { name: 'Secrets', exact: true })).toBeVisible()

  await chooseAction(page, 'Grace Hopper', 'Remove from the organization')
  await expect(dialog(page)).toContainText('Personal API keys 1')
  await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
  await expect(page.getByText('Grace Hopper is removed')).toBeVisible()
  expect((await clusters()).status()).toBe(401)
  await expect(rowOf(page, leaver)).toHaveCount(0)
  await expect(leaverPage).toHaveURL('/workspaces/create')
  await context.close()

  // An auditor reads what was settled, in the entry of the removal.
  await page.goto('/workspaces/settings/security?tab=audit&action=member.remove')
  await page.getByRole('table', { name: 'Audit log' }).getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'What changed' })).toContainText('Personal API keys')
  expect(await axeFindings(page)).toEqual([])
})

test('a workspace is renamed, handed over, deleted and brought back, and one leaves it', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = newcomer('Difference Works')
  await signUp(page, person)
  await page.goto('/workspaces/settings')
  await page.getByRole('textbox', { name: 'Name' }).fill('Analytical Works')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('button', { name: /Ada Lovelace.*Analytical Works/s })).toBeVisible()
  await page.getByLabel('Role of new members').selectOption('VIEWER')
  await expect(page.getByText('Saved').first()).toBeVisible()
  const leave = page.getByRole('button', { name: 'Leave Analytical Works' })
  await expect(leave).toHaveAccessibleDescription(/The last owner cannot leave/)

  await page.getByRole('button', { name: 'Delete organization' }).click()
  const confirm = dialog(page).getByRole('button', { name: 'Delete organization' })
  await expect(confirm).toBeDisabled()
  await page.getByLabel('Type Analytical Works to confirm').fill('Analytical Works')
  await confirm.click()
  const banner = page.getByRole('region', { name: 'Deletion of the organization' })
  await expect(banner).toContainText('Analytical Works is deleted in 6 d and can only be read until then.')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo the deletion' }).click()
  await expect(banner).toHaveCount(0)

  await page.goto('/workspaces/members')
  await page.getByRole('button', { name: 'Invite people' }).click()
  await expect(dialog(page).getByLabel('Role')).toHaveValue('VIEWER')
  const heir = `noor-${person.email}`
  await page.getByLabel('Addresses').fill(heir)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('button', { name: `Copy the link for ${heir}` }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Done' }).click()
  const context = await browser.newContext(baseURL ? { baseURL } : {})
  await joinAsNew(await context.newPage(), link, 'Noor Haddad', person.password)
  await context.close()

  await chooseAction(page, 'Noor Haddad', 'Transfer ownership to Noor Haddad')
  await page.getByLabel('Type Analytical Works to confirm').fill('Analytical Works')
  await page.getByRole('button', { name: 'Transfer ownership' }).click()
  await expect(rowOf(page, heir)).toContainText('OWNER')
  await expect(rowOf(page, 'you')).toContainText('ADMIN')

  // A page that the other organization has, too, stays open when one switches.
  await page.goto('/workspaces/create')
  await page.getByLabel('Name').fill('Second Works')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page.getByRole('button', { name: /Ada Lovelace.*Second Works/s })).toBeVisible()
  await page.goto('/workspaces/members')
  await page.getByRole('button', { name: /Ada Lovelace.*Second Works/s }).click()
  await page.getByRole('menuitem', { name: 'Switch Organization' }).hover()
  await page.getByRole('menuitemcheckbox', { name: 'Analytical Works' }).click()
  await expect(rowOf(page, heir)).toBeVisible()
  await expect(page).toHaveURL('/workspaces/members')

  await page.goto('/workspaces/settings')
  await leave.click()
  await dialog(page).getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page.getByRole('button', { name: /Ada Lovelace.*Second Works/s })).toBeVisible()
})

/** Sets up an authenticator app on the page that offers it. */
async function setUpApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = ((await dialog(page).locator('code').textContent()) ?? '').replaceAll(' ', '')
  await dialog(page).getByLabel('Code of the app').fill(codeOf(secret))
  await dialog(page).getByRole('button', { name: 'Turn on' }).click()
  await dialog(page).getByRole('button', { name: 'I have kept them' }).click()
  await expect(dialog(page)).toHaveCount(0)
}

test('a second factor is required: a notice before the date, then one page until it is set up', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = newcomer('Careful Works')
  await signUp(page, person)
  const setSecondFactor = async (choice: string) => {
    await page.goto('/workspaces/settings/security')
    await page.getByLabel('Second factor').selectOption(choice)
    await page.getByRole('button', { name: 'Save policies' }).click()
  }
  await setSecondFactor('Required in 7 days')
  await expect(
    page.getByText(/Your own account has no second factor: you would lock yourself out/),
  ).toBeVisible()
  await page.getByLabel('Passwords').selectOption('Off')
  await page.getByLabel('Second factor').selectOption('Not required')
  await page.getByRole('button', { name: 'Save policies' }).click()
  await expect(page.getByText(/You logged in with a password yourself/)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.goto('/profile')
  await setUpApp(page)
  await setSecondFactor('Required in 7 days')
  await expect(page.getByText('Policies saved')).toBeVisible()

  const guest = `grace-${person.email}`
  const token = await page.evaluate(() => localStorage.getItem('bey-token'))
  const invited = await page.request.post('/api/invitations', {
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': guest },
    data: { emails: [guest], role: 'MEMBER' },
  })
  const { results } = (await invited.json()) as { results: { link: string }[] }
  const context = await browser.newContext(baseURL ? { baseURL } : {})
  const guestPage = await context.newPage()
  await joinAsNew(guestPage, results[0]?.link ?? '', 'Grace Hopper', person.password)
  const notice = guestPage.getByRole('region', { name: 'Second factor' })
  await expect(notice).toContainText('Careful Works requires a second factor from')
  expect(await axeFindings(guestPage)).toEqual([])
  await guestPage.goto('/secrets')
  await expect(guestPage.getByRole('heading', { name: 'Secrets', exact: true })).toBeVisible()

  // At once, also on the page that is open.
  await setSecondFactor('Required at once')
  await expect(page.getByText('Policies saved')).toBeVisible()
  await expect(guestPage.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expect(guestPage.getByRole('navigation')).toHaveCount(0)
  expect(await axeFindings(guestPage)).toEqual([])
  await setUpApp(guestPage)
  await expect(guestPage.getByRole('heading', { name: 'Secrets', exact: true })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await guestPage.goto('/profile')
  await guestPage.getByRole('button', { name: 'Turn off' }).click()
  await dialog(guestPage).getByRole('button', { name: 'Turn off' }).click()
  await expect(dialog(guestPage)).toContainText('Careful Works asks its members for a second factor')
  await context.close()
})
