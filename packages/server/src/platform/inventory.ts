import type { Health, Relation, Role } from '@bey/contract'

/** One thing of the organization, as its own feature describes it; made when asked for and never stored. */
export type Resource = {
  /** Of `entityResourceId` or `objectResourceId`. */
  id: string
  /** One of `resourceKinds`. */
  kind: string
  name: string
  /** The cluster that it lies in; null for what lies in none. */
  cluster: { id: number; title: string } | null
  /** Null where its kind has none. */
  namespace: string | null
  /** Null where its kind has none. */
  health: Health | null
  labels: Readonly<Record<string, string>>
  /** RFC 3339; null where nobody knows. */
  createdAt: string | null
  /** The member who made it; null for the system and for objects of clusters. */
  createdBy: { id: number; name: string } | null
  /** Its own page in the console. */
  href: string
}

/** What is missing from an answer, and why: `prod-eu-1 has not answered since …`. */
export type InventoryGap = { source: string; reason: string; since: string | null }

/** Who asks. What the role may not read is left out by each source, and nothing says how much that was. */
export type InventoryAsk = { organizationId: number; role: Role }

/**
 * What a feature has for the inventory. Both read what is true now: rows by SQL, objects of clusters from the watch
 * caches. They never throw for what one cluster does not answer: that is a gap.
 */
export type InventorySource = {
  /** Values of `resourceKinds` that it answers. */
  kinds: readonly string[]
  /** Its resources of these kinds; `kinds` holds those of its own that are asked for. */
  list(
    ask: InventoryAsk,
    kinds: ReadonlySet<string>,
  ): Promise<{ resources: readonly Resource[]; gaps: readonly InventoryGap[] }>
}

/** What a feature knows of how things relate, to things of other features as well. Either end may be gone or hidden. */
export type RelationSource = {
  list(ask: InventoryAsk): Promise<{ relations: readonly Relation[]; gaps: readonly InventoryGap[] }>
}
