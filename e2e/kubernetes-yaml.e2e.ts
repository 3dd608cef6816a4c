import type { Page } from '@playwright/test'
import type { BeySession } from '../tools/api-session.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test.describe.configure({ timeout: 240_000 })

let session: BeySession
let clusterId: number

test.beforeAll(async ({ bey }) => {
  session = await signUpByApi(bey.url, newcomer())
  clusterId = await seedCluster(session, 'practice')
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
})

const deployment = '/apis/apps/v1/namespaces/payments/deployments/checkout'

/** A request to the cluster as another program sends it. */
async function send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const url = `${session.baseUrl}/api/kubernetes/clusters/${clusterId}/proxy${path}`
  const reply = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      'x-organization-id': String(session.organizationId),
      'content-type': method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await reply.json()) as Record<string, unknown>
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(answer)}`)
  return answer
}

async function liveSpec() {
  const { spec } = await send('GET', deployment)
  return spec as { replicas: number; minReadySeconds?: number; paused?: boolean }
}

async function openYaml(page: Page) {
  await page.goto(`/kubernetes/clusters/${clusterId}/objects/deployments.apps/payments/checkout?tab=yaml`)
  const editor = page.getByRole('textbox', { name: 'YAML of checkout' })
  await expect(editor).toContainText('replicas')
  return editor
}

/** Replaces the first line that begins so; indentation stays. */
async function setLine(page: Page, begin: RegExp, text: string) {
  await page.locator('.cm-line', { hasText: begin }).first().click()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  if (text === '') await page.keyboard.press('Backspace')
  else await page.keyboard.type(text)
  // A list of completions would take the next key.
  await page.keyboard.press('Escape')
}

test('a deployment is edited with completion, reviewed as a diff in words, and applied', async ({ page }) => {
  const editor = await openYaml(page)
  await expect(editor).not.toContainText('managedFields')
  await expect(page.getByText('Nothing is changed yet.').first()).toBeAttached()

  await setLine(page, /^\s+replicas: 1/, 'replicas: 3')
  await page.keyboard.press('Enter')
  await page.keyboard.type('minRead')
  await page.keyboard.press('Control+Space')
  await page.getByRole('option', { name: /minReadySeconds/ }).click()
  await page.keyboard.type('2')
  await expect(page.getByText('2 fields')).toBeVisible()

  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Deployment checkout: replicas 1 → 3, minReadySeconds + 2')).toBeVisible()
  await expect(page.getByText('2 pods are added.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Changed lines' })).toContainText('replicas: 3')
  expect((await liveSpec()).replicas).toBe(1)
  expect(await axeFindings(page)).toEqual([])

  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Applied to checkout').first()).toBeVisible()
  expect(await liveSpec()).toMatchObject({ replicas: 3, minReadySeconds: 2 })
  const { metadata } = await send('GET', deployment)
  const { managedFields } = metadata as { managedFields: { manager: string; fieldsV1: object }[] }
  const own = managedFields.find(({ manager }) => manager === 'bey')
  expect(own?.fieldsV1).toEqual({ 'f:spec': { 'f:minReadySeconds': {}, 'f:replicas': {} } })

  // A field that is taken out of the text is taken out of the object. The editor has to know what was applied.
  await expect(page.getByText('Nothing is changed yet.').first()).toBeAttached()
  await setLine(page, /minReadySeconds: 2/, '')
  // The object changes by itself between reading and asking, at the review and at the act: both are repeated.
  const changedAt: string[] = []
  await page.route(/fieldManager=bey/, async (route) => {
    const request = route.request().url().includes('dryRun') ? 'review' : 'act'
    if (!changedAt.includes(request)) {
      changedAt.push(request)
      const revision = `${changedAt.length} ${request}`
      await send('PATCH', deployment, {
        metadata: { annotations: { 'deployment.kubernetes.io/desired-replicas': revision } },
      })
    }
    await route.continue()
  })
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: /^Apply/ }).click()
  await expect.poll(() => changedAt).toEqual(['review', 'act'])
  await page.unrouteAll({ behavior: 'wait' })
  await expect.poll(async () => (await liveSpec()).minReadySeconds ?? 0).toBe(0)
})

test('a concurrent change is merged, and a conflict answered with 1, 2 and 3', async ({ page }) => {
  await openYaml(page)
  for (const [key, mine, theirs, result] of [
    ['1', 4, 2, 4],
    ['2', 6, 5, 5],
    ['3', 7, 8, 9],
  ] as const) {
    await setLine(page, /^\s+replicas: \d/, `replicas: ${mine}`)
    await send('PATCH', `${deployment}?fieldManager=kubectl-edit`, {
      spec: { replicas: theirs, revisionHistoryLimit: 10 + mine },
    })
    await page.getByRole('button', { name: 'Merge' }).click()
    const question = page.getByRole('radiogroup', { name: 'Both of you changed spec.replicas' })
    await expect(question).toBeVisible()
    await expect(question).toContainText('kubectl-edit')
    // What does not conflict is merged already.
    await expect(page.getByRole('textbox', { name: /YAML/ })).toContainText(
      `revisionHistoryLimit: ${10 + mine}`,
    )
    await expect(page.getByText('1 conflict is not answered yet.').first()).toBeVisible()
    await page.keyboard.press(key)
    if (key === '3') await setLine(page, /^\s+replicas: \d/, 'replicas: 9')
    await expect(page.getByText('1 conflict is not answered yet.').first()).toBeHidden()
    if (key === '2') {
      // Live was chosen, so nothing is left to apply.
      await expect(page.getByRole('button', { name: 'Discard' })).toHaveAttribute('aria-disabled', 'true')
    } else {
      await page.getByRole('button', { name: /^Review changes/ }).click()
      await page.getByRole('button', { name: /^Apply/ }).click()
    }
    await expect.poll(async () => (await liveSpec()).replicas).toBe(result)
    await openYaml(page)
  }
})

test('tabs, duplicate and unknown fields are named at their lines, and F8 goes there', async ({ page }) => {
  const editor = await openYaml(page)
  await setLine(page, /^\s+replicas: \d/, 'replica: 3')
  await expect(page.locator('.cm-lintRange-error')).toHaveText('replica')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('F8')
  await expect(page.getByText('spec has no field "replica". Do you mean "replicas"?')).toBeVisible()

  await page.keyboard.press('Escape')
  await setLine(page, /^\s+replica: 3/, 'paused: false')
  await page.keyboard.press('Enter')
  await page.keyboard.type('paused: true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/Line \d+: The key "paused" is here a second time/)).toBeVisible()

  await editor.click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(editor).not.toBeFocused()
})

test('what an admission policy refuses is shown in its own words, and nothing is applied', async ({
  page,
}) => {
  const meta = { name: 'few-replicas' }
  await send('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
    metadata: meta,
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['deployments'] },
        ],
      },
      validations: [
        { expression: 'object.spec.replicas <= 20', message: 'at most 20 replicas are allowed here' },
      ],
    },
  })
  await send('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings', {
    metadata: meta,
    spec: { policyName: meta.name, validationActions: ['Deny'] },
  })
  const before = await liveSpec()
  await openYaml(page)
  await setLine(page, /^\s+replicas: \d/, 'replicas: 50')
  await page.keyboard.press('Control+Enter')
  await expect(
    page.getByRole('alert').filter({ hasText: 'at most 20 replicas are allowed here' }),
  ).toBeVisible()
  expect((await liveSpec()).replicas).toBe(before.replicas)
})

const widgets = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: first
spec:
  size: 3
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { size: { type: integer } } }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: team-x
data: { a: b }
`

