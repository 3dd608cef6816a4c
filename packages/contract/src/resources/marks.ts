/**
 * What can be said of a resource beside its health, each with its definition as people read it. A definition names the
 * kinds that it is decided for: of others nothing is said.
 */
export const resourceMarkTexts = {
  failing: 'Its health is failing.',
  orphaned:
    'Nothing needs it: a volume claim that no pod uses, or a service with a selector that selects no pod.',
  untagged: 'It has neither a label nor a tag.',
  unowned: 'No owner is set.',
  stale:
    'Older than 90 days and not used for 90 days: a secret or an API key that nothing read, a workflow without a run.',
  oversized:
    'A volume claim of 1 GiB or more of which less than a tenth was in use when it was last measured.',
  exposed:
    'An ingress, a node port or a load balancer leads to it: ingresses, services, and the pods that they select.',
} as const

export type ResourceMark = keyof typeof resourceMarkTexts

// The keys are those of the table.
export const resourceMarks = Object.keys(resourceMarkTexts) as readonly ResourceMark[]

/** Marks that the feature of a resource decides; the others follow from its health, tags and owner. */
export type DecidedMark = Extract<ResourceMark, 'orphaned' | 'stale' | 'oversized' | 'exposed'>

/** How long something must not have been used to be stale. */
export const staleAfterMs = 90 * 86_400_000

/** A volume is oversized from this capacity on, where less than this share of it is used. */
export const oversizedFrom = { bytes: 1_073_741_824, share: 0.1 } as const
