import { type ConnectionRights, maxWatchedNamespaces } from '@bey/contract'

import type { ContextConnection } from '../kubeconfig.ts'
import { type Ask, isRecord, jsonOf, texts } from './ask-cluster.ts'
import type { Checks } from './checks.ts'
import { readImpersonation } from './impersonation.ts'
import { problemOf } from './problems.ts'
import { summaryOf } from './rights-summary.ts'

const atOnce = 8

export type RightsOf = {
  connection: ContextConnection
  /** The context's own namespace. */
  namespace: string | undefined
  /** Who Bey is to the cluster. */
  user: string
  /** Asked about as well: those that a member has chosen. */
  chosen: readonly string[]
}

/** What Bey may do, as the cluster's own reviews say. */
export async function readRights(
  ask: Ask,
  checks: Checks,
  of: RightsOf,
): Promise<ConnectionRights | undefined> {
  return checks.run('rights', async () => {
    const [isAdmin, readsAll, readsSecrets, changesAll, listsNamespaces, impersonation] = await Promise.all([
      ask.may({ verb: '*', group: '*', resource: '*' }),
      ask.may({ verb: 'list', resource: 'pods' }),
      ask.may({ verb: 'list', resource: 'secrets' }),
      ask.may({ verb: 'create', group: 'apps', resource: 'deployments' }),
      ask.may({ verb: 'list', resource: 'namespaces' }),
      readImpersonation(ask, of.connection),
    ])
    const names = readsAll ? [] : await candidates(ask, of, listsNamespaces)
    const namespaces = await readable(ask, names)
    const rules = await rulesIn(ask, namespaces[0]?.name ?? of.namespace ?? 'default')
    if (!readsAll && namespaces.length === 0 && !listsNamespaces)
      return checks.fail(problemOf.forbidden('reading pods'))
    const facts = {
      isAdmin,
      readsAll,
      readsSecrets,
      changesAll,
      listsNamespaces,
      namespaces,
      rules,
      impersonation,
    }
    const summary = summaryOf(facts)
    return { value: { ...facts, summary }, detail: summary, isWarning: !readsAll }
  })
}

/** Namespaces in which an account that may not read all of them could read something. */
async function candidates(ask: Ask, of: RightsOf, listsNamespaces: boolean): Promise<string[]> {
  const account = /^system:serviceaccount:([^:]+):/.exec(of.user)?.[1]
  const likely = [...of.chosen, of.namespace, account, 'default'].filter((each) => each !== undefined)
  const listed = listsNamespaces ? await namesOfNamespaces(ask) : []
  return [...new Set([...likely, ...listed])].slice(0, maxWatchedNamespaces * 4)
}

async function namesOfNamespaces(ask: Ask): Promise<string[]> {
  const body = jsonOf(await ask.get('/api/v1/namespaces?limit=500'))
  const items = Array.isArray(body?.['items']) ? (body['items'] as unknown[]) : []
  return items.flatMap((item) => {
    const metadata = isRecord(item) ? item['metadata'] : undefined
    return isRecord(metadata) && typeof metadata['name'] === 'string' ? [metadata['name']] : []
  })
}

async function readable(ask: Ask, names: readonly string[]): Promise<ConnectionRights['namespaces']> {
  const found: ConnectionRights['namespaces'] = []
  for (let from = 0; from < names.length && found.length < maxWatchedNamespaces; from += atOnce) {
    const part = names.slice(from, from + atOnce)
    const answers = await Promise.all(
      part.map(async (name) => {
        const canRead = await ask.may({ verb: 'list', resource: 'pods', namespace: name })
        if (!canRead) return undefined
        const canChange = await ask.may({
          verb: 'create',
          group: 'apps',
          resource: 'deployments',
          namespace: name,
        })
        return { name, canChange }
      }),
    )
    found.push(...answers.filter((each) => each !== undefined))
  }
  return found.slice(0, maxWatchedNamespaces)
}

async function rulesIn(ask: Ask, namespace: string): Promise<ConnectionRights['rules']> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
  const { status } = await ask.review(path, 'SelfSubjectRulesReview', { namespace })
  const rules = Array.isArray(status?.['resourceRules']) ? (status['resourceRules'] as unknown[]) : []
  return rules.slice(0, 100).flatMap((rule) =>
    isRecord(rule)
      ? [
          {
            verbs: texts(rule['verbs']),
            groups: texts(rule['apiGroups']),
            resources: texts(rule['resources']).slice(0, 50),
          },
        ]
      : [],
  )
}