test('several documents are created in their order: a namespace, a definition, then its kind', async ({
  page,
}) => {
  await page.goto(`/kubernetes/clusters/${clusterId}/create`)
  const editor = page.getByRole('textbox', { name: 'Objects for practice' })
  await expect(editor).toBeVisible()
  await page.getByLabel('Manifest files').setInputFiles({
    name: 'widgets.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(widgets),
  })
  await page.getByRole('button', { name: 'Create it first' }).click()
  // The draft outlives a reload.
  await page.reload()
  await expect(editor).toContainText('team-x')
  await page.getByRole('button', { name: /^Review/ }).click()
  const documents = page.getByRole('list', { name: 'Documents' })
  await expect(documents.getByRole('listitem').first()).toContainText('Namespace team-x')
  await expect(documents).toContainText('Checked once its definition above is applied.')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: /^Apply 4 objects/ }).click()
  await expect(documents.getByText('created', { exact: true })).toHaveCount(4)
  await documents.getByRole('link', { name: 'Widget first' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('first')
})

test('a field that another manager applies is asked for, and forced only when every answer is given', async ({
  page,
}) => {
  await page.goto(`/kubernetes/clusters/${clusterId}/create`)
  const other = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shared' },
    data: { a: 'theirs', b: 'theirs' },
  }
  await fetch(
    `${session.baseUrl}/api/kubernetes/clusters/${clusterId}/proxy/api/v1/namespaces/default/configmaps/shared?fieldManager=ci-deployer`,
    {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${session.token}`,
        'x-organization-id': String(session.organizationId),
        'content-type': 'application/apply-patch+yaml',
      },
      body: JSON.stringify(other),
    },
  )
  await page.getByLabel('Manifest files').setInputFiles({
    name: 'shared.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shared\ndata:\n  a: ours\n  b: ours\n',
    ),
  })
  await page.getByRole('button', { name: /^Review/ }).click()
  const again = page.getByRole('button', { name: 'Review again with these answers' })
  await expect(again).toHaveAttribute('aria-disabled', 'true')
  await page
    .getByRole('radiogroup', { name: '.data.a, set by ci-deployer' })
    .getByRole('radio')
    .first()
    .press('1')
  await expect(again).toHaveAttribute('aria-disabled', 'true')
  await page
    .getByRole('radiogroup', { name: '.data.b, set by ci-deployer' })
    .getByRole('radio')
    .first()
    .press('2')
  await again.click()
  await page.getByRole('button', { name: /^Apply 1 object/ }).click()
  await expect(
    page.getByRole('list', { name: 'Documents' }).getByText('changed', { exact: true }),
  ).toBeVisible()
  const { data } = await send('GET', '/api/v1/namespaces/default/configmaps/shared')
  expect(data).toEqual({ a: 'ours', b: 'theirs' })
})

test('a sample application is shown, applied, and removed in one click', async ({ page }) => {
  await page.goto(`/kubernetes/clusters/${clusterId}`)
  await page.getByRole('button', { name: 'Apply Shop' }).click()
  const preview = page.getByRole('dialog', { name: /^Apply Shop to / })
  await expect(preview.getByRole('list', { name: 'Objects' })).toContainText('StatefulSet')
  await preview.getByRole('button', { name: /^Apply \d+ objects$/ }).click()
  await expect(page.getByRole('button', { name: 'Remove Shop' })).toBeVisible({ timeout: 60_000 })
  await page.goto(`/kubernetes/clusters/${clusterId}/workloads?namespace=sample-shop`)
  for (const name of ['storefront', 'api', 'database', 'cache', 'visitors']) {
    await expect(page.getByRole('link', { name: new RegExp(`^${name} `) }).first()).toBeVisible()
  }
  await page.goto(`/kubernetes/clusters/${clusterId}`)
  await page.getByRole('button', { name: 'Remove Shop' }).click()
  await expect(page.getByRole('button', { name: 'Apply Shop' })).toBeVisible({ timeout: 90_000 })
})

test('a secret’s values are never shown, and stay when others change', async ({ page }) => {
  const value = Buffer.from('hunter2').toString('base64')
  await send('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'login' },
    data: { password: value, user: value },
  })
  await page.goto(`/kubernetes/clusters/${clusterId}/objects/secrets/default/login?tab=yaml`)
  await expect(page.getByRole('textbox', { name: 'YAML of login' })).toContainText('password: (hidden)')
  await setLine(page, /user: \(hidden\)/, `user: ${Buffer.from('ada').toString('base64')}`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Changed lines' })).toContainText('user: (new value)')
  await page.getByRole('button', { name: /^Apply/ }).click()
  await expect(page.getByText('Applied to login').first()).toBeVisible()
  const { data } = await send('GET', '/api/v1/namespaces/default/secrets/login')
  expect(data).toEqual({ password: value, user: Buffer.from('ada').toString('base64') })
  expect(await page.content()).not.toContain(value)
})

test('a viewer reads the YAML and why it cannot be changed', async ({ page }) => {
  // The console learns its role from the API; the server refuses by the true one.
  await page.route(/\/api\//, async (route) => {
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    const body = (await response.text()).replaceAll('"role":"OWNER"', '"role":"VIEWER"')
    await route.fulfill({ response, body })
  })
  const editor = await openYaml(page)
  await expect(page.getByText('You can view this object, but not change it')).toBeVisible()
  await expect(page.getByText('Needs the role MEMBER or higher').first()).toBeVisible()
  await expect(editor).toHaveAttribute('aria-readonly', 'true')
  const before = await editor.textContent()
  await editor.click()
  await page.keyboard.type('x')
  expect(await editor.textContent()).toBe(before)
  await expect(page.getByRole('button', { name: /^Review/ })).toHaveCount(0)
})
