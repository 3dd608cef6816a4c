import { sql } from 'drizzle-orm'

import { auditEntries } from '../../tables/audit-entries.ts'

const { actorDisplay, actorEmail } = auditEntries

/** The actor of an entry as pages name them in one text: `actorText` of the contract. */
export const actorLabel = sql<string>`case
  when ${actorEmail} is null or ${actorEmail} = ${actorDisplay} then ${actorDisplay}
  else ${actorDisplay} || ' (' || ${actorEmail} || ')' end`
