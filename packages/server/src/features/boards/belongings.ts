import { and, asc, eq } from 'drizzle-orm'
import type { BelongingsKind } from '../../platform/belongings.ts'
import { boards } from '../../tables/boards.ts'

/** Private boards of a person: nobody else can read them, so that they go or are handed over. */
export const privateBoards: BelongingsKind = {
  kind: 'private_boards',
  label: 'Private boards',
  hint: 'Ended ones are deleted with their versions. Transferred ones are private to the new owner.',
  choices: ['end', 'transfer'],
  async list(db, { organizationId, userId }, limit) {
    const rows = await db
      .select({ id: boards.id, name: boards.name, detail: boards.description })
      .from(boards)
      .where(ownedBy(organizationId, userId))
      .orderBy(asc(boards.name), asc(boards.id))
    return { total: rows.length, items: rows.slice(0, limit) }
  },
  async settle(db, { organizationId, userId }, { choice, toUserId }) {
    const own = ownedBy(organizationId, userId)
    if (choice !== 'transfer') return (await db.delete(boards).where(own)).rowCount ?? 0
    if (toUserId === undefined) return 0
    const mine = await db.select({ id: boards.id, name: boards.name }).from(boards).where(own)
    const taken = await db.select({ name: boards.name }).from(boards).where(ownedBy(organizationId, toUserId))
    const names = new Set(taken.map(({ name }) => name.toLowerCase()))
    for (const { id, name } of mine) {
      const free = freeName(name, names)
      names.add(free.toLowerCase())
      await db.update(boards).set({ createdBy: toUserId, name: free }).where(eq(boards.id, id))
    }
    return mine.length
  },
}

const ownedBy = (organizationId: number, userId: number) =>
  and(
    eq(boards.organizationId, organizationId),
    eq(boards.visibility, 'private'),
    eq(boards.createdBy, userId),
  )

/** The name itself, or with the first number that makes it free. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}
