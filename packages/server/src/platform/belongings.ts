import type { BelongingChoice } from '@bey/contract'
import type { Db } from './db/database.ts'

/** Whose belongings, and where. */
export type Owner = { organizationId: number; userId: number }

/** What becomes of belongings. `toUserId` is there for `transfer`. */
type Settlement = {
  choice: BelongingChoice
  toUserId: number | undefined
  /** Who decided it: anyone who removes the person, or the person who leaves. */
  by: { userId: number }
}

/**
 * One kind of thing that a person has in an organization and that somebody must decide about when they leave. A feature
 * brings it; the list before a removal and the removal itself are made of all of them.
 */
export type BelongingsKind = {
  /** Names the kind on the wire, in snake case. */
  kind: string
  /** What they are, for people: "Kubeconfig tokens". */
  label: string
  /** What becomes of them, as a sentence. */
  hint: string
  /** What can become of them; the first one is the default, and what happens when the person leaves by themselves. */
  choices: readonly [BelongingChoice, ...BelongingChoice[]]
  /** How many there are, and the first `limit` of them, in the organization's transaction. */
  list(
    db: Db,
    of: Owner,
    limit: number,
  ): Promise<{ total: number; items: { id: string; name: string; detail: string }[] }>
  /** Carries the choice out in the transaction that ends the membership; answers how many there were. */
  settle(db: Db, of: Owner, settlement: Settlement): Promise<number>
}
