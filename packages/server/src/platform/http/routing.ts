import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '@bey/contract'
import { AppError } from '../errors.ts'
import type { ConsolePage } from './console-files.ts'

/** Knows which methods a path has, for 405 and OPTIONS. */
export type MethodTable = { methodsOf(path: string): string[] }

export function methodTable(endpoints: readonly Endpoint[]): MethodTable {
  const rows = endpoints.map(({ method, path, hasEffect }) => ({
    method,
    hasHead: method === 'GET' && !hasEffect,
    pattern: patternOf(path),
  }))
  return {
    methodsOf(path) {
      const found = rows.filter(({ pattern }) => pattern.test(path))
      const methods = new Set<string>(found.map(({ method }) => method))
      if (found.some(({ hasHead }) => hasHead)) methods.add('HEAD')
      return [...methods]
    },
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{\w+\}/g, '[^/]+')
    .replace(/\\\*$/, '.*')
  return new RegExp(`^${source}$`)
}

/** Path and query of a request target, which may be a whole address (RFC 9112 section 3.2.2). */
export function originForm(target: string): string {
  const address = /^https?:\/\/[^/?]*(.*)$/is.exec(target)?.[1]
  if (address === undefined) return target
  return address.startsWith('/') ? address : `/${address}`
}

/**
 * Distinguishes an unknown path (404, or the console's page) from a known one with another method (405), and answers
 * OPTIONS.
 */
export function answerUnrouted(
  table: MethodTable,
  page: ConsolePage,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods = table.methodsOf(path)
  if (methods.length === 0) {
    const answered = page(request, reply)
    if (answered) return answered
    throw new AppError('route_not_found', 'No endpoint has this path.')
  }
  reply.header('allow', [...methods, 'OPTIONS'].join(', '))
  if (request.method === 'OPTIONS') return reply.code(204).send()
  throw new AppError(
    'method_not_allowed',
    `This path does not take ${request.method}. It takes ${methods.join(', ')}.`,
  )
}
