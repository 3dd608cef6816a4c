import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'

export type CollectedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  status: { code?: number }
  /** `service.name` and `service.instance.id` of who sent it. */
  service: string
  instance: string
}

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean }
type Attributes = { key: string; value: Value }[]
type Sent = {
  resourceSpans: {
    resource: { attributes: Attributes }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: Attributes })[] }[]
  }[]
}

const plain = (attributes: Attributes = []) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
  )

/** A collector that takes OTLP over HTTP as JSON. `mode` lets it refuse, or hang. */
export async function otlpCollector() {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const requests: { path: string; authorization: string | undefined }[] = []
  const state = { mode: 'takes' as 'takes' | 'hangs' | 'refuses' }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
      if (state.mode === 'hangs') return
      if (state.mode === 'refuses') return void response.writeHead(400).end()
      bodies.push(body)
      for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
        const of = plain(resource.attributes)
        const sender = { service: String(of['service.name']), instance: String(of['service.instance.id']) }
        for (const span of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...span, attributes: plain(span.attributes), ...sender })
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    spans,
    bodies,
    requests,
    state,
    /** The first span of which this is true, once it has arrived. */
    span: (is: (span: CollectedSpan) => boolean) =>
      vi.waitFor(
        () => {
          const found = spans.find(is)
          if (found === undefined)
            throw new Error(`No such span among ${spans.map(({ name }) => name).join(', ')}`)
          return found
        },
        { timeout: 60_000, interval: 20 },
      ),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
