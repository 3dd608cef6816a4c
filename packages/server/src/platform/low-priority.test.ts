import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { expect, test } from 'vitest'

const module = new URL('./low-priority.ts', import.meta.url).href
/** Prints the priority of each thread, and that of the session. */
const program = `
  import { existsSync, readdirSync, readFileSync } from 'node:fs'
  import { Worker } from 'node:worker_threads'
  import { lowerProcess } from '${module}'
  lowerProcess()
  const later = new Worker('setInterval(() => {}, 1000)', { eval: true })
  later.on('online', () => {
    const niceOf = (thread) => {
      const stat = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    }
    const group = existsSync('/proc/self/autogroup') ? readFileSync('/proc/self/autogroup', 'utf8') : ''
    console.log(JSON.stringify({ threads: readdirSync('/proc/self/task').map(niceOf), group }))
    process.exit(0)
  })`

async function priorities(detached: boolean) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
    {
      detached,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  await once(child, 'close')
  return JSON.parse(out) as { threads: number[]; group: string }
}

test.runIf(platform() === 'linux')(
  'every thread of a process gives way, and so does its session where that is its own',
  async () => {
    const own = await priorities(true)
    expect(own.threads.length).toBeGreaterThan(4)
    expect(new Set(own.threads)).toEqual(new Set([10]))
    const shared = await priorities(false)
    expect(new Set(shared.threads)).toEqual(new Set([10]))
    if (!existsSync('/proc/self/autogroup')) return
    expect(own.group).toMatch(/ nice 10\n$/)
    expect(shared.group).not.toMatch(/ nice 10\n$/)
  },
)
