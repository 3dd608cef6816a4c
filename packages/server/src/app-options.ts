import type { DatabaseConfig } from './platform/db/database.ts'
import type { AnonymousLimits } from './platform/http/anonymous-limits.ts'
import type { RateLimits } from './platform/http/rate-limits.ts'

export type AppOptions = Pick<DatabaseConfig, 'connectWithinMs'> & {
  /** Others than the product's, for tests. */
  rateLimits?: Partial<RateLimits>
  anonymousLimits?: Partial<AnonymousLimits>
  /** Default true. False: a crash of the machine, not of a server, may cost the data of embedded databases. */
  isDurable?: boolean | undefined
}
