import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** What a token may do, by paths such as `transit/decrypt/bey`. */
type Token = { value: string; paths: readonly string[] }

type Options = {
  /** PEM; undefined: plain HTTP. */
  tls?: { keyPem: string; certificatePem: string }
  mount?: string
  namespace?: string
}

/**
 * A server of the transit secrets engine, for one test: it answers as OpenBao 2 and Vault 1 do (paths, statuses and texts of errors
 * from their sources), with AES-256-GCM under keys with versions. `state` lets it be sealed, hang, redirect or fail.
 */
export async function transitServer({ tls, mount = 'transit', namespace }: Options = {}) {
  const keys = new Map<string, { versions: Buffer[]; minDecryptionVersion: number }>()
  const tokens = new Map<string, readonly string[]>()
  const state = { mode: 'answers' as 'answers' | 'sealed' | 'hangs' | 'redirects' | 'fails' }
  const requests: { path: string; token: string | undefined }[] = []

  function addKey(name: string): void {
    keys.set(name, { versions: [randomBytes(32)], minDecryptionVersion: 1 })
  }

  function addToken(...paths: string[]): Token {
    const value = `hvs.${randomBytes(18).toString('base64url')}`
    tokens.set(value, paths)
    return { value, paths }
  }

  function answer(request: IncomingMessage, body: string): [number, object] {
    const path = (request.url ?? '').replace(/^\/v1\//, '')
    const token = request.headers['x-vault-token']
    const errors = (status: number, ...texts: string[]): [number, object] => [status, { errors: texts }]
    if (state.mode === 'fails') return errors(500, 'internal error')
    if (state.mode === 'sealed') return errors(503, 'Vault is sealed')
    if (namespace !== undefined && request.headers['x-vault-namespace'] !== namespace)
      return errors(404, `no handler for route "${path}". route entry not found.`)
    const paths = typeof token === 'string' ? tokens.get(token) : undefined
    if (paths === undefined) return errors(403, 'permission denied')
    if (path === 'auth/token/lookup-self') return [200, { data: { policies: ['default'] } }]
    const [, operation, name = ''] =
      new RegExp(`^${mount}/(encrypt|decrypt)/([\\w.-]+)$`).exec(path) ?? ([] as string[])
    if (!paths.includes(path)) return errors(403, '1 error occurred:\n\t* permission denied\n\n')
    if (operation === undefined) return errors(404, `no handler for route "${path}". route entry not found.`)
    const key = keys.get(name)
    if (key === undefined) return errors(400, 'encryption key not found')
    const asked = JSON.parse(body) as { plaintext?: string; ciphertext?: string }
    if (operation === 'encrypt') {
      const version = key.versions.length
      const cipher = createCipheriv('aes-256-gcm', key.versions[version - 1] ?? '', randomNonce())
      const sealed = [lastNonce, cipher.update(asked.plaintext ?? '', 'base64'), cipher.final()]
      const ciphertext = `vault:v${version}:${Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64')}`
      return [200, { data: { ciphertext, key_version: version } }]
    }
    const [, version, encoded = ''] = /^vault:v(\d+):(.+)$/.exec(asked.ciphertext ?? '') ?? []
    if (version === undefined) return errors(400, 'invalid ciphertext: no prefix')
    if (Number(version) > key.versions.length) return errors(400, 'invalid ciphertext: version is too new')
    if (Number(version) < key.minDecryptionVersion)
      return errors(400, 'ciphertext or signature version is disallowed by policy (too old)')
    const sealed = Buffer.from(encoded, 'base64')
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        key.versions[Number(version) - 1] ?? '',
        sealed.subarray(0, 12),
      )
      decipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
      return [200, { data: { plaintext: plain.toString('base64') } }]
    } catch {
      // As the engine answers, whatever is wrong with it.
      return errors(400, 'invalid ciphertext: unable to decrypt')
    }
  }

  let lastNonce = randomBytes(12)
  const randomNonce = () => (lastNonce = randomBytes(12))

  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const token = request.headers['x-vault-token']
      requests.push({ path: request.url ?? '', token: typeof token === 'string' ? token : undefined })
      if (state.mode === 'hangs') return
      if (state.mode === 'redirects')
        return void response.writeHead(307, { location: `http://127.0.0.1:1${request.url ?? ''}` }).end()
      const [status, reply] = answer(request, body)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    })
  }
  const server =
    tls === undefined
      ? createHttpServer(listener)
      : createHttpsServer({ key: tls.keyPem, cert: tls.certificatePem }, listener)
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(close)
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    state,
    requests,
    keys,
    addKey,
    addToken,
    revoke: ({ value }: Token) => void tokens.delete(value),
    close,
    /** Listens again at the same port. */
    reopen: () => listen(port),
  }
}
