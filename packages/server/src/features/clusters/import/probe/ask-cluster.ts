import type { OutgoingHttpHeaders } from 'node:http'

import type { ClusterCall, ClusterReply } from '../../../kubernetes/connection/cluster-call.ts'
import type { ClusterConnection } from '../../provider.ts'

/** Questions to one cluster during one test. */
export type Ask = {
  get(path: string): Promise<ClusterReply>
  /** A review of `authorization.k8s.io` or `authentication.k8s.io`: its status, or undefined where it was not answered. */
  review(
    path: string,
    kind: string,
    spec: object,
    headers?: OutgoingHttpHeaders,
  ): Promise<{ code: number; status: Record<string, unknown> | undefined; isAnonymous: boolean }>
  /** SelfSubjectAccessReview: whether Bey, or whom the headers name, may do this. */
  may(attributes: Attributes, headers?: OutgoingHttpHeaders): Promise<boolean>
}

export type Attributes = {
  verb: string
  group?: string
  resource: string
  subresource?: string
  namespace?: string
  name?: string
}

export function askCluster(call: ClusterCall, connection: ClusterConnection, signal: AbortSignal): Ask {
  const ask: Ask = {
    get: (path) => call(connection, 'GET', path, { signal }),
    async review(path, kind, spec, headers) {
      const [, , group = '', version = ''] = path.split('/')
      const body = { apiVersion: `${group}/${version}`, kind, spec }
      const reply = await call(connection, 'POST', path, { body, signal, ...(headers && { headers }) })
      const status = reply.status === 200 || reply.status === 201 ? jsonOf(reply)?.['status'] : undefined
      const message = reply.status === 403 ? jsonOf(reply)?.['message'] : undefined
      return {
        code: reply.status,
        status: isRecord(status) ? status : undefined,
        // The reference's wording of a refusal names who was refused.
        isAnonymous: typeof message === 'string' && message.includes('"system:anonymous"'),
      }
    },
    async may(attributes, headers) {
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      const { status } = await ask.review(
        path,
        'SelfSubjectAccessReview',
        { resourceAttributes: attributes },
        headers,
      )
      return status?.['allowed'] === true
    },
  }
  return ask
}

/** An object of JSON; undefined for anything else. */
export function jsonOf({ text }: ClusterReply): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
