/** What kind of act an audit entry is about. */
export const auditClasses = ['auth', 'create', 'update', 'delete', 'read', 'execute', 'access'] as const
export type AuditClass = (typeof auditClasses)[number]

/** `unknown`: written before the act, whose end another entry says. */
export const auditOutcomes = ['success', 'failure', 'denied', 'unknown'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** Where an act came from. */
export const auditVias = ['console', 'api', 'cli', 'kubectl', 'workflow', 'system'] as const
export type AuditVia = (typeof auditVias)[number]

export const auditBounds = {
  /** Entries of one file. */
  maxExported: 100_000,
  /** Links of the chain that one proof contains. */
  maxProved: 200_000,
  /** Choices of a filter. */
  maxChoices: 200,
  minRetentionDays: 30,
  maxRetentionDays: 3_650,
} as const

/** Verbs in the past tense. Others get -ed. */
const pastVerbs: Readonly<Record<string, string>> = {
  begin: 'began',
  end: 'ended',
  read: 'read',
  get: 'read',
  list: 'listed',
  watch: 'watched',
  signup: 'signed up',
  undelete: 'restored',
  purge: 'destroyed',
  drift: 'found changed',
  chooseNamespaces: 'chose namespaces of',
  testConnection: 'tested the connection of',
  replaceCredentials: 'replaced the credentials of',
  deletecollection: 'deleted several of',
}

const phrases: Readonly<Record<string, string>> = {
  'session.begin': 'logged in',
  'session.end': 'logged out',
  'user.signup': 'signed up',
  'user.rename': 'changed their name',
  'user.change_password': 'changed their password',
  'user.impersonate': 'took the identity of',
  'kubernetes.read': 'read a cluster',
  'kubernetes.exec': 'opened a shell',
  'kubernetes.attach': 'attached to a container',
  'kubernetes.portforward': 'forwarded a port',
  'kubernetes.get': 'read a Kubernetes Secret',
  'kubernetes.list': 'listed Kubernetes Secrets',
  'kubernetes.watch': 'watched Kubernetes Secrets',
  'kubeconfig.create': 'made a kubeconfig',
  'kubeconfig.revoke': 'revoked a kubeconfig',
  'kubeconfig.test': 'tested a kubeconfig',
  'secrets.verify': 'verified the secrets',
  'audit.export': 'exported the audit log',
  'audit.verify': 'verified the audit log',
  'audit.remove': 'removed old audit entries',
  'policies.update': 'changed the security policies',
  'access.refuse': 'was refused',
  'address.refuse': 'named an address that is refused',
  'api_key.refused': 'was refused',
}

/** What an action was, in the past tense and without its object: `secret.reveal` is "revealed a secret". */
export function auditActionText(action: string): string {
  const known = phrases[action]
  if (known !== undefined) return known
  const parts = action.split('.')
  const verb = parts.at(-1) ?? action
  const noun = parts.slice(0, -1).join(' ').replaceAll(/[_-]/g, ' ')
  const past = pastVerbs[verb] ?? pastTense(verb.replaceAll(/[_-]/g, ' '))
  if (noun === '') return past
  if (noun === 'kubernetes') return `${past} a Kubernetes object`
  return `${past} ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function pastTense(verb: string): string {
  if (verb.endsWith('ed')) return verb
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  return `${verb}ed`
}
