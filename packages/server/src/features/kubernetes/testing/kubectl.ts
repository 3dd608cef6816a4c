import { execFile, spawn } from 'node:child_process'
import { env } from 'node:process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const oldestMinor = 30

/** Path of a kubectl that is new enough: `BEY_KUBECTL`, else the one on PATH; undefined if there is none. */
export async function findKubectl(): Promise<string | undefined> {
  const candidate = env['BEY_KUBECTL'] ?? 'kubectl'
  try {
    const { stdout } = await run(candidate, ['version', '--client', '-o', 'json'])
    const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string } }
    return Number.parseInt(clientVersion.minor, 10) >= oldestMinor ? candidate : undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export type Ran = { code: number; stdout: string; stderr: string }

/** Starts kubectl with a kubeconfig file and nothing of this machine's own configuration. */
export function startKubectl(
  path: string,
  kubeconfig: string,
  home: string,
  args: string[],
  settings: Record<string, string> = {},
) {
  const child = spawn(path, ['--kubeconfig', kubeconfig, ...args], {
    env: { HOME: home, PATH: env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  const ran: Ran = { code: -1, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (ran.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (ran.stderr += chunk.toString()))
  const done = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...ran, code: code ?? -1 }))
  })
  return { stdout: () => ran.stdout, stop: () => void child.kill(), done }
}

export function kubectl(
  path: string,
  kubeconfig: string,
  home: string,
  args: string[],
  settings: Record<string, string> = {},
): Promise<Ran> {
  return startKubectl(path, kubeconfig, home, args, settings).done
}
