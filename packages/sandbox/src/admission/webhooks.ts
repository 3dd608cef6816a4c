import { request } from 'node:https'
import { isIP } from 'node:net'
import type { Cluster } from '../api/context.ts'
import type { WriteOptions } from '../api/resources.ts'
import { asObject } from '../api/write-options.ts'
import { CelError, compile } from '../cel/cel.ts'
import { isObject, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '../json.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { badRequest, StatusError } from '../status-error.ts'
import { mutatingWebhooks, services, validatingWebhooks, type KubeObject } from '../types.ts'
import { matchesWrite, type Attempt } from './match.ts'
import { guardedLookup, TargetRefused, type WebhookTargets } from './webhook-targets.ts'
import { attemptVariables, describeAttempt } from './variables.ts'

const longestAnswerBytes = 3 * 1024 * 1024

type Hook = { name: string; hook: JsonObject }

function hooksFor(
  cluster: Cluster,
  key: typeof mutatingWebhooks,
  attempt: Attempt,
  by: WriteOptions,
): Hook[] {
  const { store } = cluster
  if (store.count(key.key) === 0 || attempt.kind.group === 'admissionregistration.k8s.io') return []
  return store.list(key).flatMap((configuration) =>
    listAt(configuration, 'webhooks').flatMap((hook) => {
      const name = textAt(hook, 'name') ?? ''
      if (!isObject(hook) || !matchesWrite(store, hook, attempt)) return []
      return isWanted(cluster, name, hook, attempt, by) ? [{ name, hook }] : []
    }),
  )
}

function isStrict(hook: JsonObject): boolean {
  return (textAt(hook, 'failurePolicy') ?? 'Fail') === 'Fail'
}

function isWanted(
  cluster: Cluster,
  name: string,
  hook: JsonObject,
  attempt: Attempt,
  by: WriteOptions,
): boolean {
  return listAt(hook, 'matchConditions').every((condition) => {
    try {
      return compile(textAt(condition, 'expression') ?? '')(attemptVariables(cluster, attempt, by)) === true
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      if (isStrict(hook)) throw uncallable(name, error.message)
      return false
    }
  })
}

function uncallable(name: string, problem: string): StatusError {
  const text = `failed calling webhook ${JSON.stringify(name)}: ${problem}`
  return new StatusError(500, 'InternalError', `Internal error occurred: ${text}`, {
    causes: [{ message: text }],
  })
}

/** Where a webhook is. Throws in Go's words where nobody could answer there, or where none may be called. */
function addressOf({ store, webhookTargets }: Cluster, hook: JsonObject, timeoutSeconds: number): URL {
  const url = textAt(hook, 'clientConfig', 'url')
  const service = objectAt(hook, 'clientConfig', 'service')
  const { name, namespace = '' } = {
    name: textAt(service, 'name') ?? '',
    namespace: textAt(service, 'namespace'),
  }
  const port = numberAt(service, 'port') ?? 443
  const path = textAt(service, 'path') ?? '/'
  const found = new URL(url ?? `https://${name}.${namespace}.svc:${port}${path}`)
  found.searchParams.set('timeout', `${timeoutSeconds}s`)
  if (service && !store.get(services, namespace, name))
    throw new Error(`service ${JSON.stringify(name)} not found`)
  // The programs of simulated pods answer nobody.
  if (service) throw new Error(`Post ${JSON.stringify(found.href)}: dial tcp: connect: connection refused`)
  const host = found.hostname.replace(/^\[|\]$/g, '')
  const isAllowed = isIP(host) === 0 ? !webhookTargets.isEmpty : webhookTargets.allows(host, portOf(found))
  // Names are judged by what they resolve to, when the connection is made.
  if (!isAllowed) throw new TargetRefused()
  return found
}

function portOf(url: URL): number {
  return Number(url.port || 443)
}

function post(
  targets: WebhookTargets,
  url: URL,
  body: string,
  caBundle: string | undefined,
  timeoutMs: number,
): Promise<string> {
  const ca = caBundle === undefined ? {} : { ca: Buffer.from(caBundle, 'base64') }
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((done, fail) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers,
        agent: false,
        lookup: guardedLookup(targets, portOf(url)),
        signal: AbortSignal.timeout(timeoutMs),
        ...ca,
      },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > longestAnswerBytes) response.destroy(new Error('the answer is too long'))
          else parts.push(part)
        })
        response.on('error', fail)
        response.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8')
          if (response.statusCode === 200) done(text)
          else fail(new Error(`the server answered ${response.statusCode}: ${text.slice(0, 200)}`))
        })
      },
    )
    sent.on('error', fail)
    sent.end(body)
  })
}

