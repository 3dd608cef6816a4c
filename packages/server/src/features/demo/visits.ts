import { randomBytes } from 'node:crypto'
import type { User } from '@bey/contract'
import { eq } from 'drizzle-orm'
import type { Database, Db } from '../../platform/db/database.ts'
import { lockUntilCommit } from '../../platform/db/locks.ts'
import { AppError } from '../../platform/errors.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'
import { isFromThisMachine } from '../../platform/http/own-machine.ts'
import { users } from '../../tables/users.ts'
import type { createDemos } from './service.ts'
import { findVisitor } from './store.ts'

export type VisitDeps = {
  /** The ticket that one address carries: good once. */
  tickets: {
    issue(db: Db): Promise<string>
    /** Uses it up; false if it was used before, has expired, or never was. */
    take(db: Db, ticket: string): Promise<boolean>
  }
  /** Begins a session. */
  enter: (db: Db, userId: number, caller: PublicCaller) => Promise<{ token: string; user: User }>
  isLoopback: (host: string) => boolean
}

const visitorName = 'Demo visitor'

/**
 * Lets the person at this machine into the demo of an instance that was started to show one, without an account: the
 * visitor is made with the demo and goes with it. Later addresses open the demo that is there.
 */
export function createVisits(
  database: Database,
  demos: Pick<ReturnType<typeof createDemos>, 'making'>,
  { tickets, enter, isLoopback }: VisitDeps,
) {
  return {
    /** The part of an address that signs in, once. */
    issue: () => database.asSystem('issue a ticket for the demo', (db) => tickets.issue(db)),

    /** Throws AppError `forbidden` for other machines and `ticket_expired` for a ticket that is used up. */
    async visit(ticket: string, caller: PublicCaller): Promise<{ token: string; user: User }> {
      if (!isFromThisMachine(caller, isLoopback))
        throw new AppError(
          'forbidden',
          'The demo address works only on the machine that Bey runs on: open it at localhost.',
        )
      return demos.making(async (db, make) => {
        if (!(await tickets.take(db, ticket)))
          throw new AppError(
            'ticket_expired',
            'This demo address was used before or is older than a day. Run npm start -- --demo again for a new one, or create an account.',
          )
        // Each start prints an address of its own: two that are opened at once would make two visitors.
        await lockUntilCommit(db, 'demoVisitor')
        const existing = await findVisitor(db)
        if (existing !== undefined) return enter(db, existing, caller)
        const visitor = await insertVisitor(db)
        const organization = await make(visitor)
        // From here on the visitor belongs to the demo, and is removed with it.
        await db.update(users).set({ demoOrganizationId: organization.id }).where(eq(users.id, visitor.id))
        return enter(db, visitor.id, caller)
      })
    },
  }
}

/** A person without a password, whom no sign-in but a ticket's lets in. */
async function insertVisitor(db: Db) {
  const email = `visitor.${randomBytes(6).toString('hex')}@ostwind.example`
  const [row] = await db.insert(users).values({ email, name: visitorName }).returning({ id: users.id })
  if (row === undefined) throw new Error('The visitor was not inserted')
  return { id: row.id, name: visitorName, email }
}
