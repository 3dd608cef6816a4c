import { expect, newcomer, signUp, signUpByForm, test } from './bey.ts'

test('the login screen has two columns with the specified words and controls', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeEnabled()
  await expect(page.getByLabel('Password')).toBeEnabled()
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  )
  await expect(page.getByText('Or continue with')).toBeVisible()
  for (const provider of ['GitHub', 'Google']) {
    await expect(page.getByRole('button', { name: `Login with ${provider}` })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
  }
  await expect(page.getByText("Don't have an account? Sign up")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign up', exact: true })).toHaveAttribute('href', '/signup')
  await expect(page.getByText('Development impersonation')).toBeVisible()
  const form = await page.getByRole('main').boundingBox()
  const about = await page.getByRole('region', { name: 'About Bey' }).boundingBox()
  expect(about?.x).toBeGreaterThanOrEqual((form?.x ?? 0) + (form?.width ?? 0) - 1)
})

test('Login is seen as the primary action before it can be used', async ({ page }) => {
  await page.goto('/login')
  const login = page.getByRole('button', { name: 'Login', exact: true })
  await expect(login).toBeDisabled()
  const accent = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.background = 'var(--accent)'
    return getComputedStyle(probe).backgroundColor
  })
  await expect(login).toHaveCSS('background-color', accent)
})

test('Login waits for a valid email and a password', async ({ page }) => {
  await page.goto('/login')
  const button = page.getByRole('button', { name: 'Login', exact: true })
  await expect(button).toBeDisabled()
  await page.getByLabel('Email').fill('ada')
  await expect(page.getByText('✗ Invalid email')).toBeVisible()
  await page.getByLabel('Password').fill('x')
  await expect(button).toBeDisabled()
  await page.getByLabel('Email').fill('ada@example.com')
  await expect(page.getByText('✓ Valid email')).toBeVisible()
  await expect(button).toBeEnabled()
  await button.click()
  await expect(page.getByRole('alert').getByText('The email address or the password is wrong.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('ada@example.com')
})

test('a backend that cannot be reached is said in a banner, and inputs and buttons are disabled', async ({
  page,
}) => {
  let failures = 0
  await page.route('**/health', (route) => {
    failures += 1
    return route.abort()
  })
  for (const path of ['/login', '/signup']) {
    failures = 0
    await page.goto(path)
    await expect(
      page.getByText('Cannot connect to backend server. Please ensure the server is running.'),
    ).toBeVisible()
    // The first failure is enough: the next question comes 10 s later.
    expect(failures).toBe(1)
    await expect(page.getByLabel('Email')).toBeDisabled()
    await expect(
      page.getByRole('button', { name: path === '/login' ? 'Login' : 'Create Account', exact: true }),
    ).toBeDisabled()
  }
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Passkey' })).toHaveAccessibleDescription(
    'The server cannot be reached.',
  )
})

test('the sign-up screen checks email, password and its repetition live', async ({ page }) => {
  await page.goto('/signup')
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign up with GitHub' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign up with Google' })).toBeVisible()
  await expect(page.getByText('Already have an account? Login')).toBeVisible()
  const create = page.getByRole('button', { name: 'Create Account' })
  const person = newcomer()
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Organization Name').fill(person.organization)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('abc')
  for (const rule of ['At least 8 characters', 'Contains a number', 'Contains a special character']) {
    await expect(page.getByText(`${rule}, missing`)).toBeVisible()
  }
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await expect(page.getByText('Contains a number, done')).toBeVisible()
  await page.getByLabel('Confirm Password').fill('other')
  await expect(page.getByText("✗ Passwords don't match")).toBeVisible()
  await expect(create).toBeDisabled()
  await page.getByLabel('Confirm Password').press('Enter')
  await page.getByLabel('Confirm Password').fill(person.password)
  await expect(page.getByText('✓ Passwords match')).toBeVisible()
  await expect(create).toBeEnabled()
})

test('passwords that differ are refused when the form is submitted with Enter', async ({ page }) => {
  const person = newcomer()
  await page.goto('/signup')
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Organization Name').fill(person.organization)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm Password').fill(`${person.password}?`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Passwords do not match', { exact: true })).toBeVisible()
  await page.getByLabel('Confirm Password').fill(person.password)
  await expect(page.getByText('Passwords do not match', { exact: true })).toHaveCount(0)
})

test('a taken address is refused in words, and what was typed stays', async ({ page }) => {
  const person = newcomer()
  await signUp(page, person)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/signup')
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Organization Name').fill('Another')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm Password').fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(
    page.getByRole('alert').getByText(`An account with the email address ${person.email} exists.`),
  ).toBeVisible()
  await expect(page.getByLabel('Organization Name')).toHaveValue('Another')
})

test('a guarded page leads to login, replacing history, and back to where one wanted to go', async ({
  page,
}) => {
  const person = newcomer()
  await signUp(page, person)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await page.goto('/kubernetes/clusters')
  await expect(page).toHaveURL(/\/login\?from=/)
  await page.goBack()
  await expect(page).toHaveURL(/\/login$/)
  await page.goForward()
  await expect(page).toHaveURL(/\/login\?from=/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/kubernetes\/clusters$/)
})

test('logging out forgets the session, says so and goes to login', async ({ page, request, baseURL }) => {
  await signUpByForm(page, newcomer())
  const token = await page.evaluate(() => localStorage.getItem('bey-token'))
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await expect(page.getByText('My Account', { exact: true })).toBeVisible()
  for (const [item, path] of [
    ['Team Members', '/workspaces/members'],
    ['Workspace Settings', '/workspaces/settings'],
    ['Billing', '/workspaces/settings/billing'],
    ['API Keys', '/workspaces/settings/api-keys'],
  ] as const) {
    await expect(page.getByRole('menuitem', { name: item })).toHaveAttribute('href', path)
  }
  await expect(page.getByRole('menuitem', { name: 'Switch Organization' })).toHaveCount(0)
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toHaveClass(/text-danger/)
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByText('Signed out successfully')).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  expect(
    await page.evaluate(() =>
      ['bey-token', 'bey-userData', 'bey-organization-id'].map((key) => localStorage.getItem(key)),
    ),
  ).toEqual([null, null, null])
  const reply = await request.get(`${baseURL}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(reply.status()).toBe(401)
})

test('while a form is sent its button is disabled, and a failure without words has the words of the form', async ({
  page,
}) => {
  const person = newcomer()
  for (const [path, button, failure] of [
    ['login', 'Login', 'Failed to login'],
    ['signup', 'Create Account', 'Failed to sign up'],
  ] as const) {
    const answered = Promise.withResolvers<void>()
    await page.route(`**/api/auth/${path}`, async (route) => {
      await answered.promise
      await route.fulfill({ status: 500, body: '' })
    })
    await page.goto(`/${path}`)
    if (path === 'signup') {
      await page.getByLabel('Name', { exact: true }).fill(person.name)
      await page.getByLabel('Organization Name').fill(person.organization)
      await page.getByLabel('Confirm Password').fill(person.password)
    }
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    const submit = page.getByRole('main').locator('button[type=submit]')
    await expect(submit).toHaveText(button)
    await submit.click()
    await expect(submit).toBeDisabled()
    answered.resolve()
    await expect(page.getByRole('alert').getByText(failure)).toBeVisible()
  }
})
