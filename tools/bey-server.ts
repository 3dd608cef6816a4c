import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './source-files.ts'

export type BeyServer = {
  url: string
  tlsPort: number
  dataDir: string
  /** Resident memory and everything else that /proc knows is found by it. */
  pid: number
  /** Everything that it printed. */
  output(): string
  /** Stops as an operator would, and answers the exit code. */
  stop(): Promise<number | null>
  /** Stops as a power cut would: sandboxes and database live on until the next start. */
  kill(): Promise<void>
}

export type BeyServerOptions = {
  dataDir?: string
  port?: number
  tlsPort?: number
  env?: Record<string, string>
  /** What is run instead of the product's own main, relative to the repository. */
  main?: string
}

/** Open to the account of the database: else its files stand elsewhere, and stay when the directory is removed. */
function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-'))
  chmodSync(dataDir, 0o755)
  return dataDir
}

/** Starts the product as `npm start` does, on free ports and a directory of its own, and waits until it is healthy. */
export async function startBey(options: BeyServerOptions = {}): Promise<BeyServer> {
  const dataDir = options.dataDir ?? newDataDir()
  const port = options.port ?? (await freePort())
  const tlsPort = options.tlsPort ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=32', join(root, options.main ?? 'packages/server/src/main.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        BEY_TLS_PORT: String(tlsPort),
        BEY_DATA_DIR: dataDir,
        BEY_PUBLIC_URL: url,
        BEY_SANDBOX_SPEED: '10',
        LOG_LEVEL: 'warning',
        ...options.env,
      },
    },
  )
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await healthy(url, child, () => output)
  return {
    url,
    tlsPort,
    dataDir,
    pid: child.pid ?? 0,
    output: () => output,
    stop: () => end(child, 'SIGTERM'),
    kill: async () => void (await end(child, 'SIGKILL')),
  }
}

/** Removes what a stopped server left behind. */
export function removeData(server: BeyServer): void {
  rmSync(server.dataDir, { recursive: true, force: true })
}

async function healthy(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 180_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`)
    const reply = await fetch(`${url}/health`).catch(() => undefined)
    if (reply?.ok) return
    await new Promise((done) => setTimeout(done, 50))
  }
  child.kill('SIGKILL')
  throw new Error(`The server was not healthy within 3 min:\n${output()}`)
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((done) => {
    child.once('exit', (code) => done(code))
    child.kill(signal)
  })
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => done(port))
    })
  })
}
