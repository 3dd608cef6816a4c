import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ClusterProvider as ClusterProviderInfo, NodeGroup } from '@bey/contract'
import { parse } from 'yaml'

import type {
  ClusterPlace,
  ClusterProvider,
  LiveCluster,
  ProviderCluster,
  ProviderStep,
} from '../features/clusters/provider.ts'
import { StepFailure } from '../platform/engine/step-failure.ts'
import type { Clock } from '../platform/clock.ts'
import { isAlive } from '../platform/liveness.ts'
import { installAddons, joinNodes, verify } from './sandbox/build-up.ts'
import { adminOf } from './sandbox/admin.ts'
import { type ChildFiles, endProcess, livingPid, readReady, startChild, whenReady } from './sandbox/child.ts'
import { directoryOf, filesOf, freePort, makeDirectory } from './sandbox/place.ts'
import { paceOf } from './sandbox/pace.ts'

const stopGraceMs = 8_000
const watchPeriodMs = 1_000
const lockAttempts = 10
const lockPauseMs = 300

export type SandboxOptions = {
  /** Absolute; each cluster gets a directory below it. */
  root: string
  /** Names the data directory of this server, to which its sandboxes belong. */
  machineId: string
  /** Divides the simulated time that machines take to boot. */
  speed: number
  clock: Clock
  /** The program that a child process runs; the sandbox package's own by default. */
  mainPath?: string
}

const mainOfPackage = () => fileURLToPath(new URL('./main.js', import.meta.resolve('@bey/sandbox')))

/** Clusters that run on this machine as a child process each, with simulated nodes. */
export function createSandboxProvider(options: SandboxOptions): ClusterProvider {
  const { root, machineId, speed, clock } = options
  const mainPath = options.mainPath ?? mainOfPackage()
  /** Processes that this one looks after, by cluster. */
  const tended = new Map<number, { pid: number; dir: string }>()
  const listeners: ((clusterId: number, reason: string) => void)[] = []
  let stopWatch: (() => void) | undefined

  function tend(clusterId: number, pid: number, dir: string): void {
    tended.set(clusterId, { pid, dir })
    // Adopted processes are not children of this one, so no event tells of their end.
    stopWatch ??= clock.setInterval(watch, watchPeriodMs)
  }

  function watch(): void {
    for (const [clusterId, { pid }] of tended) {
      if (isAlive(pid)) continue
      tended.delete(clusterId)
      for (const listener of listeners) listener(clusterId, `Its process ${pid} ended.`)
    }
  }

  /** The cluster's process where it lives; undefined when none does or it does not answer. */
  async function find(place: ClusterPlace): Promise<LiveCluster | undefined> {
    const files = filesOf(place.dir)
    const pid = await livingPid(files)
    if (pid === undefined) return undefined
    const ready = (await readReady(files, pid)) ?? (await whenReady(pid, files, clock, undefined))
    const live = await liveOf(place, ready.url, pid, ready.kubeconfigPath, machineId)
    await ask(live)
    return live
  }

  async function ask(live: LiveCluster): Promise<void> {
    const admin = adminOf(live)
    try {
      await admin.call('GET', '/sandbox/v1/status')
    } finally {
      admin.close()
    }
  }

  async function launch(cluster: ProviderCluster, place: ClusterPlace, port: number, step?: ProviderStep) {
    const files = filesOf(place.dir)
    const args = ['--dir', place.dir, '--name', cluster.title, '--region', cluster.region]
    args.push('--port', String(port), '--speed', String(speed), '--nodes', '[]')
    for (let attempt = 1; ; attempt += 1) {
      const child = await startChild(mainPath, args, files)
      const pid = child.pid ?? 0
      child.once('exit', () => clock.setTimeout(watch, 0))
      try {
        const ready = await whenReady(pid, files, clock, step?.signal)
        step?.log(`Process ${pid} started.`)
        return await liveOf(place, ready.url, pid, ready.kubeconfigPath, machineId)
      } catch (error) {
        // A server that was killed in the middle of this step had started one, which took the directory first.
        const earlier = isAlive(pid) ? undefined : await find(place).catch(() => undefined)
        if (earlier !== undefined) return earlier
        // The one before has ended, but whoever inherited it has not collected it yet.
        if (attempt >= lockAttempts || !isHeldByDead(error)) throw error
        await new Promise<void>((resolve) => clock.setTimeout(resolve, lockPauseMs))
      }
    }
  }

  async function stopProcess(files: ChildFiles): Promise<string> {
    const pid = await livingPid(files)
    if (pid === undefined) return 'No process was running.'
    const how = await endProcess(pid, stopGraceMs, clock)
    return how === 'forced'
      ? `Process ${pid} did not stop by itself and was ended.`
      : `Process ${pid} stopped.`
  }

  return {
    id: 'sandbox',
    describe: () => description,

    async allocateMachines(cluster, step) {
      const place = { machineId, dir: cluster.place?.dir ?? directoryOf(root, cluster.id), port: 0 }
      const names = cluster.nodeGroups.map((group) => `${group.count} × ${group.name} (${sizeOf(group)})`)
      step.log(`Allocating ${names.join(', ')} in ${cluster.region}.`)
      await mkdir(dirname(place.dir), { recursive: true, mode: 0o700 }).catch(() => undefined)
      const problem = await makeDirectory(place.dir)
      if (problem !== undefined) throw new StepFailure(`The machines have no disk: ${problem}`)
      step.log(`State is kept in ${place.dir}.`)
      await paceOf(cluster.id, speed).wait('allocate', step)
      place.port = await freePort(cluster.place?.port)
      step.log(`The control plane will listen on 127.0.0.1:${place.port}.`)
      return place
    },

    async startControlPlane(cluster, place, step) {
      const found = await find(place).catch(() => undefined)
      if (found !== undefined) {
        step.log(`The control plane runs already as process ${found.pid}.`)
        tend(cluster.id, found.pid, place.dir)
        return found
      }
      await stopProcess(filesOf(place.dir))
      await paceOf(cluster.id, speed).wait('start', step)
      try {
        const live = await launch(cluster, place, place.port, step)
        tend(cluster.id, live.pid, place.dir)
        step.log(`The control plane of "${cluster.title}" answers at ${live.url} (process ${live.pid}).`)
        return live
      } catch (error) {
        step.signal.throwIfAborted()
        const words = error instanceof Error ? error.message : String(error)
        throw new StepFailure(`The control plane did not start: ${words}`, { cause: error })
      }
    },

    joinNodes: (cluster, live, step) => joinNodes(cluster, live, step, paceOf(cluster.id, speed)),
    installAddons: (cluster, live, step) => installAddons(live, step, paceOf(cluster.id, speed)),
    verify,

    async stopControlPlane(cluster, step) {
      if (cluster.place === null || !this.isHere(cluster.place)) {
        step.log('There is no control plane on this machine.')
        return
      }
      tended.delete(cluster.id)
      step.log(await stopProcess(filesOf(cluster.place.dir)))
    },

    async removeState(cluster, step) {
      if (cluster.place === null) {
        step.log('Nothing was kept.')
        return
      }
      const { dir } = cluster.place
      const { out, err, pid } = filesOf(dir)
      const hadState = existsSync(dir)
      await Promise.all([dir, out, err, pid].map((path) => rm(path, { recursive: true, force: true })))
      step.log(hadState ? `Removed ${dir}.` : `${dir} was gone already.`)
    },

    async keepRunning(cluster) {
      const { place } = cluster
      if (place === null) throw new Error('The cluster has no machine.')
      if (!existsSync(place.dir)) throw new Error(`Its directory ${place.dir} is gone.`)
      const files = filesOf(place.dir)
      const found = await find(place).catch(() => undefined)
      if (found === undefined) await stopProcess(files)
      const live = found ?? (await launch(cluster, place, await freePort(place.port)))
      tend(cluster.id, live.pid, place.dir)
      return live
    },

    isHere: (place) => place.machineId === machineId || existsSync(place.dir),
    onExit: (callback) => listeners.push(callback),

    async stopAll() {
      stopWatch?.()
      const pids = [...tended.values()].map(({ pid }) => pid)
      tended.clear()
      await Promise.all(pids.map((pid) => endProcess(pid, stopGraceMs, clock)))
    },
  }
}

