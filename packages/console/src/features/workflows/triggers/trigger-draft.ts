import type { Trigger, TriggerSettings } from '@bey/contract'
import type { TriggerBody } from '../../../data/workflow-triggers.ts'

/** A trigger as its form holds it: every field of every type, so that nothing is lost by trying another type. */
export interface TriggerDraft {
  name: string
  isEnabled: boolean
  type: TriggerSettings['type']
  cron: string
  timeZone: string
  catchUp: 'none' | 'latest' | 'all'
  overlap: 'allow' | 'skip' | 'queue' | 'replace'
  authentication: 'hmac' | 'token'
  eventKey: string
  event: string
  when: string
  input: Record<string, unknown>
}

/** What a new trigger begins with: every day at 02:00, in the time zone of this browser. */
export function newTrigger(timeZone: string): TriggerDraft {
  return {
    name: '',
    isEnabled: true,
    type: 'schedule',
    cron: '0 2 * * *',
    timeZone,
    catchUp: 'latest',
    overlap: 'skip',
    authentication: 'hmac',
    eventKey: '',
    event: 'CLUSTER_PROVISIONING_UPDATE',
    when: '',
    input: {},
  }
}

export function triggerDraft({ name, isEnabled, settings }: Trigger, timeZone: string): TriggerDraft {
  const base = { ...newTrigger(timeZone), name, isEnabled, type: settings.type }
  const shared = { when: settings.when ?? '', input: settings.input }
  switch (settings.type) {
    case 'schedule':
      return {
        ...base,
        ...shared,
        cron: settings.cron,
        timeZone: settings.time_zone,
        catchUp: settings.catch_up,
        overlap: settings.overlap,
      }
    case 'webhook':
      return {
        ...base,
        ...shared,
        authentication: settings.authentication,
        eventKey: settings.event_key ?? '',
      }
    case 'event':
      return { ...base, ...shared, event: settings.event }
  }
}

/** What is sent. */
export function triggerBody(draft: TriggerDraft): TriggerBody {
  const { name, isEnabled } = draft
  return { name: name.trim(), isEnabled, settings: settingsOf(draft) }
}

function settingsOf(draft: TriggerDraft): TriggerBody['settings'] {
  const shared = { input: draft.input, ...(draft.when.trim() ? { when: draft.when.trim() } : {}) }
  switch (draft.type) {
    case 'schedule':
      return {
        type: 'schedule',
        cron: draft.cron.trim(),
        time_zone: draft.timeZone,
        catch_up: draft.catchUp,
        overlap: draft.overlap,
        ...shared,
      }
    case 'webhook':
      return {
        type: 'webhook',
        authentication: draft.authentication,
        ...(draft.eventKey.trim() ? { event_key: draft.eventKey.trim() } : {}),
        ...shared,
      }
    case 'event':
      return { type: 'event', event: draft.event, ...shared }
  }
}

/** A command that sends a webhook as its sender would. `secret` is what was shown once. */
export function webhookCommand(url: string, secret: string, authentication: 'hmac' | 'token'): string {
  const quoted = secret.replaceAll("'", String.raw`'\''`)
  const body = '{"version":"1.0"}'
  if (authentication === 'token') {
    return `curl -X POST '${url}' \\\n  -H 'Authorization: Bearer ${quoted}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`
  }
  // GitHub's signature is the one that a shell can make in one line.
  return [
    `BODY='${body}'`,
    `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac '${quoted}' -hex | sed 's/.* //')`,
    `curl -X POST '${url}' \\`,
    `  -H "X-Hub-Signature-256: sha256=$SIGNATURE" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d "$BODY"`,
  ].join('\n')
}
