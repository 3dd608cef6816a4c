import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An effect that a step had outside: its run, its key, and when its request arrived. */
type Effect = { runId: string; key: string; at: number }

/**
 * The outside world of the steps: each request to `/<run>/<key>` is an effect. `/flaky/…` fails the first time, and
 * `?slow` takes a moment, in which its process may die.
 */
export async function openLedger() {
  const effects: Effect[] = []
  const failedOnce = new Set<string>()
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://ledger')
    const [, runId = '', key = ''] = url.pathname.split('/')
    effects.push({ runId, key, at: Date.now() })
    const isFirst = !failedOnce.has(url.pathname)
    failedOnce.add(url.pathname)
    const status = url.searchParams.has('flaky') && isFirst ? 503 : 200
    setTimeout(() => reply.writeHead(status).end('{}'), url.searchParams.has('slow') ? 150 : 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    effects,
    countOf: (runId: string, key: string) =>
      effects.filter((each) => each.runId === runId && each.key === key).length,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>
