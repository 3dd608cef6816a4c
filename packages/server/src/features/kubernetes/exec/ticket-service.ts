import { serviceSessionSeconds, streamTicketSeconds } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { hashToken, newToken } from '../../../platform/crypto/token.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import { accessTickets } from '../../../tables/access-tickets.ts'
import type { ClusterSummaries } from '../connection/ports.ts'

type IssuedTicket = { ticket: string; expiresAt: Date }

/** Both throw AppError `not_found`, or `conflict` while the cluster cannot be expected to answer. */
export type TicketService = {
  /** Opens one WebSocket to exactly this path. */
  forStream(caller: TenantCaller, clusterId: number, path: string): Promise<IssuedTicket>
  /** Reads whatever is below this path. */
  forService(caller: TenantCaller, clusterId: number, path: string): Promise<IssuedTicket>
}

export function createTicketService({
  database,
  clusters,
  clock,
}: {
  database: Pick<Database, 'withTenant'>
  clusters: Pick<ClusterSummaries, 'getRunning'>
  clock: Clock
}): TicketService {
  async function issue(
    { organizationId, sessionId }: TenantCaller,
    clusterId: number,
    kind: 'stream' | 'service',
    path: string,
    seconds: number,
  ): Promise<IssuedTicket> {
    await clusters.getRunning(organizationId, clusterId)
    const ticket = newToken('bey_ticket')
    const expiresAt = new Date(clock.now().getTime() + seconds * 1000)
    await database.withTenant(organizationId, (db) =>
      db.insert(accessTickets).values({
        id: uuidv7(),
        organizationId,
        clusterId,
        sessionId,
        kind,
        ticketHash: hashToken(ticket),
        path,
        expiresAt,
      }),
    )
    return { ticket, expiresAt }
  }

  return {
    forStream: (caller, clusterId, path) => issue(caller, clusterId, 'stream', path, streamTicketSeconds),
    forService: (caller, clusterId, path) => issue(caller, clusterId, 'service', path, serviceSessionSeconds),
  }
}
