import { expect, test } from 'vitest'

import { AppError } from '../../../platform/errors.ts'
import { reasonOf } from './kube-client.ts'

test.each([
  ['The address of the cluster "prod" is not known.', 'the address of the cluster "prod" is not known'],
  ['OIDC is not configured.', 'OIDC is not configured'],
])('%s is a clause of the sentence that says that a cluster does not answer', (message, clause) => {
  expect(reasonOf(new AppError('cluster_unreachable', message))).toBe(clause)
})
