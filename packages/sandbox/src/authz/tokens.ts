import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { at, isObject, numberAt, textAt } from '../json.ts'

export type TokenClaims = { namespace: string; serviceAccount: string; uid: string; expiresAtMs: number }

const issuer = 'https://kubernetes.default.svc.cluster.local'

function sign(text: string, key: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** A JSON Web Token for a service account, as TokenRequest hands out. */
export function issueToken(
  claims: TokenClaims,
  key: string,
  nowMs: number,
  audiences: readonly string[],
): string {
  const { namespace, serviceAccount: name, uid } = claims
  const nowSeconds = Math.floor(nowMs / 1000)
  const payload = {
    aud: audiences.length > 0 ? audiences : [issuer],
    exp: Math.floor(claims.expiresAtMs / 1000),
    iat: nowSeconds,
    iss: issuer,
    jti: randomUUID(),
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    nbf: nowSeconds,
    sub: `system:serviceaccount:${namespace}:${name}`,
  }
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  return `${text}.${sign(text, key).toString('base64url')}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The claims of a token that this key signed and that has not expired, else undefined. */
export function readToken(token: string, key: string, nowMs: number): TokenClaims | undefined {
  const [header = '', body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || signature === '') return undefined
  const expected = sign(`${header}.${body}`, key)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const payload = parse(body)
  const owner = at(payload, 'kubernetes.io')
  const namespace = textAt(owner, 'namespace')
  const serviceAccount = textAt(owner, 'serviceaccount', 'name')
  const uid = textAt(owner, 'serviceaccount', 'uid')
  const expiresAtMs = (numberAt(payload, 'exp') ?? 0) * 1000
  if (!isObject(payload) || !namespace || !serviceAccount || !uid || expiresAtMs <= nowMs) return undefined
  return { namespace, serviceAccount, uid, expiresAtMs }
}
