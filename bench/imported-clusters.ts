import type { BeySession } from '../tools/api-session.ts'
import type { OutsideSandbox } from './outside-sandbox.ts'

/** Starts to import a cluster by its kubeconfig; answers its id. */
export async function importCluster(
  { client }: BeySession,
  sandbox: OutsideSandbox,
  title: string,
): Promise<number> {
  const read = await client.call('kubeconfig.read', { body: { kubeconfig: sandbox.kubeconfig } })
  const context = read.contexts[0]?.context ?? ''
  const { clusters } = await client.call('kubeconfig.import', {
    body: { kubeconfig: sandbox.kubeconfig, clusters: [{ context, title }] },
  })
  return clusters[0]?.id ?? 0
}

/** Waits until so many clusters run; throws where one could not be imported. */
export async function clustersRun({ client }: BeySession, count: number): Promise<void> {
  await until(`${count} clusters run`, async () => {
    const { clusters } = await client.call('clusters.list', { query: { limit: 50 } })
    const failed = clusters.find(({ status }) => status === 'ERROR')
    if (failed) throw new Error(`${failed.title} was not imported`)
    return clusters.filter(({ status }) => status === 'RUNNING').length >= count
  })
}

/** Throws where it is not so within five minutes. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Not within five minutes: ${what}`)
    await new Promise((done) => setTimeout(done, 250))
  }
}
