import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test('a cell of the matrix leads to its way, gate by gate, and a policy closes it within seconds', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('clusters.create', {
    body: { title: 'reach', provider: 'sandbox' },
  })
  await expect
    .poll(async () => (await session.client.call('clusters.get', { params: { id } })).status, {
      timeout: 60_000,
    })
    .toBe('RUNNING')
  await enterWith(page, session.token)
  await page.goto('/networking/reachability?view=matrix')
  const cell = page.getByRole('link', { name: /^local-path-provisioner to coredns on 53: open$/ }).first()
  await expect(cell).toBeVisible({ timeout: 60_000 })
  expect(await axeFindings(page)).toEqual([])
  await cell.click()
  await expect(page.getByRole('heading', { name: /^Yes\./ })).toBeVisible()
  await expect(
    page.getByRole('list', { name: 'Gates' }).getByText('open', { exact: true }).first(),
  ).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  // With one end left empty, everything that reaches the other is listed.
  await page.getByLabel('From').fill('')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(page.getByRole('heading', { name: /reach workload:kube-system/ })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.goBack()
  await expect(page.getByRole('heading', { name: /^Yes\./ })).toBeVisible()

  // Somebody closes it with kubectl while the answer is on screen.
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'closed' },
    spec: { podSelector: {}, policyTypes: ['Ingress'] },
  }
  const made = await fetch(
    `${bey.url}/api/kubernetes/clusters/${id}/proxy/apis/networking.k8s.io/v1/namespaces/kube-system/networkpolicies`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${session.token}`,
        'x-organization-id': String(session.organizationId),
        'content-type': 'application/json',
      },
      body: JSON.stringify(policy),
    },
  )
  expect(made.status).toBe(201)
  await expect(page.getByRole('heading', { name: /^No\. / })).toBeVisible({ timeout: 60_000 })
  await expect(
    page
      .getByText('closed hold', { exact: false })
      .or(page.getByText(/kube-system\/closed/))
      .first(),
  ).toBeVisible()
  await expect(page.getByRole('heading', { name: 'What to do' })).toBeVisible()
})
