import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { signUpByApi } from '../tools/api-session.ts'
import { root } from '../tools/source-files.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

/** A cluster with CloudNativePG and the Cluster `stock`, in a process of its own. */
async function clusterWithOperator() {
  const main = join(root, 'packages/server/src/testing/cnpg-main.ts')
  const child = spawn(process.execPath, [main, 'stock'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { kubeconfig } = JSON.parse(line) as { kubeconfig: string }
  return {
    kubeconfig,
    async remove() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

let outside: Awaited<ReturnType<typeof clusterWithOperator>>
test.beforeAll(async () => {
  outside = await clusterWithOperator()
})
test.afterAll(() => outside.remove())

test('a database is made on a cluster, queried, and another one that was there is managed', async ({
  page,
  bey,
}) => {
  test.setTimeout(300_000)
  const session = await signUpByApi(bey.url, newcomer())
  const { kubeconfig } = outside
  await session.client.call('kubeconfig.import', {
    body: { kubeconfig, clusters: [{ context: 'prod-eu', title: 'prod-eu' }] },
  })
  await expect
    .poll(async () => (await session.client.call('clusters.list', {})).clusters[0]?.status, {
      timeout: 60_000,
    })
    .toBe('RUNNING')
  await enterWith(page, session.token)
  await page.goto('/databases/create?where=cnpg')
  const promise = page.getByRole('region', { name: 'Summary' })
  await expect(promise).toContainText('Nothing. No backups are made.')
  await expect(page.getByText('and none is named here yet')).toBeVisible({ timeout: 60_000 })
  expect(await axeFindings(page)).toEqual([])
  const bucket = {
    region: 'eu-central-1',
    bucket: 'backups',
    accessKeyId: 'AKIA1',
    secretAccessKey: 'canary',
  }
  for (const [name, endpoint] of [
    ['On this machine', 'http://127.0.0.1:9000'],
    ['Frankfurt', 'https://s3.example.com'],
  ] as const)
    await session.client.call('databases.backupTargets.create', { body: { ...bucket, name, endpoint } })
  await page.reload()
  const backupsTo = page.getByLabel('To', { exact: true })
  await expect(backupsTo).toHaveValue(/./)
  await expect(backupsTo.locator('option:checked')).toHaveText('Frankfurt')
  await expect(promise).toContainText('Any second of the last 7 days comes back.')
  await expect(promise).toContainText(
    'If the cluster is lost, what was written in the last 300 s may be missing.',
  )
  await page.getByLabel('Name', { exact: true }).fill('orders-eu')
  await page.getByLabel('Namespace').fill('shop')
  await backupsTo.selectOption('On this machine')
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('is at 127.0.0.1, which is another machine for each pod')).toBeVisible()
  await backupsTo.selectOption('Frankfurt')
  await page.getByText('Extensions', { exact: true }).click()
  await page.getByLabel('citext').check()
  await expect(page.getByText('Cluster orders-eu')).toBeVisible()
  await page.getByText('The same on the command line').click()
  await expect(page.getByRole('region', { name: 'Command that creates this database' })).toContainText(
    '--extensions=citext',
  )
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Show the objects' }).click()
  const shown = page.getByRole('region', { name: 'Cluster as YAML' })
  await expect(shown).toContainText('owner: orders_eu')
  await expect(shown).toContainText('destinationPath: s3://backups/cnpg/')
  await expect(shown).not.toContainText('canary')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByRole('heading', { name: 'orders-eu', level: 1 })).toBeVisible()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('2 of 2 ready')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  const firstPage = page.url()
  const partsOfFirst = page.getByRole('navigation', { name: 'Parts of the database' })
  await partsOfFirst.getByText('Backups').click()
  await expect(page.getByRole('table', { name: 'Backups' }).getByText('completed')).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByRole('region', { name: 'Schedules' })).toContainText('At 02:00')
  await page.goto(firstPage)

  const parts = page.getByRole('navigation', { name: 'Parts of the database' })
  await parts.getByText('Connect').click()
  await expect(page.getByRole('region', { name: 'Command of a port-forward' })).toContainText(
    'kubectl port-forward --namespace shop service/orders-eu-rw 5432:5432',
  )
  expect(await axeFindings(page)).toEqual([])
  await parts.getByText('SQL').click()
  const editor = page.getByRole('textbox', { name: 'SQL statement' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('select 40 + 2 as answer')
  await page.keyboard.press('ControlOrMeta+Enter')
  const result = page.getByRole('table', { name: 'Result' })
  await expect(result.getByRole('cell', { name: '42', exact: true })).toBeVisible()

  await page.goto('/databases/create?where=cnpg')
  await page.getByRole('button', { name: 'Manage stock here' }).click()
  await expect(page.getByRole('heading', { name: 'stock', level: 1 })).toBeVisible()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })

  await parts.getByText('Backups').click()
  await expect(page.getByText('This database could not be restored.')).toBeVisible()
  await page.getByRole('button', { name: 'Back up now' }).click()
  const backups = page.getByRole('table', { name: 'Backups' })
  await expect(backups.getByText('completed')).toBeVisible({ timeout: 60_000 })
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Prove it now' }).click()
  const drills = page.getByRole('table', { name: 'Restores and drills' })
  await expect(drills.getByText('passed')).toBeVisible({ timeout: 60_000 })
  await page
    .getByRole('region', { name: 'Proof by restore' })
    .getByRole('button', { name: 'Change…' })
    .click()
  await expect(page.getByRole('dialog', { name: 'Proof of stock' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await backups.getByRole('button', { name: /^Restore stock-/ }).click()
  await page.getByLabel('Name of the new database').fill('stock-again')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'stock-again', level: 1 })).toBeVisible()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
})
