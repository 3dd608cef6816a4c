import 'reflect-metadata'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as x509 from '@peculiar/x509'
import { expect, onTestFinished, test } from 'vitest'

import { createAuthority, createLeaf, type KeyPair } from '../../../platform/certificate/certificate.ts'
import { testApp } from '../../../testing/app.ts'

const app = await testApp({ role: 'web' })

/** A store behind TLS that answers as Prometheus does. */
async function storeWith({ keyPem, certificatePem }: KeyPair): Promise<string> {
  const server = createServer({ key: keyPem, cert: certificatePem }, (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `https://127.0.0.1:${port}`
}

async function signedByItself(now: Date): Promise<KeyPair> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const expiresAt = new Date(now.getTime() + 86_400_000)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=127.0.0.1',
    notBefore: now,
    notAfter: expiresAt,
    keys,
    signingAlgorithm: algorithm,
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    keyPem: x509.PemConverter.encode(key, 'PRIVATE KEY'),
    certificatePem: certificate.toString('pem'),
    expiresAt,
  }
}

test('a certificate that is not trusted, or is for another name, is named; the authority of the source makes it trusted', async () => {
  const { token, organizationId } = await app.given.user({ role: 'ADMIN' })
  const problem = async (url: string, caPem?: string) => {
    const target = { kind: 'url', url, ...(caPem !== undefined && { caPem }) }
    const { status, body, text } = await app.ask('POST', '/api/metrics-sources/test', {
      token,
      organizationId,
      body: { target },
    })
    expect(status, text).toBe(200)
    return body.problem
  }
  const now = new Date()
  const authority = await createAuthority(now)
  const selfSigned = await storeWith(await signedByItself(now))
  const ofAuthority = await storeWith(authority)
  const right = await storeWith(await createLeaf(authority, ['127.0.0.1'], now))
  const otherName = await storeWith(await createLeaf(authority, ['metrics.example.com'], now))
  const host = (url: string) => new URL(url).host

  expect(await problem(selfSigned)).toBe(`${host(selfSigned)} shows a certificate that signs itself.`)
  expect(await problem(ofAuthority)).toBe(`${host(ofAuthority)} shows a certificate that is not for servers.`)
  expect(await problem(right)).toBe(`${host(right)} shows a certificate that cannot be verified.`)
  expect(await problem(right, authority.certificatePem)).toBeNull()
  expect(await problem(otherName, authority.certificatePem)).toBe(
    `${host(otherName)} shows a certificate for another name.`,
  )
  const another = await createAuthority(now)
  expect(await problem(right, another.certificatePem)).toContain('shows a certificate')
})
