import type { Role } from '@bey/contract'
import { and, asc, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { memberships } from '../../tables/memberships.ts'
import { users } from '../../tables/users.ts'

export type MemberFilter = {
  search?: string | undefined
  role?: Role | undefined
  sort: keyof typeof columns
  order?: 'asc' | 'desc' | undefined
  page: number
  limit: number
}

const lastSeenAt = sql<string | null>`seen.last_seen_at`

/** What a list can be sorted by; roles by what they may, the mightiest first. */
const columns = {
  name: sql`lower(${users.name})`,
  email: users.email,
  role: sql`array_position(array['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'], ${memberships.role})`,
  joinedAt: memberships.createdAt,
  lastSeenAt,
}

export async function listMembers(db: Db, organizationId: number, filter: MemberFilter) {
  const conditions: (SQL | undefined)[] = [eq(memberships.organizationId, organizationId)]
  if (filter.role !== undefined) conditions.push(eq(memberships.role, filter.role))
  if (filter.search) {
    const part = containing(filter.search)
    conditions.push(or(ilike(users.name, part), ilike(users.email, part)))
  }
  const where = and(...conditions)
  const byColumn = (filter.order === 'desc' ? desc : asc)(columns[filter.sort])
  const [rows, total] = await Promise.all([
    db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
        role: memberships.role,
        joinedAt: memberships.createdAt,
        lastSeenAt,
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      // Sessions are their users' own: the function returns only when those of this organization's members were used.
      .leftJoin(sql`last_seen_of_members() seen`, sql`seen.user_id = ${memberships.userId}`)
      .where(where)
      .orderBy(sql`${byColumn} nulls last`, asc(users.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(
      db,
      sql`select 1 from ${memberships} join ${users} on ${users.id} = ${memberships.userId} where ${where}`,
    ),
  ])
  return { rows, ...total }
}
