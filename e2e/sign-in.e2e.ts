import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startOpenidProvider } from '../packages/server/src/testing/openid-provider.ts'
import { codeOf } from '../packages/server/src/testing/second-factor.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, signUp, test } from './bey.ts'
import type { Person } from './bey.ts'

// A server of its own, where nobody has signed up: the first organization is the operator's.
test.use({ beyEnv: { BEY_SIGNUP: 'open' } })
const operator = newcomer('Operators')
let operatorToken = ''

test.beforeAll(async ({ bey }) => {
  operatorToken = (await signUpByApi(bey.url, operator)).token
})

async function logOut(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
}

async function logIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

const isInside = (page: Page) => expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

test('a forgotten password is replaced by a link that works once', async ({ page, bey }) => {
  const person = newcomer()
  await signUpByApi(bey.url, person)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText('If ' + person.email)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  // Without a mail server the link waits for the operator.
  const outbox = join(bey.dataDir, 'mail-outbox.txt')
  let link = ''
  await expect(async () => {
    const letter = (await readFile(outbox, 'utf8')).split(`To: ${person.email}`)[1] ?? ''
    link = /http\S+\/reset-password#\S+/.exec(letter)?.[0] ?? ''
    expect(link).not.toBe('')
  }).toPass()
  await page.goto(link)
  const password = 'analytical-engine-2!'
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(password)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Log in with your new password.')).toBeVisible()
  await logIn(page, { email: person.email, password })
  await isInside(page)

  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm new password').fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This link is no longer valid')).toBeVisible()
})

test('the operator sets up a provider, a newcomer signs in by it, and an existing account links it first', async ({
  page,
  bey,
}) => {
  const idp = await startOpenidProvider()
  idp.serve(`${bey.url}/api/auth/oauth/oidc/callback`)
  try {
    await page.goto('/login')
    const github = page.getByRole('button', { name: 'Login with GitHub' })
    await expect(github).toHaveAttribute('aria-disabled', 'true')
    await expect(github).toHaveAccessibleDescription(/not set up for GitHub/)
    await page.evaluate((token) => localStorage.setItem('bey-token', token), operatorToken)
    await page.goto('/workspaces/settings/instance/settings')
    const form = page.getByRole('region', { name: 'Single sign-on' })
    await form.getByLabel('Name on the button').fill('Engines ID')
    await form.getByLabel('Address of the provider (issuer)').fill(idp.issuer)
    await form.getByLabel('Client id').fill(idp.clientId)
    await form.getByLabel('Client secret').fill(idp.clientSecret)
    await form.getByRole('button', { name: 'Save provider' }).click()
    await expect(form.getByText('Set up', { exact: true })).toBeVisible()

    const stranger = newcomer()
    idp.account = { sub: 'stranger', email: stranger.email, email_verified: true, name: 'Grace Hopper' }
    await logOut(page)
    await page.getByRole('button', { name: 'Login with Engines ID' }).click()
    await expect(page).toHaveURL(/\/workspaces\/create$/)

    const person = newcomer()
    await signUpByApi(bey.url, person)
    idp.account = { sub: 'ada', email: person.email, email_verified: true, name: 'Ada' }
    // The provider, too, takes the browser for somebody else from here on.
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto('/signup')
    await page.getByRole('button', { name: 'Sign up with Engines ID' }).click()
    await expect(
      page.getByText(/An account with your email address at Engines ID exists already/),
    ).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to login' }).click()
    await logIn(page, person)
    await isInside(page)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Link Engines ID' }).click()
    await expect(page.getByRole('list', { name: 'Linked accounts' })).toContainText(person.email)
    await logOut(page)
    await page.getByRole('button', { name: 'Login with Engines ID' }).click()
    await isInside(page)
  } finally {
    await idp.stop()
  }
})

test('sign-up buttons navigate to the provider, and failures are shown in the specified words', async ({
  page,
}) => {
  const options = {
    providers: [
      { id: 'github', label: 'GitHub', isConfigured: true },
      { id: 'google', label: 'Google', isConfigured: true },
    ],
    passkeyRefusal: null,
    signup: 'open',
    sendsMail: false,
  }
  await page.route('**/api/auth/options', (route) => route.fulfill({ json: options }))
  for (const [id, label] of [
    ['github', 'GitHub'],
    ['google', 'Google'],
  ]) {
    await page.goto('/signup')
    const asked = page.waitForRequest(`**/api/auth/oauth/${id}`)
    await page.getByRole('button', { name: `Sign up with ${label}` }).click()
    const request = await asked
    expect(request.isNavigationRequest(), id).toBe(true)
    await expect(page.getByText(`${label} cannot be used to log in at the moment.`)).toBeVisible()
  }
  await page.goto('/login')
  const login = page.getByRole('button', { name: 'Login with GitHub' })
  await login.click()
  await expect(
    page.getByText(
      'Failed to initiate GitHub login. This server is not set up for this provider. Use another way to sign in.',
    ),
  ).toBeVisible()
  await page.route('**/api/auth/oauth/github?*', (route) => route.fulfill({ json: { authorizationUrl: '' } }))
  await login.click()
  await expect(page.getByText('Failed to get GitHub authorization URL')).toBeVisible()
})

test('an authenticator app is set up, asked for at the login, and turned off after a confirmation', async ({
  page,
}) => {
  const person = newcomer()
  await signUp(page, person)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await dialog.getByLabel('Code of the app').fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCode = (await codes.first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 of 10 recovery codes are left.')).toBeVisible()

  await logOut(page)
  await logIn(page, person)
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('Code of your authenticator app').fill('000000')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('This code is wrong or was used before.')).toBeVisible()
  await page.getByLabel('Code of your authenticator app').fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await isInside(page)

  await page.goto('/profile')
  // As ten minutes later.
  let refusals = 1
  await page.route('**/api/auth/totp', (route) => {
    if (route.request().method() !== 'DELETE' || refusals === 0) return route.fallback()
    refusals -= 1
    const problem = {
      status: 403,
      code: 'step_up_required',
      title: 'Confirmation required',
      detail: 'Confirm.',
    }
    return route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem })
  })
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(confirm.getByLabel('Code of your authenticator app')).toBeFocused()
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await confirm.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await confirm.getByLabel('Recovery code').fill(recoveryCode)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
})

test('a passkey is made, logs in alone, and its other sessions are ended from the profile', async ({
  page,
  bey,
  browser,
}) => {
  const person = newcomer()
  await signUpByApi(bey.url, person)
  const origin = bey.url.replace('127.0.0.1', 'localhost')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${origin}/login`)
  await logIn(page, person)
  await isInside(page)
  await page.goto(`${origin}/profile`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('Laptop')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Laptop')

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${origin}/login`)
  await page.getByRole('button', { name: 'Passkey' }).click()
  await isInside(page)

  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await other.goto(`${bey.url}/login`)
  await logIn(other, person)
  await isInside(other)
  await page.goto(`${origin}/profile`)
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(4)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
  await expect(other.getByRole('dialog', { name: 'Unauthorized: Please log in again.' })).toBeVisible()
  await elsewhere.close()

  await other.close()
  await page.goto(`${bey.url}/login`)
  await expect(page.getByRole('button', { name: 'Passkey' })).toHaveAccessibleDescription(/host name/)
})
