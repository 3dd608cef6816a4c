// Plain JavaScript: runs on whatever Node the machine has, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installProblem } from './install-problem.mjs'
import { beginStep } from './progress.mjs'
import { withAddresses, withLock } from './registry-addresses.mjs'

export const root = resolve(fileURLToPath(import.meta.url), '../..')
const pinnedNode = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
const installStamp = join(root, 'node_modules/.bey-install')

/**
 * Installs what the lock file names, unless that very lock file is installed already: all of it, or without `withTests`
 * what the product is built and run with, which is less than half. True where it had to. Throws with a sentence that says what
 * to mend.
 */
export async function ensureInstalled({ withTests: needsTests = true } = {}) {
  // Who has tested here before does not lose the packages of the tests by a start after the lock file changed.
  const withTests = needsTests || existsSync(join(root, 'node_modules/vitest'))
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const lockHash = createHash('sha256').update(lockText).digest('hex')
  const productOnly = `${lockHash} product`
  const installed = existsSync(installStamp) ? readFileSync(installStamp, 'utf8') : ''
  if (installed === lockHash || (!withTests && installed === productOnly)) return false
  requireSpace(withTests ? 1_500 : 800)
  const lock = JSON.parse(lockText)
  const paths = packagesToInstall(lock, { withTests })
  const countInstalled = () => paths.filter((path) => existsSync(join(root, path, 'package.json'))).length
  const step = beginStep(
    `Installing ${paths.length} packages`,
    () => `${countInstalled()} of ${paths.length}`,
  )
  const { code, output } = await installAll(lock, { withTests })
  if (code !== 0) {
    step.fail()
    console.error(output.trim())
    throw new Error(
      `npm ci failed. ${installProblem(output) ?? 'Its message is above.'} Then run the same command again.`,
    )
  }
  writeFileSync(installStamp, withTests ? lockHash : productOnly)
  step.end()
  return true
}

/** A full disk is found by npm only after it has tried to unpack everything. */
function requireSpace(neededMb) {
  const { bavail, bsize } = statfsSync(root)
  const freeMb = Math.floor((bavail * bsize) / 1_000_000)
  if (freeMb >= neededMb) return
  throw new Error(
    `The packages need ${neededMb} MB, and the disk of this folder has ${freeMb} MB left. Free some, or move this folder to a larger disk.`,
  )
}

async function installAll(lock, { withTests }) {
  // Said in full: NODE_ENV=production alone would make npm leave out what the tests need.
  const scope = withTests ? '--include=dev' : '--omit=dev'
  const install = () => npm(['ci', scope, '--loglevel=error', '--no-fund', '--no-audit', '--no-progress'])
  const { code, output: registry } = await npm(['config', 'get', 'registry'])
  if (code !== 0) return install()
  const installed = await withLock(root, withAddresses(lock, registry.trim()), install)
  // Few registries keep packages at addresses of their own. They list them.
  return installed.code !== 0 && /\bE40\d\b/.test(installed.output) ? install() : installed
}

/** Runs the npm that runs this, or else the machine's. */
function npm(args) {
  const own = process.env.npm_execpath
  const [command, ...before] = own?.endsWith('.js') ? [process.execPath, own] : ['npm']
  return run(command, [...before, ...args], { capture: true })
}

/** Folders of the packages that `npm ci` makes on this machine. */
function packagesToInstall({ packages }, { withTests }) {
  const fits = (only, own) => only === undefined || only.includes(own)
  return Object.entries(packages)
    .filter(([path, { link, dev, os, cpu }]) => {
      const isWanted = path.includes('node_modules/') && !link && (withTests || !dev)
      return isWanted && fits(os, process.platform) && fits(cpu, process.arch)
    })
    .map(([path]) => path)
}

