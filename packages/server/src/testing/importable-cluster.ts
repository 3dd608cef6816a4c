import 'reflect-metadata'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type SandboxOptions } from '@bey/sandbox'
import { Pkcs10CertificateRequestGenerator, PemConverter } from '@peculiar/x509'
import { setTimeout as delay } from 'node:timers/promises'
import { stringify } from 'yaml'

type Part = Record<string, unknown>
export type KubeconfigPart = { name: string; user: Part; cluster?: Part; namespace?: string }

const base64 = (text: string) => Buffer.from(text).toString('base64')
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A cluster that nobody of this server started, with whatever a kubeconfig for it may need. Call `remove` at the end. */
export async function startImportable(options: Partial<SandboxOptions> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'bey-importable-'))
  const given = { dir, name: 'outside', speed: 100, seed: 7, ...options }
  let sandbox = await startSandbox(given)
  /** As the administrator. Throws for anything but success. */
  function call(method: string, path: string, body?: unknown, mediaType = 'application/json'): Promise<Part> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const sent = request(
        new URL(path, sandbox.url),
        {
          method,
          ca: sandbox.caPem,
          agent: false,
          headers: {
            authorization: `Bearer ${sandbox.adminToken}`,
            ...(text && { 'content-type': mediaType }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => {
            const reply = Buffer.concat(chunks).toString()
            if ((answer.statusCode ?? 0) >= 300) reject(new Error(`${method} ${path}: ${reply}`))
            else resolve(JSON.parse(reply) as Part)
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }

  async function issued(path: string): Promise<string> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const { status } = (await call('GET', path)) as { status?: { certificate?: string } }
      if (status?.certificate !== undefined) return status.certificate
      await delay(20)
    }
    throw new Error('No certificate was issued')
  }

  const rbac = 'rbac.authorization.k8s.io'

  return {
    call,
    get url() {
      return sandbox.url
    },
    get caPem() {
      return sandbox.caPem
    },
    admin: () => ({ token: sandbox.adminToken }),
    stop: () => sandbox.stop(),
    async remove() {
      await sandbox.stop()
      await rm(dir, { recursive: true, force: true })
    },
    async restart() {
      sandbox = await startSandbox(given)
    },
    /** As after an empty etcd: the same address and certificates, none of the objects, and versions that begin again. */
    async empty() {
      const port = Number(new URL(sandbox.url).port)
      await sandbox.stop()
      const files = await readdir(dir)
      const stored = files.filter((name) => /^(log|snapshot)[-.]/.test(name))
      await Promise.all(stored.map((name) => rm(join(dir, name))))
      sandbox = await startSandbox({ ...given, port })
    },

    /** A user whose client certificate the cluster's own authority signed. */
    async clientCertificate(name: string, groups: string[] = []): Promise<Part> {
      const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
      const subject = [`CN=${name}`, ...groups.map((group) => `O=${group}`)].join(',')
      const csr = await Pkcs10CertificateRequestGenerator.create({
        name: subject,
        keys,
        signingAlgorithm: algorithm,
      })
      const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
      const spec = {
        request: base64(csr.toString('pem')),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
      }
      const made = await call('POST', path, {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: `for-${name}` },
        spec,
      })
      const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'For a test' }]
      await call('PUT', `${path}/for-${name}/approval`, { ...made, status: { conditions } })
      const certificate = await issued(`${path}/for-${name}`)
      const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
      return { 'client-certificate-data': certificate, 'client-key-data': base64(key) }
    },

    async namespace(name: string): Promise<void> {
      await call('POST', '/api/v1/namespaces', { metadata: { name } })
    },

    /** Binds a ClusterRole to a subject, in a namespace or, without one, in the whole cluster. */
    async bind(role: string, subject: Part, namespace?: string): Promise<void> {
      const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding'
      const where = namespace === undefined ? '' : `/namespaces/${namespace}`
      await call('POST', `/apis/${rbac}/v1${where}/${kind.toLowerCase()}s`, {
        apiVersion: `${rbac}/v1`,
        kind,
        metadata: { generateName: 'test-' },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
        subjects: [subject],
      })
    },

    /** A service account with a token. */
    async account(name: string, namespace: string): Promise<{ subject: Part; user: Part }> {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts`
      await call('POST', path, { metadata: { name } })
      const body = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 3600 },
      }
      const { status } = (await call('POST', `${path}/${name}/token`, body)) as { status: { token: string } }
      return { subject: { kind: 'ServiceAccount', name, namespace }, user: { token: status.token } }
    },

    /** A kubeconfig with a context, a cluster and a user each. */
    kubeconfig: (parts: readonly KubeconfigPart[]): string =>
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: parts.map(({ name, cluster }) => ({
          name,
          cluster: { server: sandbox.url, 'certificate-authority-data': base64(sandbox.caPem), ...cluster },
        })),
        users: parts.map(({ name, user }) => ({ name, user })),
        contexts: parts.map(({ name, namespace }) => ({
          name,
          context: { cluster: name, user: name, ...(namespace && { namespace }) },
        })),
      }),
  }
}

export type ImportableCluster = Awaited<ReturnType<typeof startImportable>>
