import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { kubectlPath } from '../e2e/kubectl.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { root } from '../tools/source-files.ts'
import { startFlood } from './flood.ts'
import { report } from './figure.ts'
import { endedChildrenCpuMs, median } from './process-figures.ts'
import { type BrowserGround, withBrowser } from './with-browser.ts'

const rounds = 15

/** How long the command line takes to its first byte and to a list, how much of it is work, and how large it is. */
export async function run(): Promise<void> {
  const file = join(root, 'packages/console/dist/cli/bey.mjs')
  const packed = gzipSync(readFileSync(file)).length
  report({ name: 'bey, packed', value: packed / 1_000_000, unit: 'MB', goal: 3 })
  await withBrowser(async (ground) => {
    const { bey, session } = ground
    const env = {
      BEY_URL: bey.url,
      BEY_TOKEN: session.token,
      BEY_ORGANIZATION: String(session.organizationId),
    }
    const bare = await start(['-e', '0'], env)
    const started = (name: string, { firstByteMs, cpuMs }: Start, goal: number) => {
      const detail = `Node itself ${bare.endMs.toFixed(0)} ms, of which ${bare.cpuMs.toFixed(0)} CPU`
      report({ name, value: firstByteMs, unit: 'ms', goal, detail })
      report({ name: `${name}, CPU`, value: cpuMs, unit: 'ms' })
      report({ name: `${name}, CPU beside that of Node itself`, value: cpuMs / bare.cpuMs, unit: '×' })
    }
    started('bey --help', await start([file, '--help'], env), 120)
    const executable = join(root, `packages/console/dist/cli/bey-${process.platform}-${process.arch}`)
    if (existsSync(executable))
      started('bey --help, single executable', await start(['--help'], env, executable), 200)
    await compareLogs({ ...ground, file, env })
    started('bey clusters list', await start([file, 'clusters', 'list'], env), 250)
  })
}

const floodMs = 10_000

/** Lines that `bey logs -f` and `kubectl logs -f` print of one pod at the same time, where there is a kubectl. */
async function compareLogs({
  bey,
  session,
  file,
  env,
}: BrowserGround & { file: string; env: Record<string, string> }) {
  const kubectl = kubectlPath()
  if (kubectl === undefined)
    return console.log('bey logs -f: not measured, for there is no kubectl of 1.30 or newer')
  const clusterId = await seedCluster(session, 'logs')
  await startFlood(bey, session, clusterId)
  const dir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const kubeconfig = join(dir, 'kubeconfig')
  writeFileSync(kubeconfig, await session.client.call('clusters.kubeconfig', { params: { id: clusterId } }))
  const follow = ['logs', '-f', '--tail', '0']
  const [ours, theirs] = await Promise.all([
    linesOf(process.execPath, [file, ...follow, '--cluster', 'logs', 'pod/flood'], env),
    linesOf(kubectl, [...follow, 'flood', '--kubeconfig', kubeconfig], env),
  ])
  rmSync(dir, { recursive: true })
  // Each line of ours begins with its pod and container.
  const share = ours.lines / theirs.lines
  const detail = `${ours.perSecond} and ${theirs.perSecond} lines a second`
  report({
    name: 'bey logs -f, of the lines of kubectl logs -f',
    value: share,
    unit: '×',
    goal: 0.8,
    isAtLeast: true,
    detail,
  })
}

/** Lines that a program prints from its first on. */
async function linesOf(command: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let lines = 0
  child.stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) lines += 1
  })
  await once(child.stdout, 'data')
  lines = 0
  await wait(floodMs)
  const counted = lines
  child.kill('SIGINT')
  await once(child, 'close')
  return { lines: counted, perSecond: Math.round(counted / (floodMs / 1000)) }
}

type Start = { firstByteMs: number; endMs: number; cpuMs: number }

/** Medians of a few starts, and the mean of their CPU time, whose clock ticks every 10 ms. */
async function start(
  args: readonly string[],
  env: Record<string, string>,
  command = process.execPath,
): Promise<Start> {
  const firstBytes: number[] = []
  const ends: number[] = []
  const cpuBefore = endedChildrenCpuMs()
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.once('data', () => firstBytes.push(performance.now() - startedAt))
    await once(child, 'close')
    ends.push(performance.now() - startedAt)
  }
  const cpuMs = (endedChildrenCpuMs() - cpuBefore) / rounds
  return { firstByteMs: firstBytes.length > 0 ? median(firstBytes) : 0, endMs: median(ends), cpuMs }
}
