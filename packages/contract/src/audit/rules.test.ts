import { expect, test } from 'vitest'
import { auditActionText } from './rules.ts'

test.each([
  ['secret.reveal', 'revealed a secret'],
  ['api_key.create', 'created an API key'],
  ['webhook.rotate_secret', 'rotated the secret of a webhook'],
  ['invitation.read_link', 'read the link of an invitation'],
  ['cluster.provision.completed', 'provisioned a cluster'],
  ['cluster.delete.failed', 'failed to delete a cluster'],
  ['workflow_run.retry', 'retried a workflow run'],
  ['workflow_run.remind', 'reminded those who may approve a workflow run'],
  ['kubernetes.patch', 'changed a Kubernetes object'],
  ['access.refuse', 'was refused'],
  ['statement.freeze', 'froze a statement'],
  ['cluster.delete.completed', 'deleted a cluster'],
  ['database.backup', 'backed up a database'],
  ['database.backup.failed', 'failed to back up a database'],
  ['database.backup_policy', 'changed the backup policy of a database'],
  ['database.undo_swap', 'undid the swap of a database'],
  ['database.swap', 'swapped a database'],
  ['database.break', 'broke a database'],
  ['database.role.drop', 'dropped a database role'],
  ['annotation.reply', 'replied to an annotation'],
  ['member.leave', 'left the organization'],
  ['network.take_over', 'took over the policies of a network'],
  ['instance.set_read_only', 'changed the read-only mode of the server'],
  ['invitation.resend', 'sent an invitation again'],
  ['resources.tag', 'tagged resources'],
  ['saving.undo', 'undid a saving'],
  ['secret.rollback', 'rolled back a secret'],
  ['workflow_run.cancel', 'cancelled a workflow run'],
])('%s is "%s"', (action, text) => {
  expect(auditActionText(action)).toBe(text)
})
