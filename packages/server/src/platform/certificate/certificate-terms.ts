const day = 24 * 60 * 60 * 1000

export const caLifetimeMs = 3650 * day

/** Under the 398 days that browsers accept. A leaf is renewed when a third is left. */
export const leafLifetimeMs = 90 * day

/** A successor is made, and put into kubeconfigs, this long before the authority expires. */
export const successorAheadMs = 60 * day

/** The successor takes over this long before; by then every living kubeconfig (7 days at most) trusts it. */
export const takeoverAheadMs = 30 * day
