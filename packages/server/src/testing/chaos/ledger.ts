import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** An effect that a step had outside: its run, its key, and when its request arrived. */
type Effect = { runId: string; key: string; at: number }

/** A message that a webhook delivered: its id, and the run that emitted it. */
type Message = { id: string; runId: string }

const webhookPath = '/webhook'

/**
 * The outside world of the steps: each request to `/<run>/<key>` is an effect. `/flaky/…` fails the first time, and
 * `?slow` takes a moment, in which its process may die. What comes to `webhookUrl` are messages.
 */
export async function openLedger() {
  const effects: Effect[] = []
  const messages: Message[] = []
  const failedOnce = new Set<string>()
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://ledger')
    if (url.pathname === webhookPath) {
      void json(request).then((body) => {
        const { data } = body as { data: { runId: string } }
        messages.push({ id: String(request.headers['webhook-id']), runId: data.runId })
        reply.writeHead(204).end()
      })
      return
    }
    const [, runId = '', key = ''] = url.pathname.split('/')
    effects.push({ runId, key, at: Date.now() })
    const isFirst = !failedOnce.has(url.pathname)
    failedOnce.add(url.pathname)
    const status = url.searchParams.has('flaky') && isFirst ? 503 : 200
    setTimeout(() => reply.writeHead(status).end('{}'), url.searchParams.has('slow') ? 150 : 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    url: origin,
    webhookUrl: `${origin}${webhookPath}`,
    messages,
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
