import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'

/** What Chromium sends over HTTPS and on localhost. */
export const browserEncodings = 'gzip, deflate, br, zstd'

/** Enough people that none of them meets the rate limit of 600 requests a minute. */
export async function viewers(
  database: Pick<pg.Pool, 'query'>,
  organizationId: number,
): Promise<Record<string, string>[]> {
  return Promise.all(
    Array.from({ length: 64 }, async (_, index) => {
      const token = randomBytes(32).toString('base64url')
      await database.query(
        `with person as (
           insert into users (email, name, active_organization_id) values ($1, 'Viewer', $2) returning id
         ), member as (
           insert into memberships (organization_id, user_id, role) select $2, id, 'VIEWER' from person
         )
         insert into sessions (id, user_id, token_hash, expires_at, ip, user_agent)
         select gen_random_uuid(), id, $3, now() + interval '1 hour', '127.0.0.1', 'bench' from person`,
        [`viewer-${index}@example.com`, organizationId, createHash('sha256').update(token).digest()],
      )
      return {
        authorization: `Bearer ${token}`,
        'x-organization-id': String(organizationId),
        'accept-encoding': browserEncodings,
      }
    }),
  )
}
