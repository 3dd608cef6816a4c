// `npm test`: installs what is missing, a browser included, and runs everything. Ends with the sum of all runners,
// and before it names what failed and why, for that stands far above.
// `npm test -- <path> …`: only the tests whose path contains one of these, without the checks.
// `npm run test:changed`: only the tests that depend on a file changed since `main` (or since the last commit).
// What fails is tried once more at the end of its runner, with the machine to itself: a runner alone tries none twice.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { chooseTests } from './choose-tests.mjs'
import { ensureServer } from './debian-server.mjs'
import { ensurePythonClient } from './python-client.mjs'
import { failedFilesInVitest, failedInPlaywright, notesInPlaywright } from './test-reports.mjs'
import { ensureBuilt, ensureInstalled, root, run } from './workspace.mjs'

await ensureInstalled()
const chromium = await ensureChromium()
const { check } = await import('./check.mjs')

const chosen = chooseTests(process.argv.slice(2))
const mariadb = ensureServer('mariadb')
const redis = ensureServer('redis')
// Only where its test may run: it takes a program of 20 MB.
const runsPythonClient =
  !chosen.vitest || chosen.isEverything || chosen.vitest.some((each) => each.includes('python-client'))
const pythonClient = runsPythonClient ? ensurePythonClient() : undefined
// Tests start a hundred processes with the same modules: the first leaves what it compiled to the others.
const forAll = {
  BEY_CHROMIUM: chromium,
  BEY_TEST_MARIADB: mariadb ?? '',
  BEY_TEST_REDIS: redis ?? '',
  BEY_TEST_PYTHON_CLIENT: pythonClient ?? '',
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
}
const reports = mkdtempSync(join(tmpdir(), 'bey-test-'))
const total = { passed: 0, failed: 0 }
const named = []
for (const [label, path] of Object.entries({ MariaDB: mariadb, Redis: redis })) {
  if (path === undefined)
    named.push(`not run: tests against ${label}, whose server is not here and could not be installed`)
}
// Debian's package would start a service, so it is not installed.
if (process.env.BEY_TEST_PROMETHEUS === undefined && !existsSync('/usr/bin/prometheus'))
  named.push('not run: the test against Prometheus, which is not here; BEY_TEST_PROMETHEUS names its program')
if (
  process.env.BEY_TEST_TRANSIT === undefined &&
  !['/usr/bin/bao', '/usr/bin/vault'].some((path) => existsSync(path))
)
  named.push(
    'not run: the test against OpenBao or Vault, which are not here; BEY_TEST_TRANSIT names the program of one',
  )
if (chosen.playwright) await ensureBuilt()
// One after the other: at the same time they take as long, and tests fail that have the machine to themselves otherwise.
if (chosen.isEverything) addChecks(await check({ withNewNoun: true }))
if (chosen.vitest) await finishVitest(await vitest('vitest.json', chosen.vitest))
if (chosen.playwright) await finishPlaywright(await playwright('playwright.json', chosen.playwright))

for (const line of named) console.log(line)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)

function addChecks({ passed, failed, failedChecks }) {
  named.push(...failedChecks.map((name) => `failed: ${name}`))
  total.passed += passed
  total.failed += failed
}

/** Tries once more what failed. */
async function finishVitest(first) {
  const files = failedFilesInVitest(first.report)
  const passed = (first.report?.numPassedTests ?? 0) - sumOf(files, ({ passed: count }) => count)
  if (files.length === 0) return add(first.code, passed, [])
  const second = await vitest('vitest-again.json', [...files.map(({ path }) => path), '--maxWorkers=1'])
  const failed = failedFilesInVitest(second.report).flatMap(({ failures }) => failures)
  nameSecondTries(
    files.flatMap(({ failures }) => failures),
    failed,
  )
  add(second.code, passed + (second.report?.numPassedTests ?? 0), failed)
}

async function finishPlaywright(first) {
  const failures = failedInPlaywright(first.report)
  named.push(...notesInPlaywright(first.report))
  const passed = first.report?.stats?.expected ?? 0
  if (failures.length === 0) return add(first.code, passed, [])
  const second = await playwright('playwright-again.json', ['--last-failed', '--workers=1'])
  const failed = failedInPlaywright(second.report)
  nameSecondTries(failures, failed)
  add(second.code, passed + (second.report?.stats?.expected ?? 0), failed)
}

async function vitest(name, args = []) {
  const path = join(reports, name)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  const { code } = await run('vitest', ['run', ...args, ...reporters], { env: forAll })
  return { code, report: readReport(path) }
}

async function playwright(name, args = []) {
  const path = join(reports, name)
  const env = { ...forAll, PLAYWRIGHT_JSON_OUTPUT_NAME: path }
  const options = ['--config', 'e2e/playwright.config.ts', ...args]
  const { code } = await run('playwright', ['test', ...options], { env })
  return { code, report: readReport(path) }
}

function nameSecondTries(first, second) {
  const failedAgain = new Set(second.map(({ name }) => name))
  const mended = first.filter(({ name }) => !failedAgain.has(name))
  named.push(...mended.map((failure) => `needed a second try, a bug to mend: ${described(failure)}`))
}

function described({ name, message }) {
  return `${name}\n${message.replaceAll(/^/gm, '    ')}`
}

function sumOf(items, count) {
  return items.reduce((sum, item) => sum + count(item), 0)
}

/** A runner that failed without a failed test to show for it still counts as one failure. */
function add(code, passed, failed) {
  named.push(...failed.map((failure) => `failed: ${described(failure)}`))
  total.passed += passed
  total.failed += code !== 0 ? Math.max(failed.length, 1) : failed.length
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(`No report at ${path}: ${error.message}`)
    return undefined
  }
}
