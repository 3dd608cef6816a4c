import { complaint } from '../../cel/cel.ts'
import { listAt, textAt, type Json } from '../../json.ts'
import { field, type Cause } from '../../status-error.ts'
import {
  mutatingWebhooks,
  policies,
  policyBindings,
  validatingWebhooks,
  type KubeObject,
} from '../../types.ts'
import { strategy } from '../strategy.ts'

function checkExpressions(list: Json[], path: string, ...names: string[]): Cause[] {
  return list.flatMap((one, i) =>
    names.flatMap((name) => {
      const expression = textAt(one, name)
      const place = `${path}[${i}].${name}`
      if (expression === undefined) return name === 'expression' ? [field.required(place)] : []
      const wrong = complaint(expression)
      return wrong === undefined ? [] : [field.invalid(place, expression, wrong)]
    }),
  )
}

function checkPolicy(policy: KubeObject): Cause[] {
  const causes: Cause[] = []
  const validations = listAt(policy, 'spec', 'validations')
  if (validations.length === 0 && listAt(policy, 'spec', 'auditAnnotations').length === 0) {
    causes.push(field.required('spec.validations', 'validations or auditAnnotations must be specified'))
  }
  if (listAt(policy, 'spec', 'matchConstraints', 'resourceRules').length === 0) {
    causes.push(field.required('spec.matchConstraints.resourceRules'))
  }
  return [
    ...causes,
    ...checkExpressions(listAt(policy, 'spec', 'variables'), 'spec.variables', 'expression'),
    ...checkExpressions(listAt(policy, 'spec', 'matchConditions'), 'spec.matchConditions', 'expression'),
    ...checkExpressions(validations, 'spec.validations', 'expression', 'messageExpression'),
  ]
}

const actions = ['Audit', 'Deny', 'Warn']

function checkBinding(binding: KubeObject): Cause[] {
  const causes: Cause[] = []
  if (!textAt(binding, 'spec', 'policyName')) causes.push(field.required('spec.policyName'))
  const wanted = listAt(binding, 'spec', 'validationActions')
  if (wanted.length === 0) causes.push(field.required('spec.validationActions'))
  for (const [i, one] of wanted.entries()) {
    if (typeof one !== 'string' || !actions.includes(one))
      causes.push(field.unsupported(`spec.validationActions[${i}]`, one, actions))
  }
  return causes
}

const longestSeconds = 30

function checkWebhooks(configuration: KubeObject): Cause[] {
  return listAt(configuration, 'webhooks').flatMap((hook, i) => {
    const path = `webhooks[${i}]`
    const causes: Cause[] = []
    const name = textAt(hook, 'name') ?? ''
    if (name.split('.').length < 3) {
      const text = 'should be a domain with at least three segments separated by dots'
      causes.push(field.invalid(`${path}.name`, name, text))
    }
    const url = textAt(hook, 'clientConfig', 'url')
    if (url !== undefined && !url.startsWith('https://')) {
      const text = "'https' is the only allowed URL scheme; desired format: https://host[/path]"
      causes.push(field.invalid(`${path}.clientConfig.url`, url, text))
    }
    const seconds =
      hook !== null && typeof hook === 'object' && 'timeoutSeconds' in hook ? hook['timeoutSeconds'] : 10
    if (typeof seconds === 'number' && (seconds < 1 || seconds > longestSeconds)) {
      const text = `the timeout value must be between 1 and ${longestSeconds} seconds`
      causes.push(field.invalid(`${path}.timeoutSeconds`, seconds, text))
    }
    return causes
  })
}

export const admissionStrategies = [
  strategy(policies, { validate: checkPolicy }),
  strategy(policyBindings, { validate: checkBinding }),
  strategy(validatingWebhooks, { validate: checkWebhooks }),
  strategy(mutatingWebhooks, { validate: checkWebhooks }),
]
