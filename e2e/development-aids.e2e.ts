import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signUpByApi } from '../tools/api-session.ts'
import { freePort } from '../tools/bey-server.ts'
import { root } from '../tools/source-files.ts'
import { expect, newcomer, test } from './bey.ts'

const email = 'developer@bey.local'
test.use({ beyEnv: { BEY_DEVELOPER_EMAIL: email } })

let vite: ChildProcess
let address = ''
let token = ''

test.beforeAll(async ({ bey }) => {
  token = (await signUpByApi(bey.url, { ...newcomer(), email })).token
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  // As `npm run dev` does, beside the server of this file.
  vite = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--strictPort',
    ],
    { cwd: join(root, 'packages/console'), env: { ...process.env, BEY_DEV_API: bey.url }, stdio: 'ignore' },
  )
  await expect(async () => expect((await fetch(address)).ok).toBe(true)).toPass({ timeout: 60_000 })
})

test.afterAll(() => void vite.kill())

test('in a development build React Scan and Click to Component are really switched on and off', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  await page.goto(`${address}/workflows`)
  const bar = page.getByRole('region', { name: 'Developer status bar' })
  const scan = page.locator('#react-scan-toolbar-root')
  await bar.getByRole('button', { name: 'React Scan: Off' }).click({ timeout: 60_000 })
  await expect(scan).toBeAttached({ timeout: 30_000 })
  await bar.getByRole('button', { name: 'React Scan: On' }).click()
  await expect(scan).toHaveCount(0)

  const opened: string[] = []
  await page.route('**/__open-in-editor?*', (route) => {
    opened.push(new URL(route.request().url()).searchParams.get('file') ?? '')
    return route.fulfill({ status: 200 })
  })
  const heading = page.getByRole('heading', { name: 'Workflows', exact: true })
  await bar.getByRole('button', { name: 'Click to Component: Off' }).click()
  await expect(async () => {
    await heading.click({ modifiers: ['Alt'] })
    expect(opened.at(-1)).toMatch(/^src\/ui\/page-header\.tsx:\d+:\d+$/)
  }).toPass()
  await bar.getByRole('button', { name: 'Click to Component: On' }).click()
  const before = opened.length
  await heading.click({ modifiers: ['Alt'] })
  expect(opened).toHaveLength(before)
})

test('a production build holds nothing of the development aids', () => {
  const assets = join(root, 'packages/console/dist/assets')
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(10)
  const tainted = scripts.filter((name) =>
    /__REACT_SCAN|bippy/i.test(readFileSync(join(assets, name), 'utf8')),
  )
  expect(tainted).toEqual([])
})
