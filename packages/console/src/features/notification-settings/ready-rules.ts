import type { NotificationRuleInput } from '@bey/contract'
import { newRule } from './rule-draft.ts'

interface ReadyRule {
  about: string
  rule: NotificationRuleInput
}

/** Rules that most people make, ready to be switched on. */
export function readyRules(timeZone: string, isMailConfigured: boolean): ReadyRule[] {
  const base = newRule(timeZone)
  return [
    {
      about: isMailConfigured
        ? 'What fails, fires or is about to end: in the console and by mail, at once.'
        : 'What fails, fires or is about to end: in the console, at once.',
      rule: {
        ...base,
        name: 'Incidents at once',
        events: ['health.failing', 'run.failed', 'alert.firing', 'secret.attention', 'ingress.attention'],
        minSeverity: 'warning',
        mail: isMailConfigured,
      },
    },
    {
      about: 'Runs that you started: when they fail, complete or wait for somebody.',
      rule: {
        ...base,
        name: 'My runs',
        events: ['run.failed', 'run.completed', 'run.needs_attention'],
        whose: 'mine',
      },
    },
    {
      about: 'Everything that failed and what has recovered, as one list each morning.',
      rule: {
        ...base,
        name: 'Each morning',
        events: ['health.failing', 'health.recovered', 'run.failed', 'alert.firing', 'alert.resolved'],
        digest: 'daily',
        mail: isMailConfigured,
      },
    },
  ]
}
