import type { Cluster } from '../api/context.ts'
import type { WriteOptions } from '../api/resources.ts'
import { celValue, CelError, compile } from '../cel/cel.ts'
import { listAt, objectAt, plain, textAt, type Json } from '../json.ts'
import { labelSelector } from '../selectors.ts'
import { forbidden, StatusError } from '../status-error.ts'
import { policies, policyBindings, type KubeObject, type LabelSelector } from '../types.ts'
import { matchesWrite, type Attempt } from './match.ts'
import { attemptVariables } from './variables.ts'

type Variables = Record<string, unknown>
type Failure = { message: string; reason: string }

const codes: Record<string, number> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 }

/** Judges every write by the ValidatingAdmissionPolicies that are bound to it. */
export function runPolicies(cluster: Cluster): void {
  const { store, resources } = cluster
  resources.admit((operation, kind, object, old, by) => {
    // Policies cannot be used to lock the door to themselves.
    if (store.count(policyBindings.key) === 0 || kind.group === 'admissionregistration.k8s.io') return
    const attempt: Attempt = { operation, kind, object, old, subresource: admittedSubresource(by) }
    for (const binding of store.list(policyBindings)) {
      const policy = store.get(policies, undefined, textAt(binding, 'spec', 'policyName') ?? '')
      if (!policy || !matchesWrite(store, objectAt(policy, 'spec', 'matchConstraints'), attempt)) continue
      if (!matchesWrite(store, objectAt(binding, 'spec', 'matchResources'), attempt)) continue
      for (const params of paramsOf(cluster, policy, binding, attempt)) {
        const failure = failureOf(cluster, policy, attempt, by, params)
        if (failure) act(policy, binding, attempt, by, failure)
      }
    }
  })
}

function admittedSubresource({ subresource, admittedAs }: WriteOptions): string | undefined {
  // What controllers write all at once is no subresource.
  return admittedAs ?? (subresource === 'all' ? undefined : subresource)
}

/** The objects that the policy is applied with, one after the other; `[undefined]` where it takes none. */
function paramsOf(
  cluster: Cluster,
  policy: KubeObject,
  binding: KubeObject,
  { object }: Attempt,
): (KubeObject | undefined)[] {
  const { store, registry } = cluster
  const wanted = objectAt(policy, 'spec', 'paramKind')
  const ref = objectAt(binding, 'spec', 'paramRef')
  if (!wanted || !ref) return [undefined]
  const kind = registry.byType(textAt(wanted, 'apiVersion') ?? '', textAt(wanted, 'kind') ?? '')
  const namespace = kind?.namespaced ? (textAt(ref, 'namespace') ?? object.metadata.namespace) : undefined
  const name = textAt(ref, 'name')
  // The model of bindings has decoded the selector.
  const selector = objectAt(ref, 'selector') as LabelSelector | undefined
  const all = kind ? store.all(kind.key, namespace) : []
  const found = all.filter((one) =>
    name === undefined ? labelSelector(selector)(one.metadata.labels) : one.metadata.name === name,
  )
  if (found.length > 0) return found
  return textAt(ref, 'parameterNotFoundAction') === 'Allow' ? [] : [undefined]
}

function variablesOf(
  cluster: Cluster,
  policy: KubeObject,
  attempt: Attempt,
  by: WriteOptions,
  params: KubeObject | undefined,
): Variables {
  const result: Variables = { ...attemptVariables(cluster, attempt, by), params: celValue(params ?? null) }
  const own: Variables = {}
  result['variables'] = own
  for (const variable of listAt(policy, 'spec', 'variables')) {
    const [key, expression] = [textAt(variable, 'name') ?? '', textAt(variable, 'expression') ?? '']
    let value: { is: unknown } | undefined
    // Evaluated when first used, once.
    Object.defineProperty(own, key, {
      enumerable: true,
      get: () => (value ??= { is: compile(expression)(result) }).is,
    })
  }
  return result
}

/** What the policy has against the write, or undefined. */
function failureOf(
  cluster: Cluster,
  policy: KubeObject,
  attempt: Attempt,
  by: WriteOptions,
  params: KubeObject | undefined,
): Failure | undefined {
  const isStrict = (textAt(policy, 'spec', 'failurePolicy') ?? 'Fail') === 'Fail'
  if (params === undefined && objectAt(policy, 'spec', 'paramKind')) {
    const message =
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'
    return { message, reason: 'Invalid' }
  }
  const variables = variablesOf(cluster, policy, attempt, by, params)
  const evaluate = (expression: string): Json | Failure | undefined => {
    try {
      const value = compile(expression)(variables)
      return typeof value === 'boolean' ? value : plain(value)
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      const message = `expression '${expression}' resulted in error: ${error.message}`
      return isStrict ? { message, reason: 'Invalid' } : undefined
    }
  }
  for (const condition of listAt(policy, 'spec', 'matchConditions')) {
    const value = evaluate(textAt(condition, 'expression') ?? '')
    if (value === true) continue
    return isFailure(value) ? value : undefined
  }
  for (const validation of listAt(policy, 'spec', 'validations')) {
    const expression = textAt(validation, 'expression') ?? ''
    const value = evaluate(expression)
    if (value === true || value === undefined) continue
    if (isFailure(value)) return value
    const said = textAt(validation, 'messageExpression')
    const made = said === undefined ? undefined : evaluate(said)
    const message =
      (typeof made === 'string' && made.trim() !== '' ? made : undefined) ??
      textAt(validation, 'message') ??
      `failed expression: ${expression}`
    return { message, reason: textAt(validation, 'reason') ?? 'Invalid' }
  }
  return undefined
}

function isFailure(value: Json | Failure | undefined): value is Failure {
  return typeof value === 'object' && value !== null && 'reason' in value
}

/** Refuses, or warns of, what a policy has found, as the binding says. */
function act(
  policy: KubeObject,
  binding: KubeObject,
  { kind, object }: Attempt,
  by: WriteOptions,
  { message, reason }: Failure,
): void {
  const actions = listAt(binding, 'spec', 'validationActions')
  const which = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`
  if (actions.includes('Warn')) by.warn?.(`Validation failed for ${which}: ${message}`)
  if (!actions.includes('Deny')) return
  const text = `${which} denied request: ${message}`
  const { message: whole, details } = forbidden(kind, object.metadata.name, text)
  throw new StatusError(codes[reason] ?? 422, reason, whole, { ...details, causes: [{ message: text }] })
}
