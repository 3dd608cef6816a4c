import { request, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { hostTestLimits } from '@bey/contract/ingress/rules'

export type FirstByte = { status: number; head: string } | { problem: string }

/** Sends a GET on a connection that is there and reads status and the beginning of the body; redirects are not followed. */
export function readFirstByte(
  stream: Duplex,
  {
    host,
    port,
    path,
    isTls,
    timeoutMs,
  }: {
    host: string
    port: number
    path: string
    isTls: boolean
    timeoutMs: number
  },
): Promise<FirstByte> {
  return new Promise((resolve) => {
    const isUsual = port === (isTls ? 443 : 80)
    const sent = request({
      createConnection: () => stream,
      method: 'GET',
      path: encodeURI(decoded(path)),
      headers: {
        host: isUsual ? host : `${host}:${port}`,
        'user-agent': 'bey',
        accept: '*/*',
        connection: 'close',
      },
      maxHeaderSize: hostTestLimits.headBytes,
    })
    let isEnded = false
    const end = (answer: FirstByte) => {
      if (isEnded) return
      isEnded = true
      clearTimeout(timer)
      resolve(answer)
      sent.destroy()
    }
    const timer = setTimeout(
      () => end({ problem: `It took the connection, and did not answer within ${timeoutMs / 1000} s.` }),
      timeoutMs,
    )
    sent.on('error', (error: NodeJS.ErrnoException) => end({ problem: problemOf(error) }))
    sent.once('response', (response) => {
      const status = response.statusCode ?? 0
      const chunks: Buffer[] = []
      let bytes = 0
      const done = () =>
        end({ status, head: Buffer.concat(chunks).toString('utf8', 0, hostTestLimits.headBytes) })
      // The body says only who it was that has nothing here.
      if (status !== 404) return done()
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= hostTestLimits.headBytes) done()
      })
      response.once('end', done)
      response.once('close', done)
      response.once('error', done)
    })
    sent.end()
  })
}

/** A path that is encoded already is not encoded twice. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function problemOf({ code = '' }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return 'It answers something that is not HTTP.'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'It closed the connection without an answer.'
  return 'The connection broke before an answer came.'
}

/** What a status says, for who wonders whether a host works. */
export function statusSentence(
  { status, head }: Extract<FirstByte, { status: number }>,
  path: string,
): string {
  const name = STATUS_CODES[status]
  const title = name === undefined ? String(status) : `${status} ${name}`
  if (status === 404 && /default backend/i.test(head))
    return `${title} from the default backend of the controller: no rule of an ingress matched the host and path.`
  if (status === 404)
    return `${title}: no rule leads from ${path.split('?')[0]} to a service, or the service has nothing there.`
  if (status === 502) return `${title}: the controller reached a backend that does not answer as it should.`
  if (status === 503) return `${title}: the controller has no backend that is ready.`
  if (status === 504) return `${title}: the backend did not answer the controller in time.`
  return `It answers ${title}.`
}
