import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

/** A store that has one metric, which is 7 everywhere. */
async function startStore() {
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const parameters = new URLSearchParams(body)
      const { pathname } = new URL(request.url ?? '/', 'http://store')
      const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(parameters.get(name)))
      const values: [number, string][] = []
      for (let at = start ?? 0; at <= (end ?? -1); at += step || 60) values.push([at, '7'])
      const data = pathname.endsWith('/query')
        ? { resultType: 'vector', result: [] }
        : pathname.endsWith('/query_range')
          ? { resultType: 'matrix', result: [{ metric: { __name__: 'carts_open', shop: 'berlin' }, values }] }
          : pathname.endsWith('/values')
            ? ['carts_open']
            : { carts_open: [{ type: 'gauge', help: 'Carts that are not paid' }] }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ status: 'success', data }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has one.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

test('an admin names a data source, which says why it fails, and reads it in the explorer', async ({
  page,
  bey,
}) => {
  const store = await startStore()
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/analytics/metrics/sources')
  await page.getByRole('button', { name: 'Add data source' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shop')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1')
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText('127.0.0.1:1 refused the connection.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Address' }).fill(store.url)
  await dialog.getByRole('button', { name: 'Add data source' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('link', { name: 'Metrics', exact: true }).last().click()
  await expect(page.getByText('Carts that are not paid')).toBeVisible()
  await page.getByRole('button', { name: /carts_open/ }).click()
  await expect(page.getByRole('cell', { name: /berlin/ })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  store.stop()
})
