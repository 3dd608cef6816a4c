import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'
import { outsideCluster } from './outside-cluster.ts'

test.describe.configure({ timeout: 240_000 })

let outside: Awaited<ReturnType<typeof outsideCluster>>

test.beforeAll(async () => {
  outside = await outsideCluster()
})
test.afterAll(() => outside.remove())

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`contexts are tested on drop, what works is imported, tested again and disconnected, at ${width} px`, async ({
    page,
    bey,
  }) => {
    const session = await signUpByApi(bey.url, newcomer())
    await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
    await page.setViewportSize({ width, height })
    await page.goto('/kubernetes/clusters')
    await page.getByRole('link', { name: 'Import clusters' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import clusters')
    expect(await axeFindings(page)).toEqual([])

    await page.getByRole('button', { name: 'Paste instead' }).click()
    await page.getByLabel('Kubeconfig', { exact: true }).last().fill('apiVersion: v1\n\tkind: Config')
    await page.getByRole('button', { name: 'Read and test' }).click()
    await expect(page.getByText(/Line 2: .*tab/)).toBeVisible()
    await page.getByRole('button', { name: 'Use a file instead' }).click()

    const file = {
      name: 'work.kubeconfig',
      mimeType: 'application/yaml',
      buffer: Buffer.from(outside.kubeconfig),
    }
    await page.getByLabel('Choose a file: kubeconfig').setInputFiles(file)
    await expect(page.getByText('3 of 5 contexts can be imported.')).toBeVisible()
    await expect(page.getByText('1 fails its test, 1 cannot work from a server.')).toBeVisible()

    const contexts = page.getByRole('list', { name: 'Contexts' }).locator('> li')
    await expect(contexts.first()).toContainText('prod-us-2')
    await expect(contexts.first()).toContainText('The server’s certificate is for another name.')
    await expect(page.getByRole('checkbox', { name: 'Import prod-us-2' })).toBeDisabled()
    await expect(page.getByRole('checkbox', { name: 'Import data-eu' })).toBeDisabled()
    await expect(page.getByRole('checkbox', { name: 'Import edge-ber-1' })).not.toBeChecked()
    await expect(page.getByRole('checkbox', { name: 'Import prod-ap-1' })).toBeChecked()
    expect(await axeFindings(page)).toEqual([])
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/import-list-${width}.png`, fullPage: true })

    await page.getByRole('button', { name: 'Open data-eu' }).click()
    await expect(page.getByRole('region', { name: 'Commands' })).toContainText('create serviceaccount bey')
    await page.getByRole('button', { name: 'Open prod-ap-1' }).click()
    await page.getByLabel('Title').fill('partner-shop')
    await expect(page.getByText('Another of these clusters has this title.').first()).toBeVisible()
    await page.getByLabel('Title').first().fill(`prod-${width}`)
    await page.getByRole('checkbox', { name: 'Import edge-ber-1' }).check()
    await page.getByRole('checkbox', { name: 'Import partner / shop' }).uncheck()
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/import-open-${width}.png`, fullPage: true })
    await page.keyboard.press('ControlOrMeta+Enter')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clusters')
    const row = page.getByRole('row', { name: new RegExp(`prod-${width}`) })
    await expect(row).toContainText(/healthy|running|degraded|starting/i, { timeout: 30_000 })
    await page.getByRole('link', { name: 'edge-ber-1' }).click()
    await page.getByRole('link', { name: 'Connection' }).click()
    await expect(page.getByText('The certificate of this cluster is not checked')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/import-tab-${width}.png`, fullPage: true })
    await page.getByRole('button', { name: 'Test again' }).click()
    await expect(page.getByRole('list', { name: 'Checks' })).toContainText('not checked')

    await page.getByRole('button', { name: 'Actions for edge-ber-1' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to disconnect this cluster?' })
    await expect(dialog).toContainText('Nothing is changed in the cluster.')
    await dialog.getByLabel(/Type edge-ber-1/).fill('edge-ber-1')
    await dialog.getByRole('button', { name: 'Disconnect cluster' }).click()
    await expect(
      page.getByText('The credentials were deleted. Nothing was changed in the cluster'),
    ).toBeVisible({
      timeout: 30_000,
    })
    expect(await outside.answers()).toBe(true)
  })
}