/** Whether a start failed on the lock of a process that is gone. */
function isHeldByDead(error: unknown): boolean {
  const holder = error instanceof Error ? /in use by process (\d+)/.exec(error.message)?.[1] : undefined
  return holder !== undefined && !isAlive(Number(holder))
}

/** Reads address and token from the kubeconfig that the sandbox wrote for its administrator. */
async function liveOf(
  place: ClusterPlace,
  url: string,
  pid: number,
  kubeconfigPath: string,
  machineId: string,
): Promise<LiveCluster> {
  const config = parse(await readFile(kubeconfigPath, 'utf8')) as Kubeconfig
  const ca = config.clusters?.[0]?.cluster?.['certificate-authority-data']
  const token = config.users?.[0]?.user?.token
  if (ca === undefined || token === undefined) throw new Error('The kubeconfig of the sandbox is incomplete')
  const caPem = Buffer.from(ca, 'base64').toString('utf8')
  return { url, caPem, token, pid, machineId, dir: place.dir, port: Number(new URL(url).port) }
}

type Kubeconfig = {
  clusters?: { cluster?: { 'certificate-authority-data'?: string } }[]
  users?: { user?: { token?: string } }[]
}

function sizeOf(group: NodeGroup): string {
  return `${group.cpuCores} CPU, ${group.memoryBytes / 1024 ** 3} GiB`
}

const gibibyte = 1024 ** 3

const description: ClusterProviderInfo = {
  id: 'sandbox',
  label: 'Sandbox',
  description:
    'A real Kubernetes API on this machine with simulated nodes. Free, ready in seconds, and gone without a trace.',
  regions: ['local', 'eu-central', 'us-east', 'ap-southeast'],
  versions: ['v1.33.4-sandbox'],
  defaultNodeGroups: [
    { name: 'control-plane', count: 1, cpuCores: 2, memoryBytes: 4 * gibibyte },
    { name: 'workers', count: 2, cpuCores: 4, memoryBytes: 16 * gibibyte },
  ],
  maxNodes: 300,
}
