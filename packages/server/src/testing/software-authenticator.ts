import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Json = Record<string, unknown>

const flags = { isPresent: 0x01, isVerified: 0x04, hasCredential: 0x40 }

/** An authenticator with one passkey (P-256), as a browser at `origin` would use it. */
export function createAuthenticator({
  origin,
  rpId = new URL(origin).hostname,
}: {
  origin: string
  rpId?: string
}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let counter = 0

  function clientData(type: 'webauthn.create' | 'webauthn.get', options: Json, at: string): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge: options['challenge'], origin: at, crossOrigin: false }),
    )
  }

  function authenticatorData(isNew: boolean, party: string): Buffer {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flag = flags.isPresent | flags.isVerified | (isNew ? flags.hasCredential : 0)
    const head = Buffer.concat([hash(party), Buffer.of(flag), count])
    if (!isNew) return head
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    return Buffer.concat([
      head,
      Buffer.alloc(16),
      length,
      credentialId,
      coseKey(publicKey.export({ format: 'jwk' })),
    ])
  }

  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  return {
    id,
    create(options: Json) {
      const object = new Map<string, string | Uint8Array | Map<string, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', new Uint8Array(authenticatorData(true, rpId))],
      ])
      return {
        ...shared,
        response: {
          clientDataJSON: clientData('webauthn.create', options, origin).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(object)).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** `at` and `party` for what a page of another site would get signed. */
    get(options: Json, { at = origin, party = rpId } = {}) {
      const data = authenticatorData(false, party)
      const client = clientData('webauthn.get', options, at)
      return {
        ...shared,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, hash(client)]), privateKey).toString('base64url'),
        },
      }
    },
  }
}

function hash(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function coseKey({ x = '', y = '' }: { x?: string; y?: string }): Buffer {
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  return Buffer.from(isoCBOR.encode(key))
}
