import type { Rule } from './rule.ts'
import { crashRules } from './rules/crashes.ts'
import { configRules, imageRules } from './rules/images.ts'
import { nodeRules } from './rules/nodes.ts'
import { rolloutRules } from './rules/rollouts.ts'
import { creationRules, schedulingRules, waitingClaimRules } from './rules/scheduling.ts'
import { scalingRules, serviceRules, webhookRules } from './rules/services-and-scaling.ts'
import { claimRules, ingressRules } from './rules/storage-and-network.ts'

/**
 * Every explanation that is known, the more particular before the more general: of those of one depth that fit, the
 * first is taken.
 */
export const rules: readonly Rule[] = [
  ...claimRules,
  ...ingressRules,
  ...serviceRules,
  ...scalingRules,
  ...webhookRules,
  ...configRules,
  ...imageRules,
  ...creationRules,
  ...schedulingRules,
  ...waitingClaimRules,
  ...nodeRules,
  ...crashRules,
  ...rolloutRules,
]
