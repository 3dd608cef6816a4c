import { expect, test } from 'vitest'
import { failureOfBody, isGone, KubernetesError } from './kubernetes-error.ts'

const status = (code: number, reason: string, message: string, details = {}) =>
  new KubernetesError(
    failureOfBody(
      code,
      JSON.stringify({ kind: 'Status', status: 'Failure', code, reason, message, details }),
    ),
  )

test('each reason of the API server is a sentence for people', () => {
  expect(status(404, 'NotFound', 'pods "a" not found').message).toBe(
    'It does not exist in the cluster any more: pods "a" not found.',
  )
  expect(isGone(status(404, 'NotFound', ''))).toBe(true)
  expect(status(409, 'Conflict', 'the object has been modified').message).toContain(
    'It was changed in the meantime',
  )
  expect(status(403, 'Forbidden', 'User "a" cannot patch').message).toBe(
    'The cluster does not allow this: User "a" cannot patch',
  )
})

test('what is invalid names its fields, and a budget its reason', () => {
  const causes = [{ field: 'spec.replicas', message: 'must be at least 0', reason: 'FieldValueInvalid' }]
  expect(status(422, 'Invalid', 'too long', { causes }).message).toBe('spec.replicas: must be at least 0')
  const budget = [{ message: 'The disruption budget web needs 2 healthy pods', reason: 'DisruptionBudget' }]
  expect(status(429, 'TooManyRequests', 'Cannot evict pod.', { causes: budget }).message).toBe(
    'Cannot evict pod. The disruption budget web needs 2 healthy pods',
  )
})

test('an answer that Kubernetes does not send is reported as such', () => {
  const html = new KubernetesError(failureOfBody(502, '<html>Bad gateway</html>'))
  expect(html.message).toBe('The cluster answered 502 with something that Kubernetes does not send.')
})
