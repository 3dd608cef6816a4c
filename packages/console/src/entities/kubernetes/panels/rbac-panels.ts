import type { Fields } from './fields.ts'
import { at, items, text, texts } from './fields.ts'
import type { Panel, PanelValue } from './panel-parts.ts'
import { code, known } from './panel-parts.ts'
import { selectorText } from './selector-text.ts'

const group = 'rbac.authorization.k8s.io'

export const rolePanel: Panel = (role) => [
  {
    type: 'table',
    title: 'Rules',
    columns: ['May', 'What', 'Only these'],
    rows: items(role['rules']).map(ruleWords),
    empty: 'This role allows nothing.',
  },
  {
    type: 'sentences',
    title: 'Gathers the rules of',
    lines: items(at(role, 'aggregationRule', 'clusterRoleSelectors')).map(
      (selector) => `Cluster roles with ${selectorText(selector) ?? 'any label'}.`,
    ),
  },
]

/** A rule in words: what one may do, with what, and the names to which it is narrowed. */
export function ruleWords(rule: Fields): readonly PanelValue[] {
  const verbs = texts(rule['verbs'])
  const urls = texts(rule['nonResourceURLs'])
  const names = texts(rule['resourceNames'])
  const groups = texts(rule['apiGroups'])
  const what =
    urls.length > 0
      ? urls.map((url) => `path ${url}`)
      : texts(rule['resources']).map((resource) => resourceWords(resource, groups))
  return [verbWords(verbs), what.join(', '), names.join(', ') || null]
}

const readVerbs = ['get', 'list', 'watch']

function verbWords(verbs: readonly string[]): string {
  if (verbs.includes('*')) return 'everything'
  const reads = readVerbs.every((verb) => verbs.includes(verb))
  const rest = reads ? verbs.filter((verb) => !readVerbs.includes(verb)) : verbs
  return [...(reads ? ['read'] : []), ...rest].join(', ')
}

function resourceWords(resource: string, groups: readonly string[]): string {
  const of = groups.filter((each) => each !== '' && each !== '*')
  const everywhere = groups.includes('*')
  const word = resource === '*' ? 'all resources' : resource
  if (everywhere) return resource === '*' ? 'all resources of all groups' : `${word} of all groups`
  return of.length > 0 ? `${word} (${of.join(', ')})` : word
}

export const bindingPanel: Panel = (binding) => {
  const namespace = text(at(binding, 'metadata', 'namespace')) ?? ''
  const kind = text(at(binding, 'roleRef', 'kind')) ?? 'Role'
  const name = text(at(binding, 'roleRef', 'name')) ?? ''
  const role: PanelValue =
    kind === 'ClusterRole'
      ? { ref: { resource: `clusterroles.${group}`, namespace: '', name } }
      : { ref: { resource: `roles.${group}`, namespace, name } }
  return [
    {
      type: 'table',
      title: 'Subjects',
      columns: ['Kind', 'Name', 'Namespace'],
      rows: items(binding['subjects']).map((subject) => subjectRow(subject, namespace)),
      empty: 'No subjects: this binding grants its role to no one.',
    },
    {
      type: 'facts',
      title: 'Gives',
      isAside: true,
      facts: known([
        { label: kind === 'ClusterRole' ? 'Cluster role' : 'Role', value: role },
        { label: 'Where', value: namespace === '' ? 'the whole cluster' : `namespace ${namespace}` },
      ]),
    },
  ]
}

function subjectRow(subject: Fields, bindingNamespace: string): readonly PanelValue[] {
  const kind = text(subject['kind']) ?? ''
  const name = text(subject['name']) ?? ''
  const namespace = text(subject['namespace']) ?? (kind === 'ServiceAccount' ? bindingNamespace : null)
  const shown: PanelValue =
    kind === 'ServiceAccount'
      ? { ref: { resource: 'serviceaccounts', namespace: namespace ?? '', name } }
      : code(name)
  return [kindWords[kind] ?? kind, shown, namespace]
}

const kindWords: Readonly<Record<string, string>> = {
  ServiceAccount: 'Service account',
  User: 'User',
  Group: 'Group',
}
