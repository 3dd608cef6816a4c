import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { idParams, timestamp } from '../base/schema.ts'

/** Exec or attach of one pod, as the API server spells it, with its query. */
const streamPath = z
  .string()
  .max(4096)
  .regex(
    /^\/api\/v1\/namespaces\/[\w.-]+\/pods\/[\w.-]+\/(exec|attach)\?[\x21-\x7e]+$/,
    'Send the path of an exec or attach below /api/v1/namespaces/, with its query.',
  )

/** The API server's proxy to a service or pod: `http:web:80`, `web`, `https:web:`. */
const servicePath = z
  .string()
  .max(512)
  .regex(
    /^\/api\/v1\/namespaces\/[\w.-]+\/(services|pods)\/(https?:)?[\w.-]+(:[\w.-]*)?\/proxy\/$/,
    'Send the path of a service or pod proxy, which ends in /proxy/.',
  )

const errors = ['not_found', 'conflict', 'limit_reached'] as const

export const execEndpoints = {
  'kubernetes.streamTicket': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/stream-tickets',
    summary: 'A ticket that opens one WebSocket to one container, once and within 30 s',
    access: 'kubernetes.exec',
    withoutIdempotencyKey: 'It answers a ticket for a moment, which is kept nowhere.',
    keys: 'none',
    params: idParams,
    body: z.strictObject({ path: streamPath }),
    /** It travels as the subprotocol `bey.ticket.<ticket>`. */
    response: z.object({ ticket: z.string(), expiresAt: timestamp }),
    status: 201,
    errors,
  }),
  'kubernetes.serviceSession': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/service-sessions',
    summary: 'Lets this browser read the pages of one service for 15 minutes, by a cookie for its path alone',
    access: 'kubernetes.exec',
    withoutIdempotencyKey: 'It answers a session for a moment, which is kept nowhere.',
    keys: 'none',
    params: idParams,
    body: z.strictObject({ path: servicePath }),
    response: z.object({ path: z.string(), expiresAt: timestamp }),
    status: 201,
    errors,
  }),
} as const
