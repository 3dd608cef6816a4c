import { kubernetesPath } from '@bey/contract'
import { rawCall } from '../../../lib/raw-call.ts'
import { at, text } from './fields.ts'

const secrets = { group: '', version: 'v1', plural: 'secrets' }

/**
 * The Base64 value of one key of a Secret, read through the cluster's proxy, which checks the role and records who
 * read it. Throws an Error with the reason in words.
 */
export async function readSecretValue(
  clusterId: number,
  namespace: string,
  name: string,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  const path = `/api/kubernetes/clusters/${clusterId}/proxy${kubernetesPath(secrets, namespace, name)}`
  const reply = await rawCall({ method: 'GET', path, headers: { accept: 'application/json' } }, signal)
  const body = parsed(reply.text)
  if (reply.status !== 200) {
    throw new Error(text(at(body, 'message')) ?? `The cluster answered with status ${reply.status}.`)
  }
  const value = at(body, 'data', key)
  if (typeof value !== 'string') throw new Error(`The secret has no key "${key}" any more.`)
  return value
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    // Something else answered in the cluster's place; its status is shown instead.
    return undefined
  }
}
