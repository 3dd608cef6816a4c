import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, newcomer, signUpByForm, test } from './bey.ts'
import { clusterUser } from './cluster-user.ts'

// In the browser of most people things move; the other tests are of pages that keep still.
test.use({ reducedMotion: 'no-preference' })

test('a stranger signs up, creates a cluster, watches it come, uses it from outside and deletes it, live', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUpByForm(page, newcomer())

  await page.getByRole('link', { name: 'Create cluster' }).first().click()
  await page.getByLabel('Title').fill('prod-eu-1')
  await page.getByRole('button', { name: 'Create cluster' }).click()

  await test.step('the page follows the provisioning without a reload, with named steps and their logs', async () => {
    await expect(page).toHaveURL(/\/kubernetes\/clusters\/\d+/)
    // At once: on a quick machine the steps make room for the figures a second later.
    await expect(page.locator('main')).toContainText(
      /creating[^]*Allocate machines[^]*Start control plane[^]*Join nodes[^]*Install add-ons[^]*Verify/,
    )
    await expect(page.getByText('running').first()).toBeVisible({ timeout: 30_000 })
  })
  const address = page.url()

  await test.step('the opened cluster shows real nodes, namespaces and pods', async () => {
    await page.getByRole('link', { name: 'Nodes', exact: true }).click()
    await expect(page.getByRole('row', { name: /prod-eu-1/ }).first()).toBeVisible()
    await page.getByRole('link', { name: 'Pods', exact: true }).click()
    await expect(page.getByRole('row', { name: /coredns/ }).first()).toBeVisible()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await expect(page.getByText('kube-system').first()).toBeVisible()
  })

  const second = await browser.newContext({ baseURL })
  await test.step('a second browser of the organization sees it', async () => {
    const token = await page.evaluate(() => localStorage.getItem('bey-token'))
    await second.addInitScript((value) => localStorage.setItem('bey-token', value ?? ''), token)
    const other = await second.newPage()
    await other.goto('/kubernetes/clusters')
    await expect(other.getByRole('row', { name: /prod-eu-1.*running/ })).toBeVisible()
  })

  await test.step('the downloaded kubeconfig reads and scales it, and the open page follows within a second', async () => {
    await page
      .getByRole('navigation', { name: 'Parts of the cluster' })
      .getByRole('link', { name: 'Settings' })
      .click()
    await page.getByRole('link', { name: 'Access', exact: true }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download kubeconfig' }).last().click()
    const download = await downloading
    const kubeconfig = join(mkdtempSync(join(tmpdir(), 'bey-e2e-')), 'config')
    await download.saveAs(kubeconfig)
    const user = clusterUser(kubeconfig)
    // `npm test` prints it beside its sum, so that a machine without kubectl is seen.
    test.info().annotations.push({ type: 'note', description: `The cluster was used with ${user.program}.` })

    expect(await user.nodes()).toMatch(/prod-eu-1.*Ready/)
    await user.createDeployment('web', 'nginx:1.29')
    await page.getByRole('link', { name: 'Workloads', exact: true }).last().click()
    const row = page.getByRole('row', { name: /web/ })
    await expect(row).toBeVisible()
    await expect(row).toContainText('1/1')
    await user.scale('web', 3)
    await expect(row).toContainText('/3')
    await expect(row).toContainText('3/3')
    writeFileSync(kubeconfig, '')
  })

  await test.step('deletion is confirmed by name, and both browsers watch it end', async () => {
    const other = second.pages()[0]
    if (!other) throw new Error('The second browser has no page.')
    await page.goto('/kubernetes/clusters')
    await page.getByRole('button', { name: /Actions for prod-eu-1/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(dialog).toContainText('Are you sure you want to delete this cluster?')
    await dialog.getByRole('textbox').fill('prod-eu-1')
    await dialog.getByRole('button', { name: 'Delete cluster' }).click()
    await expect(page.getByRole('row', { name: /prod-eu-1/ })).toHaveCount(0, { timeout: 20_000 })
    await expect(other.getByRole('row', { name: /prod-eu-1/ })).toHaveCount(0)
  })
  await second.close()

  await test.step('its page keeps the run that deleted it: steps along time, and the log of each', async () => {
    await page.goto(address)
    await expect(page.getByText('This cluster was deleted')).toBeVisible()
    const steps = page.getByRole('region', { name: 'Steps along time' }).getByRole('button')
    const log = page.getByRole('log')
    const height = (await log.boundingBox())?.height
    await steps.first().click()
    const [name = ''] = (await steps.first().innerText()).split('\n')
    await expect(page.getByRole('heading', { name: `Log of ${name}` })).toBeVisible()
    expect((await log.boundingBox())?.height).toBe(height)
    await page.getByRole('button', { name: 'All steps' }).click()
    await expect(page.getByRole('heading', { name: 'Log', exact: true })).toBeVisible()
  })
})