/** Asks one webhook. Throws StatusError when it refuses, or when it cannot be asked and must be. */
async function ask(
  cluster: Cluster,
  { name, hook }: Hook,
  attempt: Attempt,
  by: WriteOptions,
): Promise<JsonObject> {
  const timeoutSeconds = numberAt(hook, 'timeoutSeconds') ?? 10
  const sideEffects = textAt(hook, 'sideEffects') ?? ''
  if (by.dryRun && !['None', 'NoneOnDryRun'].includes(sideEffects)) {
    throw badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`)
  }
  const described = describeAttempt(cluster, attempt, by)
  const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: described }
  let response: JsonObject | undefined
  try {
    const url = addressOf(cluster, hook, timeoutSeconds)
    const bundle = textAt(hook, 'clientConfig', 'caBundle')
    const text = JSON.stringify(review)
    const answer: unknown = JSON.parse(
      await post(cluster.webhookTargets, url, text, bundle, timeoutSeconds * 1000),
    )
    response = objectAt(answer, 'response')
    if (!response || response['uid'] !== described['uid'])
      throw new Error(
        `received invalid webhook response: expected response.uid=${JSON.stringify(described['uid'])}`,
      )
  } catch (error) {
    if (!isStrict(hook)) return { allowed: true }
    const text = error instanceof Error ? error.message : String(error)
    const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    throw uncallable(name, `failed to call webhook: ${isLate ? 'context deadline exceeded' : text}`)
  }
  for (const warning of listAt(response, 'warnings')) if (typeof warning === 'string') by.warn?.(warning)
  if (response['allowed'] !== true) throw refusal(name, objectAt(response, 'status'))
  return response
}

function refusal(name: string, status: JsonObject | undefined): StatusError {
  const said = textAt(status, 'message') ?? textAt(status, 'reason') ?? ''
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`
  const message = said === '' ? `${denied} without explanation` : `${denied}: ${said}`
  // A refusal is an error whatever number it comes with.
  const code = Math.max(400, numberAt(status, 'code') ?? 400)
  return new StatusError(
    Math.min(code, 599),
    textAt(status, 'reason') ?? '',
    message,
    objectAt(status, 'details'),
  )
}

function patched(object: KubeObject, response: JsonObject): KubeObject {
  const patch = textAt(response, 'patch')
  if (patch === undefined) return object
  const parsed: Json = JSON.parse(Buffer.from(patch, 'base64').toString('utf8'))
  return asObject(applyJsonPatch(object, parsed))
}

/**
 * Asks the webhooks about what a client wants to write: those that may change it one after the other, then those that
 * only judge. `object` is what would be stored. Returns what is to be stored instead.
 */
export async function askWebhooks(cluster: Cluster, attempt: Attempt, by: WriteOptions): Promise<KubeObject> {
  let { object } = attempt
  for (const hook of hooksFor(cluster, mutatingWebhooks, attempt, by)) {
    const response = await ask(cluster, hook, { ...attempt, object }, by)
    try {
      object = patched(object, response)
    } catch (error) {
      throw uncallable(hook.name, error instanceof Error ? error.message : String(error))
    }
  }
  const last = { ...attempt, object }
  await Promise.all(
    hooksFor(cluster, validatingWebhooks, last, by).map((hook) => ask(cluster, hook, last, by)),
  )
  return object
}

export function hasWebhooks({ store }: Cluster): boolean {
  return store.count(mutatingWebhooks.key) + store.count(validatingWebhooks.key) > 0
}
