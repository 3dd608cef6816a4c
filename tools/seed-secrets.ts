import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { CallInput } from '@bey/contract'
import type { BeySession } from './api-session.ts'
import { createAuthority, createLeaf } from '../packages/server/src/platform/certificate/certificate.ts'

type NewSecret = NonNullable<CallInput<'secrets.create'>['body']>

const random = (bytes = 24) => randomBytes(bytes).toString('base64url')
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Secrets of every type, where there are none: values are random, the rest is what a team would write. Answers the id of the first one. */
export async function seedSecrets(session: BeySession): Promise<string> {
  const { client } = session
  const { secrets } = await client.call('secrets.list', { query: { limit: 1 } })
  if (secrets[0]) return secrets[0].id
  const ids: string[] = []
  for (const body of secretsOfATeam(await serverCertificate()))
    ids.push((await client.call('secrets.create', { body })).id)
  const [first, second] = ids
  if (first === undefined || second === undefined) throw new Error('No secret was created.')
  await seedHistory(session, first)
  await client.call('secrets.update', { params: { id: second }, body: { status: 'disabled' } })
  return first
}

/** Newer versions, a read, and a way back. */
async function seedHistory({ client }: BeySession, id: string): Promise<void> {
  const params = { id }
  for (const reason of ['Seen in a screen share', 'Monthly rotation']) {
    await client.call('secrets.update', { params, body: { value: databaseLogin(), reason } })
  }
  await client.call('secrets.reveal', { params, body: { reason: 'Orders import cannot log in' } })
  await client.call('secrets.reveal', { params, body: { reason: 'Restore drill of orders-pg', version: 2 } })
}

function databaseLogin() {
  return {
    engine: 'postgres',
    host: 'orders-pg.payments.svc.cluster.local',
    port: '5432',
    database: 'orders',
    username: 'orders',
    password: random(),
  }
}

function secretsOfATeam(certificate: NewSecret['value']): NewSecret[] {
  return [
    {
      name: 'orders/db-login',
      description: 'Login of the orders service to its database',
      type: 'database',
      value: databaseLogin(),
      labels: { team: 'payments', environment: 'production' },
    },
    {
      name: 'legacy/ftp-password',
      description: 'Transfers of the old shop',
      type: 'password',
      value: random(),
      labels: { team: 'shop' },
    },
    {
      name: 'ingress/shop.example.com',
      description: 'Server certificate of the shop',
      type: 'certificate',
      value: certificate,
      labels: { team: 'web', environment: 'production' },
    },
    {
      name: 'payments/provider-key',
      description: 'Charges cards',
      type: 'api_key',
      value: `live_${random()}`,
      labels: { team: 'payments', environment: 'production' },
      requireCas: true,
    },
    {
      name: 'mail/relay-token',
      description: 'Sends receipts',
      type: 'api_key',
      value: random(),
      labels: { team: 'web' },
      expiresAt: inDays(9),
    },
    {
      name: 'ci/deploy-key',
      description: 'Pushes releases to the mirrors',
      type: 'ssh_key',
      value: { privateKey: sshKey() },
      labels: { team: 'platform' },
    },
    {
      name: 'registry/example-com',
      description: 'Pulls images of all services',
      type: 'registry',
      value: { server: 'registry.example.com', username: 'puller', password: random() },
      labels: { team: 'platform' },
    },
    {
      name: 'clusters/partner',
      description: 'Read-only access to the cluster of a partner',
      type: 'kubeconfig',
      value: kubeconfig(),
      labels: { team: 'platform' },
    },
    {
      name: 'catalog/search-signing-key',
      description: 'Signs links to search results',
      type: 'opaque',
      value: random(48),
      labels: { team: 'catalog', environment: 'production' },
    },
  ]
}

async function serverCertificate() {
  const authority = await createAuthority(new Date())
  const leaf = await createLeaf(authority, ['shop.example.com', 'www.shop.example.com'], new Date())
  return { certificate: `${leaf.certificatePem}\n${authority.certificatePem}`, privateKey: leaf.keyPem }
}

function sshKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function kubeconfig(): string {
  return `apiVersion: v1
kind: Config
clusters:
  - name: partner
    cluster: { server: "https://partner.example.com:6443" }
users:
  - name: reader
    user: { token: ${random()} }
contexts:
  - name: partner-read-only
    context: { cluster: partner, user: reader }
current-context: partner-read-only
`
}
