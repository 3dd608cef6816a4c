import type { Page } from '@playwright/test'
import { addMember } from '../packages/server/src/testing/add-member.ts'
import { createObject } from '../tools/seed-objects.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import type { BeySession } from '../tools/api-session.ts'
import { logInByApi, signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test.describe.configure({ timeout: 240_000 })

let session: BeySession
let id = 0
const workload = (name: string, replicas = 2, namespace = 'payments') =>
  createObject.workload(session, id, {
    namespace,
    name,
    replicas,
    image: `registry.example.com/${name}:1.0.0`,
    cpu: '10m',
    memory: '16Mi',
  })

test.beforeAll(async ({ bey }) => {
  test.setTimeout(240_000)
  session = await signUpByApi(bey.url, newcomer())
  id = await seedCluster(session, 'prod')
  await workload('storefront')
  await workload('mailer')
  await workload('ledger')
})

async function open(page: Page, path: string, token = session.token) {
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  await page.goto(path)
}

const at = (resource: string, namespace: string, name: string) =>
  `/kubernetes/clusters/${id}/objects/${resource}/${namespace}/${name}`
const storefront = () => at('deployments.apps', 'payments', 'storefront')

/** What the cluster itself answers, asked directly. */
async function cluster(path: string, method = 'GET', body?: object): Promise<Record<string, never>> {
  const reply = await fetch(`${session.baseUrl}/api/kubernetes/clusters/${id}/proxy${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      'x-organization-id': String(session.organizationId),
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await reply.json()) as Record<string, never>
}
const deployment = (name: string) => cluster(`/apis/apps/v1/namespaces/payments/deployments/${name}`)

test('s scales a deployment, with the kubectl line that does the same', async ({ page }) => {
  await open(page, storefront())
  await expect(page.getByRole('button', { name: 'Scale' })).toBeVisible()
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Scale storefront?' })
  const pods = dialog.getByLabel('Pods')
  await expect(pods).toBeFocused()
  await expect(pods).toHaveValue('2')
  await pods.fill('-1')
  await expect(dialog.getByText('Enter a whole number from 0 to 10000.')).toBeVisible()
  await pods.fill('3')
  await expect(dialog.getByRole('region', { name: 'The same with kubectl' })).toHaveText(
    'kubectl --context bey-prod -n payments scale deployment/storefront --replicas=3',
  )
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect.poll(async () => (await deployment('storefront'))['spec']).toMatchObject({ replicas: 3 })
  await expect(page.getByRole('row', { name: /storefront-/ }).nth(2)).toBeVisible()
})

test('where an autoscaler owns the pods, its minimum is offered instead', async ({ page }) => {
  await cluster('/apis/autoscaling/v2/namespaces/payments/horizontalpodautoscalers', 'POST', {
    metadata: { name: 'ledger' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'ledger' },
      minReplicas: 2,
      maxReplicas: 6,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
        },
      ],
    },
  })
  await open(page, at('deployments.apps', 'payments', 'ledger'))
  await page.getByRole('button', { name: 'Scale' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('keeps between 2 and 6 pods and would undo another number')
  await dialog.getByLabel('Minimum pods').fill('3')
  await dialog.getByRole('button', { name: 'Scale' }).click()
  await expect(dialog).toBeHidden()
  const hpa = '/apis/autoscaling/v2/namespaces/payments/horizontalpodautoscalers/ledger'
  await expect.poll(async () => (await cluster(hpa))['spec']).toMatchObject({ minReplicas: 3 })
})

test('an image is set, and rolled back after looking at what changes', async ({ page }) => {
  await open(page, storefront())
  await page.getByRole('button', { name: 'More actions for storefront' }).click()
  await page.getByRole('menuitem', { name: 'Set image' }).click()
  await page.getByLabel('Image of storefront').fill('registry.example.com/storefront:2.0.0')
  await page.getByRole('dialog').getByRole('button', { name: 'Set image' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect
    .poll(async () => JSON.stringify((await deployment('storefront'))['spec']))
    .toContain('storefront:2.0.0')

  const dialog = page.getByRole('dialog', { name: 'Roll storefront back?' })
  const diff = dialog.getByRole('region', { name: 'What changes from revision 2 to 1' })
  // Until the page has heard of the new revision, the dialog takes the one before for the current one.
  await expect(async () => {
    if (await dialog.isVisible()) await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Roll back', exact: true }).click()
    await expect(diff).toContainText('- image: registry.example.com/storefront:2.0.0', { timeout: 3_000 })
  }).toPass()
  await expect(diff).toContainText('+ image: registry.example.com/storefront:1.0.0')
  await expect(dialog.getByRole('region', { name: 'The same with kubectl' })).toHaveText(
    'kubectl --context bey-prod -n payments rollout undo deployment/storefront --to-revision=1',
  )
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Roll back to 1.0.0' }).click()
  await expect(dialog).toBeHidden()
  await expect
    .poll(async () => JSON.stringify((await deployment('storefront'))['spec']))
    .toContain('storefront:1.0.0')
})

test('labels are edited by their keys, and a key that Kubernetes refuses is not sent', async ({ page }) => {
  await open(page, storefront())
  await page.getByRole('button', { name: 'More actions for storefront' }).click()
  await page.getByRole('menuitem', { name: 'Edit labels' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add label' }).click()
  await dialog.getByLabel('Key of label 2').fill('bad key')
  await expect(dialog.getByText(/The name must have at most 63 letters/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByLabel('Key of label 2').fill('team')
  await dialog.getByLabel('Value of label team').fill('shop')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('team', { exact: true })).toBeVisible()
})

test('several rows are acted on at once, each with its own outcome', async ({ page }) => {
  await cluster('/apis/apps/v1/namespaces/payments/deployments/mailer', 'PATCH', { spec: { paused: true } })
  await open(page, `/kubernetes/clusters/${id}/workloads?namespace=payments`)
  for (const name of ['storefront', 'ledger', 'mailer'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('3 rows selected')
  expect(await axeFindings(page)).toEqual([])
  await bar.getByRole('button', { name: 'Restart' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restart 3 objects' }).click()
  await expect(page.getByRole('row', { name: /storefront/ })).toContainText('Restart begun')
  await expect(page.getByRole('row', { name: /ledger/ })).toContainText('Restart begun')
  await expect(page.getByRole('row', { name: /mailer/ })).toContainText('Its rollout is paused')
  await expect(bar).toContainText('2 done, 1 left as it is: mailer: Its rollout is paused')
  await bar.getByRole('button', { name: 'Clear the selection' }).click()
  await expect(bar).toBeHidden()
})

test('a node is drained as a run, whose page tells each pod', async ({ page }) => {
  const { nodes } = await session.client.call('kubernetes.nodes', { params: { id } })
  const worker = nodes.find(({ roles }) => !roles.includes('control-plane'))?.name ?? ''
  await open(page, at('nodes', '-', worker))
  await page.getByRole('button', { name: 'Drain' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Also evict pods that nothing starts again').check()
  await dialog.getByLabel('Also evict pods with emptyDir volumes').check()
  await expect(dialog.getByRole('region', { name: 'The same with kubectl' })).toHaveText(
    `kubectl --context bey-prod drain ${worker} --ignore-daemonsets --delete-emptydir-data --force --timeout=600s`,
  )
  await dialog.getByRole('button', { name: 'Drain' }).click()
  await page.waitForURL(/\/workflows\/.*\/runs\//)
  await page.getByRole('navigation', { name: 'Parts of the run' }).getByRole('link', { name: 'Log' }).click()
  await expect(page.getByText(`Cordoned: ${worker} takes no new pods.`)).toBeVisible()
  await expect(page.getByText(/All \d+ have ended|There was nothing to wait for/)).toBeVisible({
    timeout: 60_000,
  })
  await page.goto(at('nodes', '-', worker))
  await page.getByRole('button', { name: 'Uncordon' }).click()
  await expect(page.getByRole('button', { name: 'Cordon', exact: true })).toBeVisible()
})

test('jobs, schedules, rollouts, pods and claims obey from their pages', async ({ page }) => {
  const batch = '/apis/batch/v1/namespaces/payments'
  const core = '/api/v1/namespaces/payments'
  const pod = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox', command: ['true'] }] }
  await cluster(`${batch}/cronjobs`, 'POST', {
    metadata: { name: 'report' },
    spec: { schedule: '0 4 * * *', jobTemplate: { spec: { template: { spec: pod } } } },
  })
  await cluster(`${core}/persistentvolumeclaims`, 'POST', {
    metadata: { name: 'orders' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  // Its class makes a volume for the first pod that mounts it.
  await cluster(`${core}/pods`, 'POST', {
    metadata: { name: 'store' },
    spec: {
      containers: [
        { name: 'main', image: 'postgres:17', volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'orders' } }],
    },
  })
  const submit = async (action: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: action, exact: true }).click()
    await expect(dialog).toBeHidden()
  }
  const choose = async (name: string, action: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  await test.step('a cron job runs now, is suspended and resumed', async () => {
    await open(page, at('cronjobs.batch', 'payments', 'report'))
    await page.getByRole('button', { name: 'Run now' }).click()
    await expect(
      page.getByRole('dialog').getByRole('region', { name: 'The same with kubectl' }),
    ).toContainText('create job report-')
    await submit('Run now')
    await expect(page.getByRole('link', { name: /^report-/ }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await expect
      .poll(async () => (await cluster(`${batch}/cronjobs/report`))['spec'])
      .toMatchObject({ suspend: true })
    await page.getByRole('button', { name: 'Resume schedule' }).click()
    await expect
      .poll(async () => (await cluster(`${batch}/cronjobs/report`))['spec'])
      .toMatchObject({ suspend: false })
  })

  await test.step('a job runs again under another name', async () => {
    await page
      .getByRole('table', { name: 'Owned objects' })
      .getByRole('link', { name: /^report-/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('dialog').getByLabel('Name of the job').fill('report-again')
    await submit('Run again')
    await expect
      .poll(async () => (await cluster(`${batch}/jobs/report-again`))['status'], { timeout: 30_000 })
      .toMatchObject({ succeeded: 1 })
  })

  await test.step('a rollout is paused and resumed', async () => {
    await page.goto(storefront())
    await choose('storefront', 'Pause rollout')
    await expect.poll(async () => (await deployment('storefront'))['spec']).toMatchObject({ paused: true })
    await choose('storefront', 'Resume rollout')
    await expect
      .poll(async () => (await deployment('storefront'))['spec'])
      .not.toMatchObject({ paused: true })
  })

  await test.step('a pod takes a debug container, whose terminal opens, and is evicted', async () => {
    await page
      .getByRole('link', { name: /^storefront-\w+-\w+$/ })
      .first()
      .click()
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await choose(name, 'Debug')
    await page.getByRole('dialog').getByLabel('Name of the debug container').fill('look')
    await submit('Debug')
    await expect(page).toHaveURL(/tab=terminal&container=look/)
    await expect(page.getByText(/Connected to (bash|sh)\./)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Evict' }).click()
    await expect(page.getByRole('dialog')).toContainText(
      'starts another pod. Its disruption budget is respected.',
    )
    await submit('Evict')
    await expect(page.getByText('This Pod was deleted')).toBeVisible({ timeout: 60_000 })
  })

  await test.step('a claim grows where its class allows it', async () => {
    await page.goto(at('persistentvolumeclaims', 'payments', 'orders'))
    await expect(page.getByRole('button', { name: 'Expand' })).not.toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: 'Expand' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Size').fill('512Mi')
    await expect(dialog.getByText('Enter more than 1Gi.')).toBeVisible()
    await dialog.getByLabel('Size').fill('2Gi')
    await submit('Expand')
    await expect
      .poll(async () => (await cluster(`${core}/persistentvolumeclaims/orders`))['status'], {
        timeout: 30_000,
      })
      .toMatchObject({ capacity: { storage: '2Gi' } })
  })
})

test('a deletion lists what goes with it, and what is gone already is shown as gone', async ({ page }) => {
  await workload('short-lived', 1)
  await open(page, at('deployments.apps', 'payments', 'short-lived'))
  await expect(page.getByRole('row', { name: /short-lived-/ }).first()).toBeVisible()
  await page.getByRole('button', { name: 'More actions for short-lived' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this Deployment?' })
  await expect(dialog.getByRole('listitem').filter({ hasText: /ReplicaSet short-lived-/ })).toBeVisible()
  await cluster('/apis/apps/v1/namespaces/payments/deployments/short-lived', 'DELETE')
  await dialog.getByRole('button', { name: 'Delete Deployment' }).click()
  await expect(page.getByText('short-lived: it is already deleted')).toBeVisible()

  await page.goto(at('namespaces', '-', 'payments'))
  await page.getByRole('button', { name: 'More actions for payments' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Everything in the namespace')
  await expect(question).toContainText(/[1-9]\d* workloads/)
  await expect(question.getByRole('button', { name: 'Delete Namespace' })).toBeDisabled()
  await question.getByLabel(/Type payments to confirm/).fill('payments')
  await expect(question.getByRole('button', { name: 'Delete Namespace' })).toBeEnabled()
})

test('on a phone the actions are at the thumb', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, storefront())
  const bar = page.getByRole('navigation', { name: 'Actions for storefront' })
  await expect(bar).toBeVisible()
  const box = await bar.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
  await bar.getByRole('button', { name: 'More actions for storefront' }).click()
  await expect(page.getByRole('menuitem', { name: 'Roll back' })).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await axeFindings(page)).toEqual([])
  await bar.getByRole('button', { name: 'Restart' }).click()
  await expect(page.getByText('storefront: restart begun')).toBeVisible()
})

test('the palette offers what the page can do', async ({ page }) => {
  await open(page, storefront())
  await expect(page.getByRole('button', { name: 'Scale' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('scale storefront')
  await page
    .getByRole('option', { name: /Scale storefront/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Scale storefront?' })).toBeVisible()
})

test('a viewer reads why each action is not theirs', async ({ page, bey }) => {
  const person = newcomer('Elsewhere')
  await signUpByApi(bey.url, person)
  await addMember(bey.dataDir, { ...person, organizationId: session.organizationId, role: 'VIEWER' })
  const viewer = await logInByApi(bey.url, person)
  await open(page, storefront(), viewer.token)
  const scale = page.getByRole('button', { name: 'Scale' })
  await expect(scale).toHaveAttribute('aria-disabled', 'true')
  await expect(scale).toHaveAccessibleDescription(/Needs the role MEMBER or higher; yours is VIEWER/)
  await page.keyboard.press('s')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Scale is not possible')).toBeVisible()
})
