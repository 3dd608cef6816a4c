import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import type { Duplex } from 'node:stream'
import { ConnectionProblem } from '../../../../platform/outbound/connection-problem.ts'

const maxMessageBytes = 1024 * 1024
const headBytes = 5
/** Status codes of gRPC that have a sentence of their own. */
const [unimplemented, unavailable] = [12, 14]

/** Speaks HTTP/2 without TLS over a connection that is there already. */
export function openSession(connection: Duplex): ClientHttp2Session {
  const session = connect('http://hubble-relay', { createConnection: () => connection })
  // Each call fails with the error of its session; nothing is left to do here.
  session.on('error', () => undefined)
  return session
}

/**
 * Calls a method of gRPC that answers with a stream (PROTOCOL-HTTP2 of gRPC), and yields its messages. The server is read no
 * faster than the caller takes them. Throws a ConnectionProblem where the call ends with anything but success.
 */
export async function* callStream(
  session: ClientHttp2Session,
  path: string,
  request: Uint8Array,
): AsyncGenerator<Uint8Array, void, undefined> {
  const call = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'user-agent': 'bey',
  })
  let ending: IncomingHttpHeaders = {}
  call.on('response', (headers) => {
    if (headers[':status'] !== 200) call.destroy(noGrpc(`it answers ${headers[':status']}`))
    // A call that fails at once ends with its headers.
    ending = headers
  })
  call.on('trailers', (trailers) => {
    ending = trailers
  })
  call.end(framed(request))
  try {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of call as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      while (rest.length - at >= headBytes) {
        const length = rest.readUInt32BE(at + 1)
        if (rest[at] !== 0 || length > maxMessageBytes) throw noGrpc('it sends no messages of gRPC')
        if (rest.length - at < headBytes + length) break
        yield rest.subarray(at + headBytes, at + headBytes + length)
        at += headBytes + length
      }
      rest = rest.subarray(at)
    }
    throwUnlessOk(ending)
  } catch (error) {
    if (error instanceof ConnectionProblem) throw error
    throw noGrpc(error instanceof Error ? error.message : String(error), error)
  } finally {
    call.close()
  }
}

function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

function throwUnlessOk(ending: IncomingHttpHeaders): void {
  const status = Number(ending['grpc-status'] ?? Number.NaN)
  if (status === 0) return
  const text = decodeURIComponent(String(ending['grpc-message'] ?? '')).slice(0, 300)
  if (status === unimplemented) {
    throw new ConnectionProblem('Hubble Relay does not know how to list flows: its version is too old.')
  }
  if (status === unavailable) throw new ConnectionProblem(`Hubble Relay is not available: ${text}`)
  if (Number.isNaN(status)) throw new ConnectionProblem('The connection to Hubble Relay was lost.')
  throw new ConnectionProblem(`Hubble Relay answers with an error (${status}): ${text}`)
}

const noGrpc = (reason: string, cause?: unknown) =>
  new ConnectionProblem(
    `Hubble Relay cannot be read: ${reason.replace(/\.$/, '')}. Bey speaks gRPC without TLS to it.`,
    { cause },
  )
