import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { join, resolve } from 'node:path'
import { readGroups } from './http/admin.ts'
import { readHistory, writeHistory } from './history.ts'
import { startSandbox } from './sandbox.ts'

const goneGraceMs = 3_000

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: 'sandbox-data' },
    name: { type: 'string' },
    region: { type: 'string' },
    port: { type: 'string', default: '0' },
    speed: { type: 'string', default: '1' },
    nodes: { type: 'string' },
    'webhook-targets': { type: 'string', default: '' },
    'max-stored-mib': { type: 'string' },
    'max-objects': { type: 'string' },
    'claim-minutes': { type: 'string' },
    history: { type: 'string' },
    addons: { type: 'boolean', default: process.stdout.isTTY },
  },
})

try {
  const { dir } = values
  const isNew = !existsSync(join(dir, 'identity.json'))
  if (values.history !== undefined && isNew) {
    const history = readHistory(JSON.parse(readFileSync(values.history, 'utf8')))
    const { name, region } = values
    await writeHistory(
      { dir, ...(name === undefined ? {} : { name }), ...(region === undefined ? {} : { region }) },
      history,
    )
  }
  const sandbox = await startSandbox({
    dir,
    port: readNumber('--port', values.port, 0, 65_535),
    speed: readNumber('--speed', values.speed, 0.001, 1_000_000),
    webhookTargets: values['webhook-targets'].split(',').filter((target) => target !== ''),
    ...(values['max-stored-mib'] === undefined
      ? {}
      : {
          maxStoredBytes: readNumber('--max-stored-mib', values['max-stored-mib'], 1, 65_536) * 1024 * 1024,
        }),
    ...(values['max-objects'] === undefined
      ? {}
      : { maxObjects: readNumber('--max-objects', values['max-objects'], 100, 10_000_000) }),
    ...(values['claim-minutes'] === undefined
      ? {}
      : { claimWithinMs: readNumber('--claim-minutes', values['claim-minutes'], 0.1, 100_000) * 60_000 }),
    onAbandoned: (reason) => {
      process.stderr.write(`${reason}\n`)
      // Without its directory there is nothing to save, and no place for it.
      void Promise.race([sandbox.stop().catch(complain), setTimeout(goneGraceMs)]).then(() => process.exit(0))
    },
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values.region === undefined ? {} : { region: values.region }),
    ...(values.nodes === undefined ? {} : { nodes: readGroups(JSON.parse(values.nodes)) }),
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void sandbox.stop().then(() => process.exit(0)))
  }
  // Somebody who looks around finds what every cluster has.
  if (values.addons === true) sandbox.installAddons().catch(complain)
  // Whoever reads the line may end before this process does.
  process.stdout.on('error', () => undefined)
  const kubeconfigPath = resolve(dir, 'kubeconfig')
  if (process.stdout.isTTY) {
    process.stdout.write(
      `The sandbox listens on ${sandbox.url}.\n\n  export KUBECONFIG=${kubeconfigPath}\n  kubectl get nodes\n\n`,
    )
  } else {
    process.stdout.write(
      `${JSON.stringify({ event: 'ready', url: sandbox.url, pid: process.pid, kubeconfigPath })}\n`,
    )
  }
} catch (error) {
  complain(error)
  process.exit(1)
}

function readNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= min && value <= max) return value
  throw new Error(`${option} is "${text}". Give a number from ${min} to ${max}.`)
}

function complain(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}