/** Path of a Node 24: the pinned one, or the running one where it is recent enough. */
export function nodePath() {
  if (existsSync(pinnedNode) && spawnSync(pinnedNode, ['--version']).status === 0) return pinnedNode
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 24) return process.execPath
  throw new Error(
    `Bey needs Node 24 and this is ${process.version}. It brings its own on Linux, x64 and arm64, where npm installs optional packages. ` +
      'Install Node 24, or check that npm does not leave them out with: npm config get omit',
  )
}

/** Newest modification time, in milliseconds, of the files below some paths. */
function newestMtimeMs(paths) {
  let newest = 0
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) continue
    if (!stats.isDirectory()) newest = Math.max(newest, stats.mtimeMs)
    else {
      const children = readdirSync(path).filter(
        (name) =>
          name !== 'node_modules' && name !== 'dist' && name !== 'source-maps' && !name.includes('.test.'),
      )
      newest = Math.max(newest, newestMtimeMs(children.map((name) => join(path, name))))
    }
  }
  return newest
}

/**
 * Builds the console unless its last build is newer than all that it is made of. The start does the rest once its page is
 * there (`finishBuild`).
 */
export async function ensureBuilt({ isStart = false } = {}) {
  const step = () => beginStep('Building the console')
  await buildPart('console', 'packages/console/dist/index.html', { step, env: { BEY_BUILD_QUICK: '1' } })
  if (!isStart) await finishBuild()
}

/**
 * Builds the command line, makes its single executable, and compresses the files of the console as small as they get, once
 * for each build. What a server serves until then is whole, and what comes later it serves as it comes.
 */
export async function finishBuild() {
  // Among the files of the console, so that it comes after them.
  await buildPart('cli', 'packages/console/dist/cli/bey.mjs')
  await buildExecutable()
  await compressWell()
}

async function buildExecutable() {
  const build = JSON.parse(readFileSync(join(root, 'packages/console/dist/cli/build.json'), 'utf8'))
  if (build.executable) return
  const { code, output } = await run(nodePath(), ['packages/cli/build/executable.ts'], { capture: true })
  if (code !== 0) throw new Error(`The executable of the command line could not be built: ${output.trim()}`)
}

async function compressWell() {
  const stamp = join(root, 'node_modules/.cache/bey-compressed')
  const build = String(statSync(join(root, 'packages/console/dist/index.html')).mtimeMs)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === build) return
  const { code, output } = await run(nodePath(), ['packages/console/build/compress-well.ts'], {
    capture: true,
    // It runs beside the server, which comes first: on one thread, and below the others.
    env: { UV_THREADPOOL_SIZE: '1' },
  })
  if (code !== 0) throw new Error(`The files of the console could not be compressed: ${output.trim()}`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, build)
}

/** Says what it does by `step`, where it is given. */
async function buildPart(part, stamp, { step: begin, env = {} } = {}) {
  const sources = [
    `packages/${part}`,
    'packages/contract/src',
    'packages/client/src',
    'package-lock.json',
  ].map((path) => join(root, path))
  const builtAtMs = statSync(join(root, stamp), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (builtAtMs > newestMtimeMs(sources)) return
  const step = begin?.()
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { code, output } = await run(nodePath(), [vite, 'build', '--logLevel', 'warn'], {
    capture: true,
    cwd: join(root, 'packages', part),
    env: { ...env, NODE_ENV: 'production' },
  })
  if (code === 0) return step?.end(output)
  step?.fail()
  console.error(output.trim())
  throw new Error(
    `packages/${part} could not be built. ${installProblem(output) ?? 'The message is above.'} Then run the same command again.`,
  )
}

/** Environment in which child processes find the pinned Node and the installed commands first. */
export function toolEnvironment(extra = {}) {
  const bin = join(root, 'node_modules/.bin')
  return { ...process.env, ...extra, PATH: `${bin}:${process.env.PATH ?? ''}` }
}

/** Runs a command of `node_modules/.bin` and answers its exit code and, if captured, its output. */
export function run(command, args, { capture = false, cwd = root, env = {} } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env: toolEnvironment(env),
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => done({ code: 127, output: String(error) }))
    child.on('close', (code) => done({ code: code ?? 1, output }))
  })
}
