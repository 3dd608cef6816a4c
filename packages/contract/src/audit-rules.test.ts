import { expect, test } from 'vitest'
import { auditActionText } from './audit-rules.ts'

test.each([
  ['secret.reveal', 'revealed a secret'],
  ['api_key.create', 'created an API key'],
  ['webhook.rotate_secret', 'rotated the secret of a webhook'],
  ['invitation.read_link', 'read the link of an invitation'],
  ['cluster.provision.completed', 'provisioned a cluster'],
  ['cluster.delete.failed', 'failed to delete a cluster'],
  ['workflow_run.retry', 'retried a workflow run'],
  ['workflow_run.remind', 'reminded those who may approve a workflow run'],
  ['kubernetes.patch', 'patched a Kubernetes object'],
  ['access.refuse', 'was refused'],
])('%s is "%s"', (action, text) => {
  expect(auditActionText(action)).toBe(text)
})
