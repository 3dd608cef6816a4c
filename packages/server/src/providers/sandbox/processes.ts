import { readFile } from 'node:fs/promises'

import { parse } from 'yaml'

import type { ClusterPlacement, LiveCluster, ProviderCluster } from '../../features/clusters/provider.ts'
import type { Clock } from '../../platform/clock.ts'
import { isAlive } from '../../platform/liveness.ts'
import { adminOf } from './admin.ts'
import type { SandboxLimits } from './budget.ts'
import { type ChildFiles, endProcess, lastOutput, runningPid, readReady, whenReady } from './child.ts'
import { describeEnding, type Ending, keepEnding } from './endings.ts'
import { filesOf } from './directory-and-port.ts'
import { createStarter } from './start-child.ts'

const stopGraceMs = 8_000
const longestSilenceMs = 15_000
/** Who does not answer will hardly save its state, of which every acknowledged write is on disk. */
const silentGraceMs = 500
const watchPeriodMs = 1_000
const lockAttempts = 10
const lockPauseMs = 300

export type ProcessOptions = {
  machineId: string
  speed: number
  clock: Clock
  mainPath: string
  limits: SandboxLimits
  /** Addresses that admission webhooks of clusters may be called on. */
  webhookTargets: readonly string[]
  /** How long one that lives may leave a question unanswered; 15 s unless given. */
  silenceMs?: number | undefined
}

/** The processes of sandboxes: started, found again, looked after and ended. */
export function createProcesses(options: ProcessOptions) {
  const { machineId, clock, silenceMs = longestSilenceMs } = options
  const { start, user } = createStarter(options)
  /** Processes that this one looks after, by cluster. */
  const supervised = new Map<number, { pid: number; dir: string }>()
  /** Child processes of this one: their exit arrives as an event. */
  const own = new Set<number>()
  const listeners: ((clusterId: number, reason: string) => void)[] = []
  let stopWatch: (() => void) | undefined

  function superviseProcess(clusterId: number, pid: number, dir: string): void {
    supervised.set(clusterId, { pid, dir })
    // Adopted processes are not children of this one, so their exit causes no event.
    stopWatch ??= clock.setInterval(() => {
      for (const { pid: each } of supervised.values())
        if (!own.has(each) && !isAlive(each)) ended(each, 'unknown')
    }, watchPeriodMs)
  }

  function ended(pid: number, ending: Ending): void {
    own.delete(pid)
    for (const [clusterId, process] of supervised) {
      if (process.pid !== pid) continue
      supervised.delete(clusterId)
      report(clusterId, process.dir, pid, ending).catch(() => notifyEnded(clusterId, `Process ${pid} ended.`))
    }
  }

  async function report(clusterId: number, dir: string, pid: number, ending: Ending): Promise<void> {
    const files = filesOf(dir)
    const cause = describeEnding(pid, ending, await lastOutput(files))
    await keepEnding(files.end, cause)
    notifyEnded(clusterId, cause)
  }

  function notifyEnded(clusterId: number, cause: string): void {
    for (const listener of listeners) listener(clusterId, cause)
  }

  /** The cluster's process where it lives and answers; undefined when none lives. Throws when it does not answer. */
  async function find(placement: ClusterPlacement): Promise<LiveCluster | undefined> {
    const files = filesOf(placement.dir)
    const pid = await runningPid(files)
    if (pid === undefined) return undefined
    const ready = (await readReady(files, pid)) ?? (await whenReady(pid, files, clock, undefined))
    const live = await liveOf(placement, ready.url, pid, ready.kubeconfigPath, machineId)
    const late = AbortSignal.timeout(silenceMs)
    const admin = adminOf(live, late)
    try {
      await admin.call('GET', '/sandbox/v1/status')
    } catch (error) {
      if (!late.aborted) throw error
      throw new Error(`It did not answer within ${silenceMs / 1000} s`, { cause: error })
    } finally {
      admin.close()
    }
    return live
  }

  /** Starts the cluster's process and waits until it answers. Throws with its last words when it does not. */
  async function launch(
    cluster: ProviderCluster,
    placement: ClusterPlacement,
    port: number,
    step?: { signal: AbortSignal; log(message: string): void },
  ): Promise<LiveCluster> {
    const files = filesOf(placement.dir)
    for (let attempt = 1; ; attempt += 1) {
      const child = await start(cluster, placement, port)
      const pid = child.pid ?? 0
      own.add(pid)
      child.once('exit', (code, signal) => ended(pid, { code, signal }))
      try {
        const ready = await whenReady(pid, files, clock, step?.signal)
        step?.log(`Process ${pid} started.`)
        return await liveOf(placement, ready.url, pid, ready.kubeconfigPath, machineId)
      } catch (error) {
        // A server that was killed in the middle of this step had started one, which took the directory first.
        const earlier = isAlive(pid) ? undefined : await find(placement).catch(() => undefined)
        if (earlier !== undefined) return earlier
        // The previous process has ended, but its new parent has not reaped it yet.
        if (attempt >= lockAttempts || !isHeldByDead(error)) throw error
        await new Promise<void>((resolve) => clock.setTimeout(resolve, lockPauseMs))
      }
    }
  }

  async function stop(clusterId: number, files: ChildFiles): Promise<string> {
    supervised.delete(clusterId)
    const pid = await runningPid(files)
    if (pid === undefined) return 'No process was running.'
    const how = await endProcess(pid, stopGraceMs, clock)
    return how === 'forced'
      ? `Process ${pid} did not stop by itself and was ended.`
      : `Process ${pid} stopped.`
  }

  /** Ends a process that does not answer, and reports it to listeners. */
  async function endSilent(clusterId: number, dir: string, error: unknown): Promise<void> {
    const files = filesOf(dir)
    const pid = await runningPid(files)
    if (pid === undefined) return
    supervised.delete(clusterId)
    await endProcess(pid, silentGraceMs, clock)
    const why = error instanceof Error ? error.message : String(error)
    const cause = `Process ${pid} was ended because it was silent: ${why}`
    await keepEnding(files.end, cause)
    notifyEnded(clusterId, cause)
  }

  return {
    find,
    launch,
    superviseProcess,
    stop,
    endSilent,
    onExit: (callback: (clusterId: number, reason: string) => void) => void listeners.push(callback),
    user,

    /** Ends every process that this one looks after, and keeps that as the reason for their next start. */
    async stopAll(): Promise<void> {
      stopWatch?.()
      const all = [...supervised.values()]
      supervised.clear()
      await Promise.all(
        all.map(async ({ pid, dir }) => {
          await endProcess(pid, stopGraceMs, clock)
          await keepEnding(filesOf(dir).end, 'Bey was stopped, and its sandboxes with it.')
        }),
      )
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
  placement: ClusterPlacement,
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
  return { url, caPem, token, pid, machineId, dir: placement.dir, port: Number(new URL(url).port) }
}

type Kubeconfig = {
  clusters?: { cluster?: { 'certificate-authority-data'?: string } }[]
  users?: { user?: { token?: string } }[]
}
