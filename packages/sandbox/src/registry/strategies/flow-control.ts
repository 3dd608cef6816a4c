import { field, type Cause } from '../../status-error.ts'
import { flowSchemas, priorityLevels, type FlowSchema, type PriorityLevelConfiguration } from '../../types.ts'
import { strategy } from '../strategy.ts'

const distinguishers = ['ByNamespace', 'ByUser']
const levelTypes = ['Exempt', 'Limited']
const subjectKinds = ['Group', 'ServiceAccount', 'User']
const lastPrecedence = 10_000

function checkSchema({ metadata, spec }: FlowSchema): Cause[] {
  const causes: Cause[] = []
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration, rules = [] } = spec
  if (matchingPrecedence <= 0) {
    const text = 'must be a positive value'
    causes.push(field.invalid('spec.matchingPrecedence', matchingPrecedence, text))
  }
  if (matchingPrecedence > lastPrecedence) {
    const text = `must not be greater than ${lastPrecedence}`
    causes.push(field.invalid('spec.matchingPrecedence', matchingPrecedence, text))
  }
  if (matchingPrecedence === 1 && metadata.name !== 'exempt') {
    const text = "only the schema named 'exempt' may have matchingPrecedence 1"
    causes.push(field.invalid('spec.matchingPrecedence', matchingPrecedence, text))
  }
  if (distinguisherMethod && !distinguishers.includes(distinguisherMethod.type)) {
    const path = 'spec.distinguisherMethod'
    causes.push(field.unsupported(path, distinguisherMethod.type, distinguishers))
  }
  if (!priorityLevelConfiguration.name)
    causes.push(field.required('spec.priorityLevelConfiguration.name', 'must reference a priority level'))
  for (const [i, { subjects, resourceRules, nonResourceRules }] of rules.entries()) {
    const path = `spec.rules[${i}]`
    if (subjects.length === 0)
      causes.push(field.required(`${path}.subjects`, 'subjects must contain at least one value'))
    for (const [n, subject] of subjects.entries()) {
      if (!subjectKinds.includes(subject.kind))
        causes.push(field.unsupported(`${path}.subjects[${n}].kind`, subject.kind, subjectKinds))
    }
    if (!resourceRules?.length && !nonResourceRules?.length) {
      const text = 'at least one of resourceRules and nonResourceRules has to be non-empty'
      causes.push(field.required(path, text))
    }
  }
  return causes
}

function defaultLevel({ spec }: PriorityLevelConfiguration): void {
  if (spec.exempt) {
    spec.exempt.nominalConcurrencyShares ??= 0
    spec.exempt.lendablePercent ??= 0
  }
  if (!spec.limited) return
  spec.limited.nominalConcurrencyShares ??= 30
  spec.limited.lendablePercent ??= 0
  const queuing = spec.limited.limitResponse?.queuing
  if (!queuing) return
  queuing.queues ??= 64
  queuing.handSize ??= 8
  queuing.queueLengthLimit ??= 50
}

function checkLevel({ spec }: PriorityLevelConfiguration): Cause[] {
  if (!levelTypes.includes(spec.type)) return [field.unsupported('spec.type', spec.type, levelTypes)]
  if (spec.type === 'Exempt') {
    const text = 'must be nil if the type is not Limited'
    return spec.limited ? [field.forbidden('spec.limited', text)] : []
  }
  if (!spec.limited) return [field.required('spec.limited', 'must not be empty when type is Limited')]
  const { nominalConcurrencyShares = 0, limitResponse } = spec.limited
  const causes: Cause[] = []
  if (spec.exempt) causes.push(field.forbidden('spec.exempt', 'must be nil if the type is Limited'))
  if (nominalConcurrencyShares < 0) {
    const path = 'spec.limited.nominalConcurrencyShares'
    causes.push(field.invalid(path, nominalConcurrencyShares, 'must be a non-negative integer'))
  }
  const path = 'spec.limited.limitResponse'
  if (limitResponse?.type === 'Reject' && limitResponse.queuing)
    causes.push(
      field.forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'),
    )
  else if (limitResponse?.type === 'Queue' && !limitResponse.queuing)
    causes.push(
      field.required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited'),
    )
  else if (limitResponse && !['Queue', 'Reject'].includes(limitResponse.type))
    causes.push(field.unsupported(`${path}.type`, limitResponse.type, ['Queue', 'Reject']))
  return causes
}

/** How requests are sorted, as the API reference of flowcontrol.apiserver.k8s.io/v1 has it. */
export const flowControlStrategies = [
  strategy(flowSchemas, {
    defaults({ spec }) {
      spec.matchingPrecedence ||= 1000
    },
    validate: checkSchema,
  }),
  strategy(priorityLevels, { defaults: defaultLevel, validate: checkLevel }),
]
