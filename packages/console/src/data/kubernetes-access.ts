import { useQueries } from '@tanstack/react-query'
import { sendToCluster } from './kubernetes-proxy.ts'
import { useOrganizationId } from './session.ts'

/** What the cluster's own RBAC is asked. */
export interface AccessNeed {
  verb: string
  group: string
  resource: string
  subresource?: string
}

/** A need in one namespace; empty for what belongs to none, and for all namespaces. */
export interface AccessQuestion {
  clusterId: number
  namespace: string
  need: AccessNeed
}

/** How long the cluster's answer is believed. */
const keptMs = 60_000
/** What goes beyond is not asked: the act itself says then what is not allowed. */
const maxQuestions = 32

/**
 * Asks clusters whether the caller may do something, once a minute for each cluster, namespace, verb and resource.
 * Answers in the order of the questions: undefined where it may be done or is not known yet, else why not. What is
 * undefined is not asked.
 */
export function useAccessReviews(
  questions: readonly (AccessQuestion | undefined)[],
): readonly (string | undefined)[] {
  const organizationId = useOrganizationId()
  const keys = questions.map((question) => question && JSON.stringify(question))
  const distinct = questions.filter((question, index) => question && keys.indexOf(keys[index]) === index)
  const reviews = useQueries({
    queries: distinct.slice(0, maxQuestions).map((question) => ({
      queryKey: ['kubernetes-access', organizationId, question],
      queryFn: ({ signal }: { signal: AbortSignal }) => (question ? review(question, signal) : null),
      staleTime: keptMs,
      gcTime: keptMs,
      // The cluster itself has the last word; where it cannot be asked, the act says why.
      retry: false,
    })),
  })
  const answers = new Map(distinct.map((question, index) => [JSON.stringify(question), reviews[index]?.data]))
  return keys.map((key) => (key === undefined ? undefined : (answers.get(key) ?? undefined)))
}

async function review(question: AccessQuestion, signal: AbortSignal): Promise<string | null> {
  const { clusterId, namespace, need } = question
  const answer = await sendToCluster(
    clusterId,
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { ...need, ...(namespace && { namespace }) } },
      },
    },
    signal,
  )
  // The wire says nothing about its shape; the kind does.
  const { status } = answer as { status?: { allowed?: boolean; reason?: string } }
  return status?.allowed === true ? null : refusalText(question, status?.reason)
}

/** Why the cluster refuses, and who can change it. */
function refusalText({ namespace, need }: AccessQuestion, reason = ''): string {
  const { verb, group, resource, subresource } = need
  const what = [`${resource}${group && `.${group}`}`, subresource].filter(Boolean).join('/')
  const where = namespace === '' ? 'in this cluster' : `in the namespace "${namespace}"`
  const cause = reason ? ` (${reason})` : ''
  return `The cluster's own roles do not let you ${verb} ${what} ${where}${cause}. Whoever manages its roles can allow it.`
}
