import { type ConnectionTest, connectionTestMs } from '@bey/contract'

import type { Clock } from '../../../../platform/clock.ts'
import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import type { ClusterCall } from '../../../kubernetes/connection/cluster-call.ts'
import type { ContextConnection } from '../kubeconfig.ts'
import { type Ask, askCluster } from './ask-cluster.ts'
import { day, type ShownCertificate, showCertificate } from './certificate-chain.ts'
import { certificateProblem } from './certificate-problem.ts'
import { type Checks, startChecks } from './checks.ts'
import { dial, endOf } from './dial.ts'
import { readIdentity } from './read-identity.ts'
import { readRights } from './read-rights.ts'
import { readVersion } from './read-version.ts'

export type Probe = {
  /** Connects as the kubeconfig says and reports each check. Never throws, and repeats no credentials. */
  test(
    connection: ContextConnection,
    of?: { namespace?: string; chosen?: readonly string[] },
  ): Promise<ConnectionTest>
  /** PEM of that certificate among those that the server sends; undefined where it sends none such. */
  certificate(connection: ContextConnection, fingerprint: string): Promise<string | undefined>
}

export function createProbe({
  call,
  outbound,
  clock,
}: {
  call: ClusterCall
  outbound: Outbound
  clock: Clock
}): Probe {
  async function shownBy(
    connection: ContextConnection,
    checks: Checks,
  ): Promise<ShownCertificate | undefined> {
    const socket = await dial(connection, outbound, checks)
    if (socket === undefined) return undefined
    socket.on('error', () => undefined)
    let found: ShownCertificate | undefined
    await checks.run('certificate', async () => {
      found = await showCertificate(socket, connection, clock.now())
      const { refusal, chain } = found
      const until = chain[0] === undefined ? 'none' : day(chain[0].validTo)
      if (connection.skipsTlsVerify) return { value: true, detail: 'not checked', isWarning: true }
      if (refusal === undefined) return { value: true, detail: `valid until ${until}` }
      const name = connection.tlsServerName ?? endOf(connection.url).host
      return checks.fail(certificateProblem(found, connection, name))
    })
    return found
  }

  return {
    async test(connection, { namespace, chosen = [] } = {}) {
      const at = clock.now().toISOString()
      const beganMs = performance.now()
      const server = endOf(connection.url).host
      const checks = startChecks(server)
      const signal = AbortSignal.timeout(connectionTestMs)
      const shown = await shownBy(connection, checks)
      const ask = askCluster(call, { ...connection, impersonate: false }, signal)
      const version = await readVersion(ask, checks, server)
      const identity = await readIdentity(ask, checks, connection)
      const user = identity?.user ?? ''
      const rights = await readRights(ask, checks, { connection, namespace, user, chosen })
      const hasMetrics = await readMetrics(ask, checks)
      const result = checks.result()
      const latencyMs = identity === undefined ? null : await latencyOf(ask)
      return {
        at,
        durationMs: Math.round(performance.now() - beganMs),
        state: result.stoppedAt !== null ? 'failed' : connection.skipsTlsVerify ? 'unverified' : 'reachable',
        ...result,
        chain: shown?.chain ?? [],
        version: version || null,
        identity: identity === undefined || identity.user === '' ? null : identity,
        rights: rights ?? null,
        hasMetrics: hasMetrics ?? null,
        latencyMs,
      }
    },

    async certificate(connection, fingerprint) {
      const shown = await shownBy({ ...connection, skipsTlsVerify: true }, startChecks(''))
      const index = shown?.chain.findIndex((each) => each.fingerprint === fingerprint) ?? -1
      return shown?.pems[index]
    },
  }
}

async function readMetrics(ask: Ask, checks: Checks): Promise<boolean | undefined> {
  return checks.run('metrics', async () => {
    const { status } = await ask.get('/apis/metrics.k8s.io/v1beta1')
    return status === 200
      ? { value: true, detail: 'metrics-server' }
      : { value: false, detail: 'no metrics-server', isWarning: true }
  })
}

/** The quicker of two small requests over a connection that is open. */
async function latencyOf(ask: Ask): Promise<number | null> {
  const times: number[] = []
  for (const path of ['/version', '/version']) {
    const beganMs = performance.now()
    try {
      await ask.get(path)
    } catch {
      // It answered a moment ago; how fast is not worth a failure.
      return null
    }
    times.push(performance.now() - beganMs)
  }
  return Math.round(Math.min(...times) * 10) / 10
}
