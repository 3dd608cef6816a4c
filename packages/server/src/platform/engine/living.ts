import { sql } from 'drizzle-orm'

/** Holds for rows of `processes` (as `p`) whose process lives: it writes its heartbeat each second. */
export const isLiving = sql`p.heartbeat_at > now() - interval '10 seconds'`
