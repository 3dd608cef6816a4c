import { connectionSentence } from '../../outbound/connection-sentence.ts'
import { type KeyService, KeyServiceProblem } from './key-service.ts'
import type { KmsSettings } from './read-kms.ts'

/** Bound to what is wrapped: a grant may name it, and the trail of AWS shows it. */
const context = { application: 'bey', purpose: 'root key' }
/** Tells its ciphertexts from those of other services. */
const prefix = 'aws-kms:'

type Operation = 'Encrypt' | 'Decrypt'
type Place = { where: string; name: string; host: string; key: string; attemptMs: number }

/**
 * AWS KMS (https://docs.aws.amazon.com/kms/latest/APIReference/), with the credentials that AWS gives to a server: of the environment,
 * of a profile, of a role of its pod or machine. `attemptMs` bounds each request.
 */
export async function openKms(
  { key, region, endpoint }: KmsSettings,
  attemptMs: number,
): Promise<KeyService> {
  // Loaded by those who use it alone.
  const { DecryptCommand, EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms')
  const host = endpoint === undefined ? `kms.${region}.amazonaws.com` : new URL(endpoint).host
  const where = endpoint === undefined ? `AWS KMS in ${region}` : host
  const name = `the key "${key}" of ${where}`
  const client = new KMSClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    // A start tries again by itself, and says so.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: attemptMs, requestTimeout: attemptMs },
  })
  const place = { where, name, host, key, attemptMs }

  async function ask<T>(operation: Operation, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(attemptMs)
    try {
      return await work(signal)
    } catch (error) {
      if (error instanceof KeyServiceProblem) throw error
      throw problemOf(error, operation, place, signal.aborted)
    }
  }

  const bytesOf = (bytes: Uint8Array | undefined): Buffer => {
    if (bytes !== undefined && bytes.length > 0) return Buffer.from(bytes)
    throw final(`${where} answered something else than AWS KMS does. See what BEY_KMS_ENDPOINT names.`)
  }

  return {
    name,
    wrap: (rootKey) =>
      ask('Encrypt', async (abortSignal) => {
        const command = new EncryptCommand({ KeyId: key, Plaintext: rootKey, EncryptionContext: context })
        const { CiphertextBlob } = await client.send(command, { abortSignal })
        return `${prefix}${bytesOf(CiphertextBlob).toString('base64')}`
      }),
    unwrap: (ciphertext) =>
      ask('Decrypt', async (abortSignal) => {
        if (!ciphertext.startsWith(prefix)) throw notOpened(place)
        const CiphertextBlob = Buffer.from(ciphertext.slice(prefix.length), 'base64')
        const command = new DecryptCommand({ KeyId: key, CiphertextBlob, EncryptionContext: context })
        const { Plaintext } = await client.send(command, { abortSignal })
        return bytesOf(Plaintext)
      }),
    close: async () => client.destroy(),
  }
}

const final = (message: string) => new KeyServiceProblem(message, { isTransient: false })
const passing = (message: string, cause?: unknown) =>
  new KeyServiceProblem(message, { isTransient: true, ...(cause !== undefined && { cause }) })

const notOpened = ({ name }: Place) =>
  final(
    `The wrapped root key does not open with ${name}: another key or service wrapped it, or it was changed. Set BEY_KMS_KEY to the key that wrapped it, or restore the wrapped root key.`,
  )

/** What an error of the client means. Neither its text nor its parts are repeated: they may hold what was sent. */
function problemOf(error: unknown, operation: Operation, place: Place, isLate: boolean): KeyServiceProblem {
  const { where, name, host, key, attemptMs } = place
  const kind = error instanceof Error ? error.name : ''
  const status = statusOf(error)
  if (isLate || kind === 'TimeoutError') {
    return passing(
      `${where}, which has the root key, did not answer within ${attemptMs / 1_000} s. See whether it can be reached from here.`,
    )
  }
  switch (kind) {
    case 'AccessDeniedException':
      return final(
        `${where} does not let these credentials ${operation.toLowerCase()} with ${name}. Allow kms:${operation} on it, by its key policy or by IAM.`,
      )
    case 'NotFoundException':
      return final(
        `${where} has no key "${key}". Set BEY_KMS_KEY to its id, ARN or alias, and BEY_KMS_REGION to its region.`,
      )
    case 'DisabledException':
    case 'KMSInvalidStateException':
      return final(
        `${capital(name)} is disabled or waits for its deletion. Enable it, or cancel the deletion.`,
      )
    case 'InvalidKeyUsageException':
      return final(`${capital(name)} does not encrypt. Use a symmetric key of the usage ENCRYPT_DECRYPT.`)
    case 'InvalidCiphertextException':
    case 'IncorrectKeyException':
      return notOpened(place)
    case 'CredentialsProviderError':
      return passing(
        `There are no credentials for ${where}. Give the server a role, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
      )
    case 'UnrecognizedClientException':
    case 'InvalidClientTokenId':
    case 'InvalidSignatureException':
    case 'IncompleteSignatureException':
    case 'ExpiredTokenException':
    case 'MissingAuthenticationTokenException':
      return final(
        `${where} does not accept the credentials: they have expired, were revoked, or belong to another account. Give the server valid ones.`,
      )
    default:
  }
  if (status === undefined && error instanceof Error && 'code' in error) return connectionProblem(error, host)
  if (
    status === 429 ||
    (status ?? 0) >= 500 ||
    /Throttling|LimitExceeded|Unavailable|DependencyTimeout/.test(kind)
  )
    return passing(`${where} cannot give the root key at the moment (status ${status ?? 'unknown'}).`)
  return final(`${where} answered with status ${status ?? 'unknown'}. See what BEY_KMS_ENDPOINT names.`)
}

function connectionProblem(cause: Error, host: string): KeyServiceProblem {
  const isTls = /CERT|SIGNATURE|ALTNAME|ISSUER|SSL|EPROTO|INVALID_PURPOSE/.test(
    'code' in cause ? String(cause.code) : '',
  )
  const what = connectionSentence(cause, host)
  return isTls
    ? final(`${what} Mend BEY_KMS_ENDPOINT, or add its authority to those of this machine.`)
    : passing(
        `${what} It has the root key, without which Bey does not start. Mend the way to it, or BEY_KMS_ENDPOINT.`,
      )
}

/** Of the reply; undefined where there was none. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined
  const metadata = error.$metadata
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined
  return typeof status === 'number' ? status : undefined
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
