import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ClusterPlacement, ProviderCluster } from '../../features/clusters/provider.ts'
import { startChild } from './child.ts'
import { type ChildUser, type ChildUserChoice, chooseChildUser, giveDirectory } from './child-user.ts'
import { filesOf, historyFile } from './directory-and-port.ts'
import type { ProcessOptions } from './processes.ts'

/** How long a sandbox waits for a server after the one that looked after it was killed. */
const claimMinutes = 10

/** Starts processes of sandboxes, each as a user without rights where this system allows it. */
export function createStarter(
  options: Pick<ProcessOptions, 'speed' | 'mainPath' | 'limits' | 'webhookTargets'>,
) {
  const { speed, mainPath, limits } = options
  let choice: Promise<ChildUserChoice> | undefined

  async function start(
    cluster: ProviderCluster,
    placement: ClusterPlacement,
    port: number,
  ): Promise<ChildProcess> {
    const args = ['--name', cluster.title, '--region', cluster.region, '--port', String(port)]
    args.push('--speed', String(speed), '--nodes', '[]', '--claim-minutes', String(claimMinutes))
    args.push('--max-stored-mib', String(limits.maxStoredMib), '--max-objects', String(limits.maxObjects))
    if (options.webhookTargets.length > 0) args.push('--webhook-targets', options.webhookTargets.join(','))
    if (existsSync(join(placement.dir, historyFile))) args.push('--history', historyFile)
    const files = filesOf(placement.dir)
    const child = (user: ChildUser | undefined) =>
      startChild({ mainPath, dir: placement.dir, args, files, maxHeapMib: limits.maxHeapMib, user })
    choice ??= chooseChildUser(mainPath)
    const chosen = await choice
    if (chosen.kind !== 'own') return child(undefined)
    try {
      await giveDirectory(placement.dir, chosen.user)
      return await child(chosen.user)
    } catch (error) {
      // A container whose root may not become anybody else.
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (code !== 'EPERM' && code !== 'EINVAL') throw error
      const problem = `Sandboxes run as root, because this system refuses another user (${code}).`
      choice = Promise.resolve({ kind: 'root', problem })
      return child(undefined)
    }
  }

  return { start, user: () => (choice ??= chooseChildUser(mainPath)) }
}
