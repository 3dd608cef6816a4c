import { until } from './imported-clusters.ts'
import type { OutsideSandbox } from './outside-sandbox.ts'

export const podCount = 10_000

/** Adds 1,000 machines and 10,000 pods, and waits until all of them run. */
export async function fillWithPods(sandbox: OutsideSandbox): Promise<void> {
  await sandbox.send('POST', '/sandbox/v1/scenario', { name: 'scale' })
  await until('the pods are ready', async () => {
    const { items } = JSON.parse(await sandbox.send('GET', '/apis/apps/v1/deployments')) as {
      items: { status?: { readyReplicas?: number } }[]
    }
    return items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0) >= podCount
  })
}
