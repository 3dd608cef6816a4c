import type { ConnectionTest } from '@bey/contract'

import type { ContextConnection } from '../kubeconfig.ts'
import { type Ask, isRecord, texts } from './ask-cluster.ts'
import type { Checks } from './checks.ts'
import { problemOf } from './problems.ts'

type Identity = NonNullable<ConnectionTest['identity']>

/** SelfSubjectReview is `v1` since Kubernetes 1.28. */
const versions = ['v1', 'v1beta1', 'v1alpha1']
const unknown: Identity = { user: '', groups: [] }

/** Who Bey is to the cluster. A name that the cluster cannot say is empty. */
export async function readIdentity(
  ask: Ask,
  checks: Checks,
  connection: ContextConnection,
): Promise<Identity | undefined> {
  return checks.run('identity', async () => {
    const refusal = (code: number) => {
      if (code === 401) checks.fail(problemOf.unauthorized(connection.token !== ''))
      if (code === 403 && connection.actsAs) checks.fail(problemOf.mayNotActAs(connection.actsAs.user))
    }
    for (const version of versions) {
      const path = `/apis/authentication.k8s.io/${version}/selfsubjectreviews`
      const { code, status, isAnonymous } = await ask.review(path, 'SelfSubjectReview', {})
      if (isAnonymous) checks.fail(problemOf.anonymous())
      refusal(code)
      if (code === 404) continue
      const info = status?.['userInfo']
      if (!isRecord(info) || typeof info['username'] !== 'string') break
      const identity = { user: info['username'].slice(0, 300), groups: texts(info['groups']).slice(0, 50) }
      if (identity.user === 'system:anonymous') return checks.fail(problemOf.anonymous())
      return { value: identity, detail: identity.user }
    }
    // An older cluster, or one that does not let it ask: whether the credentials are good shows elsewhere.
    const { status } = await ask.get('/api')
    refusal(status)
    return { value: unknown, detail: 'not reported by this cluster', isWarning: true }
  })
}
