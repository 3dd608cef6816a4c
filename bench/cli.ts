import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../tools/source-files.ts'
import { report } from './figure.ts'
import { endedChildrenCpuMs, median } from './process-figures.ts'
import { withBrowser } from './with-browser.ts'

const rounds = 15

/** How long the command line takes to its first byte and to a list, how much of it is work, and how large it is. */
export async function run(): Promise<void> {
  const file = join(root, 'packages/console/dist/cli/bey.mjs')
  const packed = gzipSync(readFileSync(file)).length
  report({ name: 'bey, packed', value: packed / 1_000_000, unit: 'MB', goal: 3 })
  await withBrowser(async ({ bey, session }) => {
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
    started('bey clusters list', await start([file, 'clusters', 'list'], env), 250)
  })
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
