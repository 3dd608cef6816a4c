import { randomBytes } from 'node:crypto'
import { and, eq, or, gt, isNull, sql } from 'drizzle-orm'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { webhooks, webhookSecrets } from '../../tables/webhooks.ts'
import { insertSecret } from './store.ts'

/** A new signing secret as Standard Webhooks writes it: `whsec_` and 256 random bits in base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Names a value in its seal, so that one that was moved to another row does not open. */
const secretContext = (webhookId: string) => `webhook-secret:${webhookId}`
const headersContext = (webhookId: string) => `webhook-headers:${webhookId}`

type Of = { organizationId: number; webhookId: string }

export async function storeSecret(
  db: Db,
  dataKeys: DataKeys,
  { organizationId, webhookId }: Of,
  secret: string,
) {
  const sealed = await dataKeys.seal(db, organizationId, secret, secretContext(webhookId))
  await insertSecret(db, { id: uuidv7(), organizationId, webhookId, sealed })
}

/** Headers as they are stored: their names, and all of them sealed. */
export async function sealHeaders(
  db: Db,
  dataKeys: DataKeys,
  { organizationId, webhookId }: Of,
  headers: Readonly<Record<string, string>>,
) {
  const headerNames = Object.keys(headers)
  if (headerNames.length === 0) return { headerNames, headersSealed: null }
  const text = JSON.stringify(headers)
  return {
    headerNames,
    headersSealed: await dataKeys.seal(db, organizationId, text, headersContext(webhookId)),
  }
}

export type Opened = { url: string; headers: Record<string, string>; secrets: string[] }

/** What sending to a webhook takes: its URL, its headers, and the secrets that sign, the present one first. */
export async function openWebhook(
  db: Db,
  dataKeys: DataKeys,
  { organizationId, webhookId }: Of,
): Promise<Opened | undefined> {
  const of = and(eq(webhookSecrets.organizationId, organizationId), eq(webhookSecrets.webhookId, webhookId))
  const [[webhook], secrets] = await Promise.all([
    db
      .select({ url: webhooks.url, headersSealed: webhooks.headersSealed })
      .from(webhooks)
      .where(and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, webhookId))),
    db
      .select({ sealed: webhookSecrets.sealed })
      .from(webhookSecrets)
      .where(and(of, or(isNull(webhookSecrets.validUntil), gt(webhookSecrets.validUntil, sql`now()`))))
      .orderBy(sql`${webhookSecrets.validUntil} desc nulls first`)
      .limit(2),
  ])
  if (webhook === undefined) return undefined
  const open = await dataKeys.opener(db, organizationId)
  const headers: Record<string, string> = webhook.headersSealed
    ? JSON.parse(open(webhook.headersSealed, headersContext(webhookId)).toString('utf8'))
    : {}
  return {
    url: webhook.url,
    headers,
    secrets: secrets.map(({ sealed }) => open(sealed, secretContext(webhookId)).toString('utf8')),
  }
}
