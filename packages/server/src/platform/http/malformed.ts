import type { Socket } from 'node:net'
import { errorTable } from '@bey/contract/base/errors'
import { uuidv7 } from '../crypto/uuid.ts'
import { endSocket } from './end-socket.ts'
import type { AnonymousClients } from './anonymous-limits.ts'
import { problemMediaType } from './problem.ts'

/**
 * Answers malformed HTTP and endless headers with status 400, if the socket is still writable. An address that sends
 * them repeatedly gets no answer.
 */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  anonymousClients: Pick<AnonymousClients, 'mayTry' | 'refused'>,
): void {
  const address = socket.remoteAddress ?? ''
  if (error.code === 'ECONNRESET' || !socket.writable || !anonymousClients.mayTry(address, undefined)) {
    socket.destroy()
    return
  }
  anonymousClients.refused(address, undefined)
  const { title } = errorTable.invalid_request
  const body = JSON.stringify({
    type: '/api/docs#error-invalid_request',
    title,
    status: 400,
    detail: detailOf(error.code),
    code: 'invalid_request',
    requestId: uuidv7(),
  })
  endSocket(
    socket,
    [
      'HTTP/1.1 400 Bad Request',
      `content-type: ${problemMediaType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function detailOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers are too large. At most 16 KB is accepted.'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request was not complete in time.'
  return 'The request is not valid HTTP.'
}
