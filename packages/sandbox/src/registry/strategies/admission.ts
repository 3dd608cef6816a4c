import { check, type Scope } from '../../cel/check.ts'
import { listAt, objectAt, textAt, type Json } from '../../json.ts'
import { field, type Cause } from '../../status-error.ts'
import {
  mutatingWebhooks,
  policies,
  policyBindings,
  validatingWebhooks,
  type KubeObject,
} from '../../types.ts'
import { strategy } from '../strategy.ts'

type Expected = { name: string; type?: string; otherwise?: string }

const truth: Expected = { name: 'expression', type: 'bool', otherwise: 'must evaluate to bool' }
const anything: Expected = { name: 'expression' }
const text: Expected = {
  name: 'messageExpression',
  type: 'string',
  otherwise: 'must evaluate to string',
}

/** What is wrong with the expressions of a list, given what they may refer to. */
function checkExpressions(list: Json[], path: string, scope: Scope, ...expected: Expected[]): Cause[] {
  const missing = path.endsWith('matchConditions') ? '' : 'expression is not specified'
  return list.flatMap((one, i) =>
    expected.flatMap(({ name, type, otherwise = '' }) => {
      const expression = textAt(one, name)?.trim()
      const place = `${path}[${i}].${name}`
      if (!expression && name === 'expression') return [field.required(place, missing)]
      if (!expression) return []
      const verdict = check(expression, scope)
      const isFit = type === undefined || [undefined, 'dyn', type].some((allowed) => allowed === verdict.type)
      const wrong = isFit ? verdict.wrong : otherwise
      return wrong === undefined ? [] : [field.invalid(place, expression, wrong)]
    }),
  )
}

/** What every expression of admission can refer to; of the objects more is known only when one comes. */
const admitted = { object: 'dyn', oldObject: 'dyn', request: 'dyn', authorizer: 'dyn' }

function policyScope(policy: KubeObject, variables: Json[]): Scope {
  const names = variables.map((one) => [textAt(one, 'name') ?? '', 'dyn'])
  return {
    variables: {
      ...admitted,
      namespaceObject: 'dyn',
      variables: 'Object0',
      ...(objectAt(policy, 'spec', 'paramKind') ? { params: 'dyn' } : {}),
    },
    objects: { Object0: Object.fromEntries(names) },
  }
}

/** A variable sees those before it. */
function checkVariables(policy: KubeObject, variables: Json[]): Cause[] {
  return variables.flatMap((one, i) =>
    checkExpressions([one], 'spec.variables', policyScope(policy, variables.slice(0, i)), anything).map(
      (cause) => ({ ...cause, field: `spec.variables[${i}].expression` }),
    ),
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
  const variables = listAt(policy, 'spec', 'variables')
  const scope = policyScope(policy, variables)
  const conditions = listAt(policy, 'spec', 'matchConditions')
  return [
    ...causes,
    ...checkVariables(policy, variables),
    ...checkExpressions(conditions, 'spec.matchConditions', policyScope(policy, []), truth),
    ...checkExpressions(validations, 'spec.validations', scope, truth, text),
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
    const conditions = listAt(hook, 'matchConditions')
    return [
      ...causes,
      ...checkExpressions(conditions, `${path}.matchConditions`, { variables: admitted }, truth),
    ]
  })
}

export const admissionStrategies = [
  strategy(policies, { validate: checkPolicy }),
  strategy(policyBindings, { validate: checkBinding }),
  strategy(validatingWebhooks, { validate: checkWebhooks }),
  strategy(mutatingWebhooks, { validate: checkWebhooks }),
]
