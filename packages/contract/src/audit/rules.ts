import { kubernetesActionText, kubernetesActText } from '../kubernetes/act-rules.ts'

/** What kind of act an audit entry is about. */
export const auditClasses = ['auth', 'create', 'update', 'delete', 'read', 'execute', 'access'] as const
export type AuditClass = (typeof auditClasses)[number]

/** `unknown`: written before the act, whose end another entry says. */
export const auditOutcomes = ['success', 'failure', 'denied', 'unknown'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** Where an act came from. */
export const auditVias = ['console', 'api', 'cli', 'kubectl', 'mcp', 'workflow', 'system'] as const
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
  freeze: 'froze',
  break: 'broke',
  drop: 'dropped',
  swap: 'swapped',
  tag: 'tagged',
  set: 'set',
  undo: 'undid',
  leave: 'left',
  reply: 'replied to',
  cancel: 'cancelled',
  unsilence: 'ended the silence of',
  backup: 'backed up',
  rollback: 'rolled back',
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
}

const phrases: Readonly<Record<string, string>> = {
  'dashboard.share': 'arranged the dashboard for everyone',
  'dashboard.unshare': 'removed the shared arrangement of the dashboard',
  'session.begin': 'logged in',
  'session.end': 'logged out',
  'user.signup': 'signed up',
  'user.rename': 'changed their name',
  'user.change_password': 'changed their password',
  'user.impersonate': 'took the identity of',
  'kubernetes.read': 'read a cluster',
  'kubernetes.get': 'read a Kubernetes Secret',
  'kubernetes.deletecollection': 'deleted several Kubernetes objects',
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
  'assistant.read': 'read through an assistant',
  'assistant.plan': 'planned a change through an assistant',
  'assistant.act': 'acted through an assistant',
  'webhook.rotate_secret': 'rotated the secret of a webhook',
  'webhook.auto_disable': 'disabled a webhook',
  'member.set_role': 'changed the role of a member',
  'session.revoke': 'ended a session',
  'session.revoke_others': 'ended their other sessions',
  'session.confirm': 'confirmed their identity',
  'device_login.confirm': 'logged a program in by code',
  'device_login.refuse': 'refused to log a program in by code',
  'session.second_factor': 'answered with a second factor',
  'user.enable_two_factor': 'switched two-factor sign-in on',
  'user.disable_two_factor': 'switched two-factor sign-in off',
  'user.renew_recovery_codes': 'made new recovery codes',
  'user.link_account': 'linked an account to sign in with',
  'user.unlink_account': 'unlinked an account to sign in with',
  'user.request_password_reset': 'asked for a new password',
  'user.reset_password': 'set a new password by mail',
  'instance.update_general': 'changed the settings of the server',
  'instance.update_smtp': 'changed the mail server',
  'instance.remove_smtp': 'removed the mail server',
  'instance.update_provider': 'changed a way to sign in',
  'instance.remove_provider': 'removed a way to sign in',
  'secret.grants.update': 'changed who may use a secret',
  'workflow.state': 'changed the state of a workflow',
  'workflow.test_step': 'tested a step of a workflow',
  'database.allow_writes': 'allowed writes to a database',
  'database.available': 'reached a database again',
  'database.backup_delete': 'deleted a backup of a database',
  'database.backup_expire': 'removed an expired backup of a database',
  'database.backup_policy': 'changed the backup policy of a database',
  'database.copy_rows': 'copied rows of a database',
  'database.disk_quota': 'changed the disk quota of a database',
  'database.end_fault': 'ended a fault of a database',
  'database.restore_table': 'restored a table of a database',
  'database.server_database.create': 'created a database on a server',
  'database.server_database.drop': 'dropped a database on a server',
  'database.undo_swap': 'undid the swap of a database',
  'billing.update': 'changed the billing settings',
  'prices.create': 'set new prices',
  'resources.export': 'exported the list of resources',
  'resources.tag': 'tagged resources',
  'resources.view.create': 'saved a view of resources',
  'resources.view.delete': 'deleted a view of resources',
  'report.share.open': 'opened a shared report',
  'report.share.revoke': 'stopped sharing a report',
  'secret.share.open': 'opened a shared secret',
  'secret.share.revoke': 'stopped sharing a secret',
  'secret.sync.drift': 'found a secret changed in a cluster',
  'instance.set_read_only': 'changed the read-only mode of the server',
  'member.leave': 'left the organization',
  'network.create_group': 'created a security group of a network',
  'network.delete_group': 'deleted a security group of a network',
  'network.update_group': 'updated a security group of a network',
  'network.take_over': 'took over the policies of a network',
  'annotation.export': 'exported annotations',
  'user.replace_two_factor': 'replaced their second factor',
  'database.drill': 'tested a restore of a database',
  'error.regress': 'saw a resolved error again',
  'invitation.resend': 'sent an invitation again',
  'workflow_run.bulk': 'acted on several runs',
  'workflow_run.remind': 'reminded those who may approve a workflow run',
}

/** How a long act ended, as the last part of its action: `cluster.provision.failed`. */
const endings: Readonly<Record<string, (act: string, past: string, noun: string) => string>> = {
  completed: (_act, past, noun) => `${past} ${noun}`,
  failed: (act, _past, noun) => `failed to ${presentText(act)} ${noun}`,
  cancelled: (act, _past, noun) => `was cancelled: ${presentText(act)} ${noun}`,
}

/** What an action was, in the past tense and without its object: `secret.reveal` is "revealed a secret". */
export function auditActionText(action: string): string {
  const known = phrases[action] ?? kubernetesActionText(action)
  if (known !== undefined) return known
  const parts = action.split('.')
  const verb = parts.at(-1) ?? action
  const ending = endings[verb]
  const act = parts.at(-2)
  if (ending && act !== undefined && parts.length > 2) {
    return ending(act, auditVerbText(act), nounText(parts.slice(0, -2)))
  }
  if (parts.length < 2) return auditVerbText(verb)
  return `${auditVerbText(verb)} ${nounText(parts.slice(0, -1))}`
}

/** Verbs that are two words where they are no noun. */
const twoWords: Readonly<Record<string, string>> = { backup: 'back up', rollback: 'roll back' }

const presentText = (verb: string) => twoWords[verb] ?? verb.replaceAll('_', ' ')

/** What an entry says was done, with kind and name where it was to a Kubernetes object: "restarted deployment web". */
export function auditDidText({
  action,
  object,
  outcome,
}: {
  action: string
  object: string | null
  outcome: AuditOutcome
}): string {
  const isDone = outcome === 'success' || outcome === 'unknown'
  const act = kubernetesActText(action, object, !isDone)
  if (act !== undefined) return act
  return isDone ? auditActionText(action) : `tried: ${auditActionText(action)}`
}

/** `rotate` is "rotated", and `update_address` "updated the address of". */
function auditVerbText(verb: string): string {
  if (pastVerbs[verb] !== undefined) return pastVerbs[verb]
  const [first = verb, ...rest] = verb.split(/[_-]/)
  const past = pastVerbs[first] ?? pastTense(first)
  return rest.length === 0 ? past : `${past} the ${rest.join(' ')} of`
}

function nounText(parts: readonly string[]): string {
  const noun = parts
    .join(' ')
    .replaceAll(/[_-]/g, ' ')
    .replace(/^api key/, 'API key')
  return `${/^(?!user)[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

function pastTense(verb: string): string {
  if (verb.endsWith('ed')) return verb
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  return `${verb}ed`
}
