import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll } from 'vitest'
import { runningApp } from './running-app.ts'
import { sandboxCalls } from './sandbox-calls.ts'

/**
 * The server with a sandbox beside it, which `connect` imports into an organization; both end with the calling file. Call it at
 * the top of a test file. `kube` asks the sandbox itself.
 */
export async function appWithSandbox() {
  const home = await mkdtemp(join(tmpdir(), 'bey-sandbox-'))
  const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
  afterAll(async () => {
    await sandbox.stop()
    await rm(home, { recursive: true, force: true })
  })
  const app = await runningApp()
  const { url, caPem, adminToken: token } = sandbox
  return {
    ...app,
    sandbox,
    kube: sandboxCalls(sandbox),
    connect: (organizationId: number) =>
      app.cluster(organizationId, { url, caPem, token, impersonate: true }),
  }
}
