import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export const kmsCredentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'kms-secret-canary' }
const region = 'eu-central-1'

type Answer = [status: number, body: object]
type Asked = { KeyId?: string; Plaintext?: string; CiphertextBlob?: string; EncryptionContext?: object }

/**
 * AWS KMS, for one test: operations, errors and signatures as its API reference has them (AWS Signature Version 4 is checked), with
 * AES-256-GCM under keys of its own. `state` lets it deny, throttle, fail or hang.
 */
export async function kmsServer() {
  const keys = new Map<string, { id: string; key: Buffer; isEnabled: boolean }>()
  const state = { mode: 'answers' as 'answers' | 'denies' | 'throttles' | 'fails' | 'hangs' | 'strange' }
  const requests: { target: string; context: object | undefined }[] = []
  const counts = { received: 0 }

  function addKey(alias: string) {
    const key = { id: randomUUID(), key: randomBytes(32), isEnabled: true }
    keys.set(alias, key)
    keys.set(key.id, key)
    return key
  }

  const fault = (status: number, type: string): Answer => [status, { __type: type, message: 'Said by AWS.' }]

  function answer(request: IncomingMessage, body: Buffer): Answer {
    const [service, operation] = String(request.headers['x-amz-target']).split('.')
    if (service !== 'TrentService') return fault(400, 'UnknownOperationException')
    if (!isSigned(request, body)) return fault(400, 'InvalidSignatureException')
    if (state.mode === 'denies') return fault(400, 'AccessDeniedException')
    if (state.mode === 'throttles') return fault(400, 'ThrottlingException')
    if (state.mode === 'fails') return fault(500, 'KMSInternalException')
    if (state.mode === 'strange') return [200, {}]
    const asked = JSON.parse(body.toString()) as Asked
    requests.push({ target: operation ?? '', context: asked.EncryptionContext })
    const key = keys.get(asked.KeyId ?? '')
    if (key === undefined) return fault(400, 'NotFoundException')
    if (!key.isEnabled) return fault(400, 'DisabledException')
    const bound = JSON.stringify(asked.EncryptionContext ?? {})
    if (operation === 'Encrypt') {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key.key, nonce).setAAD(Buffer.from(bound))
      const sealed = [cipher.update(asked.Plaintext ?? '', 'base64'), cipher.final()]
      const blob = Buffer.concat([Buffer.from(key.id), nonce, ...sealed, cipher.getAuthTag()])
      return [200, { KeyId: key.id, CiphertextBlob: blob.toString('base64') }]
    }
    const blob = Buffer.from(asked.CiphertextBlob ?? '', 'base64')
    const [id, nonce] = [blob.subarray(0, 36).toString(), blob.subarray(36, 48)]
    if (!keys.has(id)) return fault(400, 'InvalidCiphertextException')
    if (id !== key.id) return fault(400, 'IncorrectKeyException')
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.key, nonce)
        .setAAD(Buffer.from(bound))
        .setAuthTag(blob.subarray(-16))
      const opened = Buffer.concat([decipher.update(blob.subarray(48, -16)), decipher.final()])
      return [200, { KeyId: key.id, Plaintext: opened.toString('base64') }]
    } catch {
      return fault(400, 'InvalidCiphertextException')
    }
  }

  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      counts.received += 1
      if (state.mode === 'hangs') return
      const [status, reply] = answer(request, body)
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(close)
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}`, host, region, keys, addKey, state, requests, counts, close }
}

/** Checks AWS Signature Version 4 (https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html). */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      String(request.headers.authorization),
    )
  if (found === null) return false
  const [, id, day = '', signedRegion = '', names = '', signature] = found
  if (id !== kmsCredentials.accessKeyId || signedRegion !== region) return false
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const digest = createHash('sha256').update(body).digest('hex')
  const canonical = `POST\n/\n\n${headers.join('')}\n${names}\n${digest}`
  const scope = `${day}/${signedRegion}/kms/aws4_request`
  const hashed = createHash('sha256').update(canonical).digest('hex')
  const toSign = `AWS4-HMAC-SHA256\n${String(request.headers['x-amz-date'])}\n${scope}\n${hashed}`
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = hmac(
    hmac(hmac(hmac(`AWS4${kmsCredentials.secretAccessKey}`, day), signedRegion), 'kms'),
    'aws4_request',
  )
  return createHmac('sha256', key).update(toSign).digest('hex') === signature
}
