import { objectPath } from '@bey/contract'

export type GuideStepId = 'what' | 'why' | 'log' | 'change' | 'rollback'

/** The page that is open, and the cluster of the incident. */
interface Look {
  clusterId: number
  path: string
  tab: string | undefined
}

interface GuideStep {
  id: GuideStepId
  question: string
  hint: string
  /** A place from which the answer is seen. */
  href: (clusterId: number) => string
}

const namespace = 'catalog'
/** Of the incident: the first of them is the cause. */
export const failingWorkloads = ['search', 'recommend', 'suggest'] as const

const searchPath = (clusterId: number, tab?: string) =>
  objectPath({ clusterId, resource: 'deployments.apps', namespace, name: 'search' }, tab)

export const guideSteps: readonly GuideStep[] = [
  {
    id: 'what',
    question: 'What fails?',
    hint: 'Three workloads of prod-eu do. Open one of them: from “Needs attention” on the dashboard, or by its name in the palette.',
    href: () => '/',
  },
  {
    id: 'why',
    question: 'Why does it fail?',
    hint: 'recommend and suggest wait for search, so open search. Its page says what is known, and from where.',
    href: (id) => searchPath(id),
  },
  {
    id: 'log',
    question: 'What did it say before it ended?',
    hint: 'Open the log of search and look for its last words.',
    href: (id) => searchPath(id, 'logs'),
  },
  {
    id: 'change',
    question: 'What changed just before?',
    hint: 'Open the history of search, or what changed in prod-eu. Version 5.1.0 was deployed just before.',
    href: (id) => searchPath(id, 'history'),
  },
  {
    id: 'rollback',
    question: 'Put it right.',
    hint: 'Roll search back to the revision before. You see what changes before it does, and it is recorded as yours.',
    href: (id) => searchPath(id),
  },
]

const isOneOf = (texts: readonly string[], text: string | undefined) =>
  text !== undefined && texts.includes(text)

/** The steps that being here answers. The last one is answered by the cluster, not by a page. */
export function stepsAnsweredBy({ clusterId, path, tab }: Look): GuideStepId[] {
  const cluster = `/kubernetes/clusters/${clusterId}`
  const search = searchPath(clusterId)
  const isWorkload = failingWorkloads.some(
    (name) => path === objectPath({ clusterId, resource: 'deployments.apps', namespace, name }),
  )
  const isPodOfSearch = path.startsWith(`${cluster}/objects/pods/${namespace}/search-`)
  const answered: GuideStepId[] = []
  if (isWorkload || isPodOfSearch) answered.push('what')
  if (path === search && isOneOf(['overview'], tab ?? 'overview')) answered.push('why')
  if ((path === search || isPodOfSearch) && tab === 'logs') answered.push('log')
  if ((path === search && isOneOf(['history', 'activity'], tab)) || path === `${cluster}/changes`)
    answered.push('change')
  return answered
}

/** The first step that is not answered yet; undefined once all are. Who answers a later one has no need of those before. */
export function currentStep(
  answered: readonly GuideStepId[],
): { step: GuideStep; number: number } | undefined {
  const last = guideSteps.findLastIndex(({ id }) => answered.includes(id))
  const step = guideSteps[last + 1]
  return step && { step, number: last + 2 }
}
