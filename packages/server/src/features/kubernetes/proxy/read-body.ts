import type { IncomingMessage } from 'node:http'
import { tookTooLong } from '../connection/cluster-agents.ts'

/** Thrown as it is: a body of more than the bytes that are allowed. */
export const bodyTooLarge = new Error('The body is too large')
/** Thrown as it is: there is nobody left to answer. */
export const callerLeft = new Error('The caller left before the request was sent')

/** The whole body of a request. Rejects with `bodyTooLarge`, or with `callerLeft` where it breaks off. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) reject(bodyTooLarge)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => reject(callerLeft))
    request.on('close', () => reject(callerLeft))
  })
}

/**
 * What an answer begins with: all of it, unless it is longer than a body may be. The rest stays to be read, and so does
 * the error of an answer that breaks off or stalls.
 */
export function readStart(
  answer: IncomingMessage,
  { maxBodyBytes, answerTimeoutMs }: { maxBodyBytes: number; answerTimeoutMs: number },
): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const done = () => {
      answer.off('data', keep).off('end', done).off('close', done).pause()
      resolve(Buffer.concat(chunks))
    }
    const keep = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxBodyBytes) done()
    }
    answer.setTimeout(answerTimeoutMs, () => answer.destroy(tookTooLong()))
    answer.on('data', keep).on('end', done).on('close', done).on('error', done)
  })
}
