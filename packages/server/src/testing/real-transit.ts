import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

import { freePort } from '../providers/sandbox/directory-and-port.ts'

const named = process.env['BEY_TEST_TRANSIT']

/** The program of OpenBao or Vault; undefined where there is none: tests that need it are then skipped. */
export const transitPath = [named, '/usr/bin/bao', '/usr/bin/vault'].find(
  (path) => path !== undefined && existsSync(path),
)

/** A development server with a transit engine and the key `bey`, for one test. Answers its address and a token that may all. */
export async function startTransit(program: string) {
  const port = await freePort(undefined)
  const token = 'root-of-this-test'
  const child = spawn(
    program,
    [
      'server',
      '-dev',
      `-dev-root-token-id=${token}`,
      `-dev-listen-address=127.0.0.1:${port}`,
      '-dev-no-store-token',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await over
  })
  const url = `http://127.0.0.1:${port}`
  const ask = async (path: string, body: object) => {
    const reply = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'x-vault-token': token },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}`)
    return reply
  }
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('Development mode should NOT be used in production')) continue
    child.stdout.resume()
    await ask('sys/mounts/transit', { type: 'transit' })
    await ask('transit/keys/bey', {})
    return { url, token, ask }
  }
  throw new Error('The server of the transit engine ended before it was ready')
}
