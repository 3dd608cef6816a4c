import { expect, test } from 'vitest'
import { newTrigger, triggerBody, webhookCommand } from './trigger-draft.ts'

test('only what belongs to the type of a trigger is sent', () => {
  const draft = { ...newTrigger('Europe/Berlin'), name: ' Nightly ', when: ' ' }
  expect(triggerBody(draft)).toEqual({
    name: 'Nightly',
    isEnabled: true,
    settings: {
      type: 'schedule',
      cron: '0 2 * * *',
      time_zone: 'Europe/Berlin',
      catch_up: 'latest',
      overlap: 'skip',
      input: {},
    },
  })
  expect(triggerBody({ ...draft, type: 'webhook', eventKey: 'body.id' }).settings).toEqual({
    type: 'webhook',
    authentication: 'hmac',
    event_key: 'body.id',
    input: {},
  })
  expect(triggerBody({ ...draft, type: 'event', when: 'event.status == "error"' }).settings).toEqual({
    type: 'event',
    event: 'CLUSTER_PROVISIONING_UPDATE',
    when: 'event.status == "error"',
    input: {},
  })
})

test('a quote in a secret does not end the command', () => {
  expect(webhookCommand('https://bey.example/hooks/1', "a'b", 'token')).toContain(String.raw`Bearer a'\''b`)
})
