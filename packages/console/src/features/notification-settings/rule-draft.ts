import type { NotificationRule, NotificationRuleInput } from '@bey/contract'

/** A new rule: everything that is not good, in the console. */
export function newRule(timeZone: string): NotificationRuleInput {
  return {
    name: '',
    events: ['run.failed', 'run.needs_attention', 'health.failing', 'secret.attention'],
    minSeverity: 'info',
    whose: 'anyone',
    clusterIds: [],
    workflowIds: [],
    inApp: true,
    mail: false,
    channelIds: [],
    quiet: null,
    timeZone,
    digest: 'none',
    mutedUntil: null,
    isEnabled: true,
  }
}

/** What of a rule can be changed. */
export function inputOf({ id: _id, owner: _owner, ...input }: NotificationRule): NotificationRuleInput {
  return input
}

/** `all` with `value` or without it. */
export function toggled<T>(all: readonly T[], value: T, isOn: boolean): T[] {
  return isOn ? [...all, value] : all.filter((each) => each !== value)
}
