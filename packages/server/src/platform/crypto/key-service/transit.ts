import { readFile } from 'node:fs/promises'

import { ConfigError } from '../../errors.ts'
import { connectionSentence } from '../../outbound/connection-sentence.ts'
import { trustOptions } from '../../outbound/tls-options.ts'
import { type KeyService, KeyServiceProblem } from './key-service.ts'
import { isToken, type TransitSettings } from './read-transit.ts'

/** Of one answer; a wrapped root key takes about a hundred bytes. */
const maxReplyBytes = 65_536

type Answer = { status: number; text: string }
type Operation = 'encrypt' | 'decrypt'

/**
 * The transit secrets engine of HashiCorp Vault or OpenBao (https://openbao.org/api-docs/secret/transit/). `attemptMs` bounds each
 * request. Throws ConfigError where the file of authorities cannot be read.
 */
export async function openTransit(settings: TransitSettings, attemptMs: number): Promise<KeyService> {
  const { url, mount, key, namespace, caFile } = settings
  const { host } = new URL(url)
  const name = `the key "${key}" of ${host}`
  const ca = caFile === undefined ? '' : await readAuthorities(caFile)
  const { Agent, request } = await import('undici')
  const agent = new Agent({
    connect: { timeout: attemptMs, ...trustOptions(ca) },
    maxResponseSize: maxReplyBytes,
  })

  async function send(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const token = settings.token ?? (await readTokenFile(settings.tokenFile))
    const signal = AbortSignal.timeout(attemptMs)
    try {
      const answer = await request(`${url}/v1/${path}`, {
        method,
        headers: {
          'user-agent': 'bey',
          // An agent in front may ask for it, to tell requests apart that a browser was made to send.
          'x-vault-request': 'true',
          ...(token !== undefined && { 'x-vault-token': token }),
          ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        dispatcher: agent,
        signal,
      })
      return { status: answer.statusCode, text: await answer.body.text() }
    } catch (cause) {
      throw connectionProblem(cause, host, signal.aborted ? attemptMs : undefined)
    }
  }

  async function ask(operation: Operation, field: 'plaintext' | 'ciphertext', body: object): Promise<string> {
    const answer = await send('POST', `${mount}/${operation}/${key}`, body)
    if (answer.status === 403) throw await refusal(operation)
    if (answer.status !== 200) throw problemOf(answer, operation, { ...settings, host, name })
    const value = dataOf(answer.text)?.[field]
    if (typeof value === 'string' && value !== '') return value
    throw new KeyServiceProblem(
      `${host} answered something else than a transit engine does. See what BEY_TRANSIT_URL and BEY_TRANSIT_MOUNT name.`,
      { isTransient: false },
    )
  }

  /** Both a token that has ended and one without the right answer 403; looking itself up is allowed to every token. */
  async function refusal(operation: Operation): Promise<KeyServiceProblem> {
    const isKnown = (await send('GET', 'auth/token/lookup-self')).status === 200
    const hasToken = settings.token !== undefined || settings.tokenFile !== undefined
    return new KeyServiceProblem(
      isKnown
        ? `The token may not ${operation} with ${name}. Give its policy the capability "update" on ${mount}/${operation}/${key}.`
        : hasToken
          ? `${host} does not accept the token: it has expired, was revoked, or belongs to another server. Set BEY_TRANSIT_TOKEN, or what BEY_TRANSIT_TOKEN_FILE names, to one that is valid.`
          : `${host} wants a token. Set BEY_TRANSIT_TOKEN or BEY_TRANSIT_TOKEN_FILE.`,
      { isTransient: false },
    )
  }

  return {
    name,
    wrap: (rootKey) => ask('encrypt', 'ciphertext', { plaintext: rootKey.toString('base64') }),
    unwrap: async (ciphertext) => Buffer.from(await ask('decrypt', 'plaintext', { ciphertext }), 'base64'),
    close: () => agent.destroy(),
  }
}

function connectionProblem(cause: unknown, host: string, timeoutMs: number | undefined): KeyServiceProblem {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (timeoutMs !== undefined || /TIMEOUT/.test(code)) {
    const within = timeoutMs === undefined ? 'in time' : `within ${timeoutMs / 1_000} s`
    return new KeyServiceProblem(
      `${host}, which has the root key, did not answer ${within}. See whether it works and can be reached from here.`,
      { isTransient: true, cause },
    )
  }
  const isTrusted = !/CERT|SIGNATURE|ALTNAME|ISSUER|SSL|EPROTO|INVALID_PURPOSE/.test(code)
  const what = connectionSentence(cause, host)
  return new KeyServiceProblem(
    isTrusted
      ? `${what} It has the root key, without which Bey does not start. Start it, or mend BEY_TRANSIT_URL.`
      : `${what} Set BEY_TRANSIT_CA_FILE to the authority of the key service, or mend BEY_TRANSIT_URL.`,
    { isTransient: isTrusted, cause },
  )
}

type Place = TransitSettings & { host: string; name: string }

/** What a status other than 200 and 403 means. Nothing of the answer is repeated. */
function problemOf({ status, text }: Answer, operation: Operation, place: Place): KeyServiceProblem {
  const { host, name, key, mount } = place
  const final = (message: string) => new KeyServiceProblem(message, { isTransient: false })
  const errors = errorsOf(text)
  if (status >= 300 && status < 400) {
    return final(
      `${host} redirects to another address, to which Bey does not send its token. Set BEY_TRANSIT_URL to the active server, or to what stands in front of all of them.`,
    )
  }
  if (status === 404) {
    return final(
      `${host} has no transit engine at "${mount}". Enable it, or set BEY_TRANSIT_MOUNT and BEY_TRANSIT_NAMESPACE.`,
    )
  }
  if (status === 400 && errors.includes('encryption key not found')) {
    return final(`${host} has no transit key "${key}". Create it, or set BEY_TRANSIT_KEY.`)
  }
  if (status === 400) {
    return final(
      operation === 'decrypt'
        ? `The wrapped root key does not open with ${name}: another key wrapped it, the version that wrapped it is not allowed any more, or it was changed. Set BEY_TRANSIT_KEY to the key that wrapped it, lower its min_decryption_version, or restore the wrapped root key.`
        : `The root key cannot be wrapped with ${name}. Use a key of a type that encrypts, such as aes256-gcm96, without derivation.`,
    )
  }
  if (status === 429 || status === 412 || status >= 500) {
    const message = errors.includes('sealed')
      ? `${host} is sealed, so it cannot give the root key. Unseal it.`
      : `${host} cannot give the root key at the moment (status ${status}). See its log.`
    return new KeyServiceProblem(message, { isTransient: true })
  }
  return final(`${host} answered with status ${status}. See what BEY_TRANSIT_URL and BEY_TRANSIT_MOUNT name.`)
}

/** `data` of a reply; undefined where there is none. */
function dataOf(text: string): Record<string, unknown> | undefined {
  const reply = parsed(text)
  const data = typeof reply === 'object' && reply !== null && 'data' in reply ? reply.data : undefined
  // Its fields are looked at one by one.
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined
}

/** The `errors` of a reply in one text, only to tell them apart. */
function errorsOf(text: string): string {
  const reply = parsed(text)
  const errors = typeof reply === 'object' && reply !== null && 'errors' in reply ? reply.errors : undefined
  return Array.isArray(errors) ? errors.join('\n') : ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in front answers in its own words.
    return undefined
  }
}

/** An agent may not have written it yet. */
async function readTokenFile(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new KeyServiceProblem(
      `BEY_TRANSIT_TOKEN_FILE names ${file}, which cannot be read (${cause.code}). Mend the path or its permissions.`,
      { isTransient: true, cause },
    )
  })
  if (isToken(text.trim())) return text.trim()
  throw new KeyServiceProblem(
    `BEY_TRANSIT_TOKEN_FILE names ${file}, which does not hold a token on one line.`,
    { isTransient: true },
  )
}

async function readAuthorities(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ConfigError(`BEY_TRANSIT_CA_FILE names ${file}, which cannot be read (${cause.code}).`, {
      cause,
    })
  })
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem
  throw new ConfigError(`BEY_TRANSIT_CA_FILE names ${file}, which holds no certificate in PEM.`)
}
