import type { TokenRow } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { act } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import { endAccess } from '../../platform/live/access-end.ts'

type Page = { page: number; limit: number }

export type TokenListService = {
  list(query: Page, caller: Caller): Promise<{ tokens: TokenRow[]; total: number } & Page>
  /** Throws `not_found` for what is no live key or token of the user. */
  end(id: string, caller: Caller): Promise<null>
}

/**
 * What acts for a user without a session, in all their organizations. Its own pages list it by organization and by
 * cluster; a person who has lost a machine wants all of it at once.
 */
export function createTokenList(options: {
  database: Pick<Database, 'asSystem'>
  clock: Clock
}): TokenListService {
  const { database, clock } = options

  return {
    list: ({ page, limit }, caller) =>
      database.asSystem('list the tokens of a user', async (db) => {
        const live = liveTokens(caller.user.id, clock.now())
        const { rows } = await db.execute<FoundToken>(sql`
          select t.id, t.kind, t.name, t.detail, t.organization_id as "organizationId",
            o.name as "organizationName", t.created_at as "createdAt", t.last_used_at as "lastUsedAt",
            t.expires_at as "expiresAt"
          from (${live}) t join organizations o on o.id = t.organization_id
          order by t.created_at desc, t.id desc
          limit ${limit} offset ${(page - 1) * limit}`)
        const counted = await db.execute<{ total: number }>(
          sql`select count(*)::int as total from (${live}) t`,
        )
        return { tokens: rows.map(present), total: counted.rows[0]?.total ?? 0, page, limit }
      }),

    end: (id, caller) =>
      database.asSystem('revoke a token of a user', async (db) => {
        const isEnded =
          (await revokeKey(db, id, caller, clock.now())) || (await revokeToken(db, id, caller, clock.now()))
        if (isEnded) return null
        throw new AppError('not_found', 'You have no such key or token. It may have ended already.')
      }),
  }
}

type FoundToken = Pick<TokenRow, 'id' | 'kind' | 'name' | 'detail'> & {
  organizationId: number
  organizationName: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

function liveTokens(userId: number, now: Date) {
  const at = now.toISOString()
  return sql`
    select k.id, 'api_key' as kind, k.name, s.start as detail, k.organization_id, k.created_at, k.last_used_at, k.expires_at
    from api_keys k join api_key_secrets s on s.key_id = k.id and s.valid_until is null
    where k.owner_id = ${userId} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${at}::timestamptz)
    union all
    select t.id, 'kubeconfig', t.label, c.title, t.organization_id, t.created_at, t.last_used_at, t.expires_at
    from kubeconfig_tokens t
    join clusters c on c.organization_id = t.organization_id and c.id = t.cluster_id
    where t.user_id = ${userId} and t.revoked_at is null and t.expires_at > ${at}::timestamptz`
}

function present({ organizationId, organizationName, ...row }: FoundToken): TokenRow {
  const time = (at: string | null) => at && new Date(at).toISOString()
  return {
    ...row,
    organization: { id: organizationId, name: organizationName },
    createdAt: new Date(row.createdAt).toISOString(),
    lastUsedAt: time(row.lastUsedAt),
    expiresAt: time(row.expiresAt),
  }
}

async function revokeKey(db: Db, id: string, caller: Caller, now: Date): Promise<boolean> {
  const { rows } = await db.execute<{ organizationId: number; name: string }>(sql`
    update api_keys set revoked_at = ${now.toISOString()}
    where id = ${id} and owner_id = ${caller.user.id} and revoked_at is null
    returning organization_id as "organizationId", name`)
  const [key] = rows
  if (key === undefined) return false
  const { organizationId, name } = key
  const secrets = await db.execute<{ id: string }>(sql`
    select id from api_key_secrets where organization_id = ${organizationId} and key_id = ${id}`)
  for (const secret of secrets.rows) await endAccess(db, { kind: 'key', id: secret.id })
  await act(
    db,
    { ...caller, organizationId },
    { action: 'api_key.revoke', class: 'access', target: { type: 'apiKey', id, name } },
  )
  return true
}

async function revokeToken(db: Db, id: string, caller: Caller, now: Date): Promise<boolean> {
  const { rows } = await db.execute<{ organizationId: number; clusterId: number; title: string }>(sql`
    update kubeconfig_tokens t set revoked_at = ${now.toISOString()}
    from clusters c
    where t.id = ${id} and t.user_id = ${caller.user.id} and t.revoked_at is null
      and c.organization_id = t.organization_id and c.id = t.cluster_id
    returning t.organization_id as "organizationId", t.cluster_id as "clusterId", c.title`)
  const [token] = rows
  if (token === undefined) return false
  await endAccess(db, { kind: 'token', id })
  await act(
    db,
    { ...caller, organizationId: token.organizationId },
    {
      action: 'kubeconfig.revoke',
      class: 'access',
      target: { type: 'cluster', id: token.clusterId, name: token.title },
      diff: { tokenId: id, userId: caller.user.id },
    },
  )
  return true
}
