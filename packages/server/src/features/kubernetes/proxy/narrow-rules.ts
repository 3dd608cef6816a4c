import { asRecord } from './object-in-body.ts'
import { authorize } from './authorize.ts'
import type { ProxyCaller } from './caller.ts'
import { mayDoEverything } from './self-review.ts'

/** A resource that the cluster serves. */
export type ServedResource = { group: string; plural: string }

type Rule = { verbs: string[]; apiGroups: string[]; resources: string[]; resourceNames: string[] }

/** Verbs that '*' is written out as, where Bey allows some of them only. */
const allVerbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'impersonate',
]

/** Subresources that '*' is written out as, beside the resources that the cluster serves. */
const allParts = [
  'status',
  'scale',
  'log',
  'eviction',
  'binding',
  'finalize',
  'approval',
  'exec',
  'attach',
  'portforward',
  'proxy',
  'ephemeralcontainers',
]

/** Of these, Bey decides differently: whatever else there is, it is decided upon like the first. */
const probes = ['pods', 'secrets', 'pods/exec', 'pods/eviction']

/**
 * Of a SelfSubjectRulesReview that a cluster answered, what Bey lets the caller do. `served` is asked where a wildcard has
 * to be written out; rules that cannot be are left out, and the answer says that it is incomplete.
 */
export async function narrowRules(
  caller: ProxyCaller,
  review: object,
  served: () => Promise<readonly ServedResource[]>,
): Promise<object> {
  const status = asRecord(asRecord(review)['status'])
  const rules = records(status['resourceRules']).map(ruleOf)
  const nonResourceRules = records(status['nonResourceRules']).flatMap((rule) => narrowPaths(caller, rule))
  if (mayDoEverything(caller)) return { ...review, status: { ...status, nonResourceRules } }
  try {
    const isOpen = rules.some((rule) => needsResources(caller, rule))
    const known = isOpen ? await served() : []
    const resourceRules = rules.flatMap((rule) => narrow(caller, rule, known))
    return { ...review, status: { ...status, resourceRules, nonResourceRules } }
  } catch {
    // Without the list of its resources a wildcard cannot be written out.
    const closed = rules.filter((rule) => !needsResources(caller, rule))
    const resourceRules = closed.flatMap((rule) => narrow(caller, rule, []))
    const evaluationError = 'Bey could not read which resources the cluster serves'
    return {
      ...review,
      status: { ...status, resourceRules, nonResourceRules, incomplete: true, evaluationError },
    }
  }
}

function ruleOf(rule: Record<string, unknown>): Rule {
  return {
    verbs: texts(rule['verbs']),
    apiGroups: texts(rule['apiGroups']),
    resources: texts(rule['resources']),
    resourceNames: texts(rule['resourceNames']),
  }
}

function verbsOf({ verbs }: Rule): readonly string[] {
  return verbs.includes('*') ? allVerbs : verbs
}

function allowedVerbs(caller: ProxyCaller, rule: Rule, resource: string): string[] {
  const [name = '', subresource = ''] = resource.split('/')
  const about = { group: '', name, subresource, namespace: '', objectName: '' }
  return verbsOf(rule).filter((verb) => authorize(caller, { verb, path: '/api', resource: about }).isAllowed)
}

/** Whether a wildcard of the rule covers resources that Bey decides upon differently. */
function needsResources(caller: ProxyCaller, rule: Rule): boolean {
  if (!rule.resources.some((resource) => resource === '*' || resource.endsWith('/*'))) return false
  const decisions = probes.map((probe) => allowedVerbs(caller, rule, probe).join())
  return new Set(decisions).size > 1
}

function narrow(caller: ProxyCaller, rule: Rule, served: readonly ServedResource[]): Rule[] {
  const groups = rule.apiGroups.includes('*')
    ? [...new Set(served.map(({ group }) => group))]
    : rule.apiGroups
  const isOpen = needsResources(caller, rule)
  if (!isOpen) return byVerbs(caller, rule, rule.apiGroups, rule.resources)
  return groups.flatMap((group) => {
    const plurals = served.filter((each) => each.group === group).map(({ plural }) => plural)
    const resources = rule.resources.flatMap((resource) => {
      if (resource === '*') return [...plurals, ...allParts.map((part) => `*/${part}`)]
      return resource.endsWith('/*') ? allParts.map((part) => resource.replace('*', part)) : [resource]
    })
    return byVerbs(caller, rule, [group], resources)
  })
}

/** One rule for the resources of which the same verbs are allowed. */
function byVerbs(caller: ProxyCaller, rule: Rule, apiGroups: string[], resources: readonly string[]): Rule[] {
  const found = new Map<string, { verbs: string[]; resources: string[] }>()
  for (const resource of resources) {
    const verbs = allowedVerbs(caller, rule, resource)
    const known = found.get(verbs.join())
    if (known) known.resources.push(resource)
    else if (verbs.length > 0) found.set(verbs.join(), { verbs, resources: [resource] })
  }
  return [...found.values()].map((each) => ({ ...rule, apiGroups, ...each }))
}

/** What Bey forwards of the API server's own paths, and with which methods. */
function narrowPaths(
  caller: ProxyCaller,
  rule: Record<string, unknown>,
): { verbs: string[]; nonResourceURLs: string[] }[] {
  const asked = texts(rule['verbs'])
  const paths = texts(rule['nonResourceURLs']).flatMap((path) => (path === '*' ? openPaths : [path]))
  const isAllowed = (verb: string) => authorize(caller, { verb, path: '/api', resource: undefined }).isAllowed
  const verbs = pathVerbs.every(isAllowed)
    ? asked
    : asked.flatMap((verb) => (verb === '*' ? pathVerbs : [verb])).filter(isAllowed)
  const nonResourceURLs = paths.filter(
    (path) => authorize(caller, { verb: 'get', path: path.replace('*', ''), resource: undefined }).isAllowed,
  )
  return verbs.length > 0 && nonResourceURLs.length > 0 ? [{ verbs, nonResourceURLs }] : []
}

const pathVerbs = ['get', 'head', 'post', 'put', 'patch', 'delete']
const openPaths = ['/api', '/apis', '/openapi', '/version', '/healthz', '/livez', '/readyz'].flatMap(
  (root) => [root, `${root}/*`],
)

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(asRecord) : []
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
