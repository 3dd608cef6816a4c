import { checkFields } from './field-rules.ts'
import { kindRules } from './kind-rules.ts'
import type { Strategy } from './strategy.ts'
import { addressStrategies } from './strategies/addresses.ts'
import { admissionStrategies } from './strategies/admission.ts'
import { batchStrategies } from './strategies/batch.ts'
import { coreStrategies } from './strategies/core.ts'
import { definitionStrategy } from './strategies/definitions.ts'
import { flowControlStrategies } from './strategies/flow-control.ts'
import { ingressStrategy } from './strategies/ingress.ts'
import { limitRangeStrategy } from './strategies/limit-range.ts'
import { networkPolicyStrategy } from './strategies/network-policy.ts'
import { podStrategy } from './strategies/pods.ts'
import { policyStrategies } from './strategies/policies.ts'
import { serviceStrategy } from './strategies/services.ts'
import { workloadStrategies } from './strategies/workloads.ts'

const strategies = new Map<string, Strategy>([
  podStrategy,
  serviceStrategy,
  definitionStrategy,
  ingressStrategy,
  networkPolicyStrategy,
  limitRangeStrategy,
  ...workloadStrategies,
  ...batchStrategies,
  ...coreStrategies,
  ...policyStrategies,
  ...admissionStrategies,
  ...addressStrategies,
  ...flowControlStrategies,
])

const plain: Strategy = {}

// What holds for single fields is in tables; what they are together is up to the strategies.
for (const [key, rules] of Object.entries(kindRules)) {
  const own = strategies.get(key) ?? plain
  strategies.set(key, {
    ...own,
    validate: (object, context) => [
      ...checkFields(rules, object),
      ...(own.validate?.(object, context) ?? []),
    ],
  })
}

export function strategyOf(key: string): Strategy {
  return strategies.get(key) ?? plain
}
