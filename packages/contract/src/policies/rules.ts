/** Bounds of an organization's security policies. */
export const policyBounds = {
  minSessionLifeHours: 1,
  /** 90 days. */
  maxSessionLifeHours: 2_160,
  minSessionIdleMinutes: 5,
  /** 30 days, after which a session ends anyhow. */
  maxSessionIdleMinutes: 43_200,
  /** How far in the future a second factor may begin to be required. */
  maxGraceDays: 90,
  maxDomains: 50,
  maxNetworks: 50,
} as const
